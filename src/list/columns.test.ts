import { expect, test } from 'vitest';
import { parseList } from './parseList.ts';
import { readInput } from './readInput.ts';

const UUID = '7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d';
const people = Array.from({ length: 20 }, (_, index) => `person${index}@example.com`);

/** The heading of the column that is read; null where the lines are. */
async function columnOf(csv: string, identityField: string | null = null): Promise<string | null> {
  const { table, column } = await readInput(csv, identityField, () => {});
  return column === null ? null : (table?.headings[column] ?? null);
}

const table = (headings: string, row: (person: string, index: number) => string) =>
  [headings, ...people.map(row)].join('\n');

const each = (headings: string, row: string) =>
  table(headings, (person, n) => row.replaceAll('WHO', person).replaceAll('#', `${n % 20}`));
test.each([
  ['an agent who owns them all', each('Owner,Email,Name', 'agent@acme.test,WHO,Name #'), 'Email'],
  ['an owner for each', each('Owner,Email,Name', 'agent#@acme.test,WHO,Name #'), 'Email'],
  ['agents under a heading that says nothing', table('A,B', (who, n) => `agent${n % 3}@acme.test,${who}`), 'B'],
  ['a second address', each('Backup email,Email', 'old.WHO,WHO'), 'Email'],
  ['numbers in the headings', each('Email 2,Email 1', 'old.WHO,WHO'), 'Email 1'],
  [
    'one address in few rows',
    table('Email,Phone', (who, n) => `${n === 0 ? who : ''},+44 20 7946 0${100 + n}`),
    'Phone',
  ],
  ['a UUID of an order', table('Order,Email', (who, n) => `${UUID.slice(0, -2)}${10 + n},${who}`), 'Email'],
  ['an owner alone', 'Owner,Name\nagent@acme.test,Jane\nboss@acme.test,Bob', 'Owner'],
])('with %s, the column of the contacts is read', async (_, csv, heading) => {
  expect(await columnOf(csv)).toBe(heading);
});

test('the identity that the workspace defines itself is a column by its name', async () => {
  const csv = table('Ticket,login', (_, n) => `${10_000 + n},person${n}x`);
  expect(await columnOf(csv, 'login')).toBe('login');
});

test.each<[string, string, string | null]>([
  ['one address', 'Jane,jane@example.com,3\nBob,bob@example.com,4', 'Column 2'],
  ['several people', 'a@example.com,b@example.com\nc@example.com,d@example.com', null],
  ['an agent and a contact', people.map((who) => `agent@acme.test;${who}`).join('\n'), 'Column 2'],
])('without headings, and with %s in each row', async (_, csv, heading) => {
  expect(await columnOf(csv)).toBe(heading);
  const read = await readInput(csv, null, () => {});
  expect((await parseList(read, null))[0]?.line, 'the first row is no heading').toBe(1);
});

test('each column with an identity is counted, with three samples', async () => {
  const csv = `Name,Email,Phone,Owner
Jane,jane@x.test,,agent@acme.test
Bob,BOB@x.test,+44 20 7946 0958,agent@acme.test
Eve,,n/a,agent@acme.test
Twin,bob@x.test,+442079460958,agent@acme.test

Max,max at example,+49 30 1234567,agent@acme.test
`;
  const { summary } = await readInput(csv, null, () => {});
  expect(summary).toMatchObject({ rowsRead: 5, rowCount: 5 });
  const emails = ['jane@x.test', 'BOB@x.test', 'bob@x.test'];
  const phones = ['+44 20 7946 0958', '+442079460958', '+49 30 1234567'];
  expect(summary?.columns).toMatchObject([
    { index: 1, heading: 'Email', samples: emails, distinct: 2, empty: 1, unreadable: 1 },
    { index: 2, heading: 'Phone', samples: phones, distinct: 2, empty: 1, unreadable: 1 },
    { index: 3, heading: 'Owner', samples: ['agent@acme.test'], distinct: 1, empty: 0, unreadable: 0 },
  ]);
});

test('a heading alone is no entry: not above a list, and not where a table is read as text', async () => {
  const above = await readInput('Email address\njane@example.com\nbob@example.com', null, () => {});
  expect((await parseList(above, null)).map(({ line, values }) => [line, ...values])).toEqual([
    [2, 'jane@example.com'],
    [3, 'bob@example.com'],
  ]);
  const asText = await readInput('Name,Email\nJane,jane@example.com', null, () => {});
  expect(await parseList({ ...asText, column: null }, null)).toMatchObject([
    { line: 2, values: ['jane@example.com'], source: null },
  ]);
  expect(await parseList(asText, null)).toMatchObject([{ line: 2, source: 'Email' }]);
});

