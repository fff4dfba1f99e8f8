import { existsSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listContactEvents } from '../contacts/events.ts';
import { findContact, unsubscribeContact, updateContact } from '../contacts/store.ts';
import { listAddresses, listDomains } from '../domains/store.ts';
import { programFile } from '../testing/programFile.ts';
import { CALLER } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { ndjson, startTestAdmin, type TestAdmin } from '../testing/testAdmin.ts';
import { runProgram } from '../testing/testProcess.ts';

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

const uuidOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const report = (counts: object) => ({ added: 0, changed: 0, unchanged: 0, refused: 0, faults: [], ...counts });

const ada = {
  uuid: uuidOf(1),
  subscribed: true,
  attributes: { email: 'Ada@example.com', first_name: 'Ada', customer_id: 7, nested: { list: [1, null, 'é'] } },
  created_at: '2024-02-29T10:00:00.123Z',
  updated_at: '2025-01-01T00:00:00.456Z',
};

test('a line of contacts is the resource of the interface, with its uuid, state and times', async () => {
  const gone = { ...ada, uuid: uuidOf(2), subscribed: false, attributes: { phone: '+49 30 1', provider: 'x' } };
  const file = await t.file(
    'people.ndjson',
    ndjson([{ ...ada, provider: null }, gone, { uuid: null, attributes: { email: 'b@x.test' }, created_at: null }]),
  );
  const said = await t.importFile('contacts', file);
  expect(said).toMatchObject({ code: 0, err: '' });
  expect(said.result()).toEqual(report({ added: 3 }));
  expect(await findContact(t.workspace, t.database, 'ada@example.com')).toEqual(ada);
  expect(await findContact(t.workspace, t.database, '7')).toEqual(ada);
  expect(await findContact(t.workspace, t.database, '+49 30 1')).toEqual(gone);
});

const line = (attributes: object, subscribed = true) => ({ attributes: { phone: '+49 1', ...attributes }, subscribed });

test('who shares a phone with somebody does not become them, and their unsubscribe stays theirs', async () => {
  const load = async (...lines: object[]) =>
    (await t.importFile('contacts', await t.file('phones.ndjson', ndjson(lines)))).result();
  expect(await load(line({ email: 'jane@fam.example' }, false))).toEqual(report({ added: 1 }));
  const message = 'phone belongs to a contact with another email or ID. To change that one, give its uuid.';
  const faults = [1, 2].map((number) => ({ line: number, message }));
  const others = [line({ email: 'joe@fam.example' }), line({ email: 'jim@fam.example', customer_id: 8 })];
  expect(await load(...others)).toEqual(report({ refused: 2, faults }));
  expect(await load({ attributes: { email: 'jane@fam.example' }, subscribed: true })).toEqual(report({ unchanged: 1 }));
  expect(await findContact(t.workspace, t.database, 'jane@fam.example')).toMatchObject({ subscribed: false });

  // The same contact with one more identity, with one less, or by its ID: it stays the same contact.
  expect(await load(line({ email: 'jane@fam.example', customer_id: 7 }), line({}), line({ email: null }))).toEqual(
    report({ changed: 2, unchanged: 1 }),
  );
  expect(await load({ attributes: { customer_id: 7, email: 'jane@new.example' } })).toEqual(report({ changed: 1 }));
  expect(await findContact(t.workspace, t.database, 'jane@new.example')).toMatchObject({ subscribed: false });
});

test('5,000 lines go in once: importing them again changes no row', async () => {
  const people = Array.from({ length: 5000 }, (_, index) => ({
    attributes: { email: `person${index}@example.com`, customer_id: `C-${index}`, note: '<script>alert(1)</script>' },
    subscribed: index % 3 > 0,
    ...(index % 2 === 0 && { uuid: uuidOf(index), created_at: '2024-01-01T00:00:00.000Z' }),
  }));
  const file = await t.file('people.ndjson', ndjson(people));
  expect((await t.importFile('contacts', file)).result()).toEqual(report({ added: 5000 }));
  const rows = await t.rows();
  expect(rows['contacts']).toHaveLength(5000);
  expect(rows['identities']).toHaveLength(10_000);

  const again = await t.importFile('contacts', file);
  expect(again).toMatchObject({ code: 0, err: '' });
  expect(again.result()).toEqual(report({ unchanged: 5000 }));
  expect(await t.rows()).toEqual(rows);
});

