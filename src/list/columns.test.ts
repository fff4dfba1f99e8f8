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

test.each<[string, string, string | null]>([
  ['an agent who owns them all', table('Owner,Email,Name', (who, n) => `agent@acme.test,${who},Name ${n}`), 'Email'],
  ['an owner for each', table('Owner,Email,Name', (who, n) => `agent${n}@acme.test,${who},Name ${n}`), 'Email'],
  ['three agents', table('Assigned to,Contact', (who, n) => `agent${n % 3}@acme.test,${who}`), 'Contact'],
  ['agents under a heading that says nothing', table('A,B', (who, n) => `agent${n % 3}@acme.test,${who}`), 'B'],
  ['a second address', table('Backup email,Email', (who) => `old.${who},${who}`), 'Email'],
  ['numbers in the headings', table('Email 2,Email 1', (who) => `old.${who},${who}`), 'Email 1'],
  [
    'a column of one address in few rows',
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
Jane,jane@example.com,,agent@acme.test
Bob,BOB@example.com,+44 20 7946 0958,agent@acme.test
Eve,,n/a,agent@acme.test
Twin,bob@example.com,+442079460958,agent@acme.test

Max,max at example,+49 30 1234567,agent@acme.test
`;
  const { summary } = await readInput(csv, null, () => {});
  expect(summary).toMatchObject({ rowsRead: 5, rowCount: 5 });
  expect(summary?.columns).toMatchObject([
    {
      index: 1,
      heading: 'Email',
      samples: ['jane@example.com', 'BOB@example.com', 'bob@example.com'],
      distinct: 2,
      empty: 1,
      unreadable: 1,
    },
    {
      index: 2,
      heading: 'Phone',
      samples: ['+44 20 7946 0958', '+442079460958', '+49 30 1234567'],
      distinct: 2,
      empty: 1,
      unreadable: 1,
    },
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