test('entries of a column have the number that their row has in a spreadsheet', async () => {
  const read = await readInput('\n\nName,Email\n"Doe\nJane",jane@example.com\n\nBob,bob@example.com\n', null, () => {});
  expect((await parseList(read, null)).map(({ line }) => line)).toEqual([4, 6]);
});

/** What is read of a table, and whether the user is asked. */
async function readChoice(csv: string, identityField: string | null = 'customer_id') {
  const { table, column, isUndecided } = await readInput(csv, identityField, () => {});
  return [column === null ? null : (table?.headings[column] ?? null), isUndecided];
}

test.each([
  ['Zip,Customer ID\n10115,0001234\n20095,1234567', 'Customer ID'],
  ['Zip,Customer number\n10115,0001234\n20095,1234567', 'Customer number'],
  ['PLZ;Kundennummer;Ort\n10115;0001234;Berlin\n20095;1234567;Hamburg', 'Kundennummer'],
  ['Kundennummer;Bestellwert;PLZ\n0001234;19900;10115\n1234567;24900;20095\nK-77001;9900;80331', 'Kundennummer'],
  ['Code postal;N° client\n75001;0001234\n69002;1234567', 'N° client'],
  ['Código postal;Nº de cliente\n28001;0001234\n08002;1234567', 'Nº de cliente'],
  ['CAP;Codice cliente\n00184;0001234\n20121;1234567', 'Codice cliente'],
  ['Postcode;Klantnummer\n10115;0001234\n20095;1234567', 'Klantnummer'],
  ['CEP;Número do cliente\n10115;0001234\n20095;1234567', 'Número do cliente'],
  ['Kod pocztowy;Numer klienta\n10115;0001234\n20095;1234567', 'Numer klienta'],
  ['Ref;customerId\n10115;0001234\n20095;1234567', 'customerId'],
  ['Customer no.;Telephone\nK-77001;+49 30 1001515\nK-77002;+49 30 1001516', 'Customer no.'],
])('the column of the workspace’s own ID is read of %j', async (csv, heading) => {
  expect(await readChoice(csv)).toEqual([heading, false]);
});

test.each([
  ['two columns of numbers', 'Code,Ref\n10115,0001234\n20095,1234567'],
  ['a postcode alone', 'Name;PLZ\nJane;10115\nBob;20095'],
  ['two columns of addresses', 'E-Mail privat;E-Mail Firma\na@x.test;b@x.test\nc@x.test;d@x.test'],
])('of %s, the user is asked', async (_, csv) => {
  expect((await readChoice(csv))[1]).toBe(true);
});

test.each([
  'Nachname;E-Mail-Adresse Vertrieb;E-Mail-Adresse',
  'Nachname;Vertriebs-E-Mail;E-Mail-Adresse',
  'Name;Kundenbetreuer;E-Mail-Adresse',
  'Nom;Courriel du commercial;E-Mail-Adresse',
  'Nombre;Correo del vendedor;E-Mail-Adresse',
  'Nome;Email responsabile;E-Mail-Adresse',
  'Naam;E-mail verkoper;E-Mail-Adresse',
  'Nazwisko;E-mail opiekuna;E-Mail-Adresse',
])('an address of one’s own people is not read: %s', async (headings) => {
  const rows = ['Kette', 'Adler', 'Berg'].map((name, n) => `${name};rep${n}@agents.test;${name.toLowerCase()}@x.test`);
  expect(await readChoice([headings, ...rows].join('\n'))).toEqual(['E-Mail-Adresse', false]);
});

test.each([
  ['E-Mail-Adresse', 'jane@example.com'],
  ['Telefonnummer', '+49 30 1001515'],
  ['Kundennr.', '0001234'],
  ['Kundennummer', '0001234'],
  ['Customer number', '0001234'],
  ['Numéro de client', '0001234'],
  ['Adres e-mail', 'jane@example.com'],
])('the heading %s above one value is nobody, and alone it is nobody', async (heading, value) => {
  const read = await readInput(`${heading}\n${value}`, 'customer_id', () => {});
  expect(await parseList(read, 'customer_id')).toMatchObject([{ line: 2, text: value }]);
  expect(await parseList(await readInput(heading, 'customer_id', () => {}), 'customer_id')).toEqual([]);
});

test.each(['mailman', 'telly', 'anna'])('%s above other names is somebody', async (login) => {
  expect(await parseList(await readInput(`${login}\nbob`, 'login', () => {}), 'login')).toHaveLength(2);
});