test('an import merges attributes, keeps what it does not name, and never subscribes anybody again', async () => {
  const first = [ada, { attributes: { email: 'bob@example.com' }, subscribed: true }];
  const file = await t.file('people.ndjson', ndjson(first));
  await t.importFile('contacts', file);
  await unsubscribeContact(t.workspace, t.database, 'ada@example.com', CALLER, Date.now());
  await updateContact(t.workspace, t.database, 'ada@example.com', { company: 'Acme' }, CALLER, Date.now());
  const rows = await t.rows();

  expect((await t.importFile('contacts', file)).result()).toEqual(report({ unchanged: 2 }));
  expect(await t.rows()).toEqual(rows);

  const csv = 'email,subscribed,first_name\nADA@example.com,TRUE,Augusta\nbob@example.com,false,\n';
  expect((await t.importFile('contacts', await t.file('people.csv', csv))).result()).toEqual(report({ changed: 2 }));
  expect(await findContact(t.workspace, t.database, uuidOf(1))).toMatchObject({
    subscribed: false,
    attributes: { ...ada.attributes, email: 'ADA@example.com', first_name: 'Augusta', company: 'Acme' },
    created_at: ada.created_at,
  });
  expect(await findContact(t.workspace, t.database, 'bob@example.com')).toMatchObject({ subscribed: false });
});

test('notes on the columns of a CSV file are told, and one that cannot be understood is one sentence', async () => {
  const csv = 'uuid,email,plan\n,bob@example.com,gold\n,"x"y,z\n';
  const said = await t.importFile('contacts', await t.file('people.CSV', csv));
  const fault = 'A cell has a quote in the wrong place.';
  expect(said.result()).toEqual(report({ added: 1, refused: 1, faults: [{ line: 3, message: fault }] }));
  expect(said).toMatchObject({ code: 1, err: `Columns read as attributes: plan.\nLine 3: ${fault}\n` });
  const error = 'A column is called "First Name": write first_name.';
  const refused = await t.importFile('contacts', await t.file('other.csv', 'email,First Name\n'));
  expect(refused).toMatchObject({ code: 1, err: `${error}\n` });
  expect(refused.result()).toEqual({ error });
});

const BAD: [line: string | Buffer, message: string][] = [
  ['[{"attributes":{"email":"a@x.test"}}]', 'The line is an array: each line must be one JSON object.'],
  ['"a@x.test"', 'The line is a single value: each line must be one JSON object.'],
  ['{"attributes":{"email":"a@x.test"}', 'The line is not JSON.'],
  [Buffer.from('{"attributes":{"email":"\u00e9@x.test"}}', 'latin1'), 'The line is not UTF-8.'],
  ['{"email":"a@x.test"}', 'There is no field "email".'],
  ['{"attributes":"a@x.test"}', 'attributes must be an object of keys and values.'],
  ['{"attributes":{"first_name":"A"}}', 'A contact needs a uuid or an identity.'],
  ['{"attributes":{"email":"nobody"}}', 'email must be an email address.'],
  ['{"attributes":{"email":"a@x.test","note":"\\u0000"}}', 'A value contains a NUL character.'],
  ['{"attributes":{"email":"a@x.test","note":"\\ud800"}}', 'A value contains half of a character pair'],
  ['{"attributes":{"email":"a@x.test","__proto__":{"subscribed":true}}}', 'A key cannot be __proto__.'],
  ['{"__proto__":{"subscribed":true},"attributes":{"email":"a@x.test"}}', 'There is no field "__proto__".'],
  [`{"attributes":{"email":"a@x.test","deep":${'['.repeat(5000)}${']'.repeat(5000)}}}`, 'nested more than 20 levels'],
  ['{"uuid":"7","attributes":{"email":"a@x.test"}}', 'uuid must be a UUID.'],
  ['{"subscribed":"yes","attributes":{"email":"a@x.test"}}', 'subscribed must be true or false.'],
  ['{"created_at":"2026-02-30T00:00:00.000Z","attributes":{"email":"a@x.test"}}', 'created_at must be a time'],
  ['{"updated_at":"2026-02-03","attributes":{"email":"a@x.test"}}', 'updated_at must be a time with its zone'],
  [
    `{"uuid":"${uuidOf(9)}","attributes":{"email":"ADA@example.com "}}`,
    'Another contact of this workspace already has this email.',
  ],
  [`{"attributes":{"email":"a@x.test","long":"${'x'.repeat(9 * 1024 * 1024)}"}}`, 'The line is longer than 1 MiB.'],
  ['{"\\u001b[2J":1}', 'There is no field "[U+001B][2J".'],
];

test('each bad line is told with its number and its reason; the others go in', async () => {
  const first = JSON.stringify(ada);
  const last = JSON.stringify({ attributes: { email: 'last@example.com' } });
  const parts = [first, ...BAD.map(([line]) => line), last].flatMap((line) => [Buffer.from(line), Buffer.from('\n')]);
  const said = await t.importFile('contacts', await t.file('people.ndjson', Buffer.concat(parts)));
  expect(said.code).toBe(1);
  expect(said.result()).toEqual(
    report({
      added: 2,
      refused: BAD.length,
      faults: BAD.map(([, message], index) => ({ line: index + 2, message: expect.stringContaining(message) })),
    }),
  );
  expect(said.err.trimEnd().split('\n')).toHaveLength(BAD.length);
  expect((await t.rows())['contacts']).toHaveLength(2);
});

test('--strict takes all lines or none, and tells the bad ones up to a limit', async () => {
  const people = Array.from({ length: 1200 }, (_, index) => ({ attributes: { email: `person${index}@example.com` } }));
  const good = await t.file('good.ndjson', ndjson(people));
  const bad = await t.file('bad.ndjson', ndjson([ada, ...people, ...people.map((_, index) => ({ uuid: index }))]));
  const before = await t.rows();
  const refused = await t.importFile('contacts', bad, '--strict');
  expect(refused.code).toBe(1);
  const result = refused.result() as { refused: number; faults: { line: number }[] };
  expect(result).toMatchObject({ added: 0, changed: 0, unchanged: 0, refused: 1200 });
  expect(result.faults.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, index) => 1202 + index));
  expect(refused.err).toContain('Line 1202: uuid must be a UUID.\n');
  expect(await t.rows()).toEqual(before);

  const said = await t.admin(['import', 'contacts', bad, '--workspace', t.workspace.uuid, '--strict']);
  expect(said.out).toBe('1,100 more bad lines are not shown.\nNothing was imported: bad lines: 1,200.\n');
  expect((await t.importFile('contacts', good, '--strict')).result()).toEqual(report({ added: 1200 }));
});

test('an event finds its contact by UUID or identity, and a repeat adds nothing', async () => {
  await t.importFile('contacts', await t.file('people.ndjson', ndjson([ada])));
  const events = Array.from({ length: 5000 }, (_, index) => ({
    contact: [uuidOf(1), ' ADA@example.com', '7'][index % 3],
    event_name: `name ${index % 4}`,
    attributes: { index, list: [null] },
    created_at: new Date(1_700_000_000_000 + Math.floor(index / 2) * 1000).toISOString(),
    ...(index % 5 === 0 && { uuid: uuidOf(index) }),
  }));
  const bad = [
    { contact: 'nobody@example.com', event_name: 'x', created_at: ada.created_at },
    { contact: uuidOf(1), event_name: 'x' },
    { contact: uuidOf(1), created_at: ada.created_at },
    { contact: uuidOf(1), event_name: ' ', created_at: ada.created_at },
    { contact: uuidOf(1), event_name: 'x', attributes: [], created_at: ada.created_at },
  ];
  const file = await t.file('events.ndjson', ndjson([...events, ...bad]));
  const said = await t.importFile('events', file);
  const faults = [
    'No contact has this UUID or identity.',
    'An event needs a created_at or a uuid: without both it would be added again by every import.',
    'event_name is missing.',
    'event_name is empty.',
    'attributes must be an object of keys and values.',
  ].map((message, index) => ({ line: 5001 + index, message: expect.stringContaining(message) }));
  expect(said.result()).toEqual(report({ added: 5000, refused: 5, faults }));
  const rows = await t.rows();
  expect((await t.importFile('events', file)).result()).toEqual(report({ unchanged: 5000, refused: 5, faults }));
  expect(await t.rows()).toEqual(rows);

  const page = JSON.parse(
    (await listContactEvents(t.workspace, t.database, uuidOf(1), { ...ALL, search: 'NAME 2' })) ?? '',
  );
  expect(page).toMatchObject({ meta: { total: 1250 } });
});

test('one batch names more contacts than one statement looks up, in every way, one event twice, and one that is of another', async () => {
  const people = Array.from({ length: 600 }, (_, index) => ({
    uuid: uuidOf(index),
    attributes: { email: `person${index}@example.com`, customer_id: index },
  }));
  await t.importFile('contacts', await t.file('people.ndjson', ndjson(people)));
  const names = [(index: number) => ` PERSON${index}@example.com`, String, (index: number) => uuidOf(index)];
  const events = people.flatMap((_, index) =>
    names.map((name, kind) => ({
      contact: name(index),
      event_name: `by ${kind}`,
      uuid: uuidOf(10_000 + index * 3 + kind),
    })),
  );
  const lines = [
    ...events,
    { ...events[0], contact: uuidOf(0) },
    { ...events[0], contact: uuidOf(7) },
    { ...events[0], contact: 'nobody' },
  ];
  const said = await t.importFile('events', await t.file('events.ndjson', ndjson(lines)));
  const faults = [
    { line: 1802, message: 'An event of another contact has this uuid.' },
    { line: 1803, message: 'No contact has this UUID or identity.' },
  ];
  expect(said.result()).toEqual(report({ added: 1800, unchanged: 1, refused: 2, faults }));
  const counts = (await t.rows())['contacts'] as { event_count: number }[];
  expect(new Set(counts.map(({ event_count }) => event_count))).toEqual(new Set([3]));
  expect(await t.admin(['check', '--workspace', t.workspace.uuid])).toMatchObject({ code: 0 });
});

test('events come from CSV too', async () => {
  await t.importFile('contacts', await t.file('people.ndjson', ndjson([ada])));
  const csv =
    'contact,event_name,created_at,attributes.order,amount\nada@example.com,bought,2026-01-01T00:00:00Z,"A,1",12\n';
  expect((await t.importFile('events', await t.file('events.csv', csv))).result()).toEqual(report({ added: 1 }));
  const page = JSON.parse((await listContactEvents(t.workspace, t.database, uuidOf(1), ALL)) ?? '');
  expect(page.data).toEqual([
    {
      uuid: expect.any(String),
      event_name: 'bought',
      attributes: { order: 'A,1', amount: '12' },
      created_at: '2026-01-01T00:00:00.000Z',
    },
  ]);
});

test('domains with their records, and addresses that find their domain by name or UUID', async () => {
  const dns = [{ type: 'MX', name: 'm.x.test', value: '10 mx.example.net', is_valid: true }];
  const csv = `name,verified,dns\nx.test,True,"${JSON.stringify(dns).replaceAll('"', '""')}"\nY.test.,maybe,\nz.test,,{\n`;
  const domains = await t.importFile('domains', await t.file('domains.csv', csv));
  const faults = [
    { line: 3, message: 'verified must be true or false.' },
    { line: 4, message: 'dns is not JSON.' },
  ];
  expect(domains.result()).toEqual(report({ added: 1, refused: 2, faults }));
  const [domain] = (await listDomains(t.workspace, t.database, ALL)).data;
  expect(domain).toMatchObject({ name: 'x.test', domain: 'x.test', verified: true, status: 'pending', dns });

  const addresses = [
    { domain: 'X.TEST.', address: 'news', display_name: 'News' },
    { domain_uuid: domain?.uuid, full_address: 'help@x.test', verification: 'completed' },
    { domain: 'nowhere.test', address: 'a' },
    { address: 'a' },
    { domain: 'x.test' },
    { domain: 'x.test', address: 'a', full_address: 'b@x.test' },
  ];
  const file = await t.file('addresses.ndjson', ndjson(addresses));
  const said = await t.importFile('addresses', file);
  expect(said.result()).toMatchObject({ added: 2, refused: 4, faults: [3, 4, 5, 6].map((line) => ({ line })) });
  expect((await listAddresses(t.workspace, t.database, domain?.uuid ?? '', ALL))?.data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ full_address: 'news@x.test', display_name: 'News', verification: 'pending' }),
      expect.objectContaining({ full_address: 'help@x.test', address: 'help', verification: 'completed' }),
    ]),
  );
  const rows = await t.rows();
  expect((await t.importFile('addresses', file)).result()).toMatchObject({ unchanged: 2, refused: 4 });
  expect(await t.rows()).toEqual(rows);
});

test.runIf(existsSync('/usr/bin/script'))('a terminal shows how far it is, and a pipe nothing', async () => {
  const people = Array.from({ length: 300 }, (_, index) => ({ attributes: { email: `p${index}@example.com` } }));
  const args = ['import', 'contacts', await t.file('people.ndjson', ndjson(people)), '--workspace', t.workspace.uuid];
  const command = [process.execPath, programFile('cli'), ...args].map((word) => `'${word}'`).join(' ');
  const shown = await runProgram(['script', '-qec', command, '/dev/null'], {
    stdin: '',
    env: { DATABASE_URL: t.url, TERM: 'xterm' },
  });
  expect(shown.out).toMatch(/\[#+\.*\] 100 lines/);
  expect(shown.out).toContain('Imported contacts: 300 added');
  const out = 'Imported contacts: 0 added, 0 changed, 300 unchanged, 0 refused.\n';
  expect(await t.admin(args)).toMatchObject({ out, err: '' });
});
