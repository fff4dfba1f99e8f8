import { existsSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listSuppressions } from '../../../contacts/listSuppressions.ts';
import { findContact, putContacts, unsubscribeContact } from '../../../contacts/store.ts';
import { SERVER_TABLES } from '../../../database/postgres/tableMaintenance.ts';
import { programFile } from '../../../testing/processes/programFile.ts';
import { CALLER, ENGINE } from '../../../testing/testDatabase.ts';
import { ndjson, startTestAdmin, type TestAdmin, writeUntilEnded } from '../../../testing/processes/testAdmin.ts';
import { ALL } from '../../../testing/testList.ts';
import type { ImportReport } from '../lines/importRows.ts';
import { must } from '#contract/values/must.ts';
import { runProgram } from '../../../testing/processes/testProcess.ts';

let t: TestAdmin;
beforeEach(async () => {
  t = await startTestAdmin();
});
afterEach(() => t[Symbol.asyncDispose]());

type Counts = Partial<ImportReport> & { run?: null };
const report = ({ added = 0, changed = 0, ...counts }: Counts) => {
  const run: unknown = added + changed > 0 ? expect.any(String) : null;
  return { added, added_unsubscribed: 0, changed, unchanged: 0, refused: 0, faults: [], run, ...counts };
};
const emailOf = (number: number) => `p${number}@example.com`;
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ attributes: { email: emailOf(index) } }));

const ada = {
  uuid: '00000000-0000-4000-8000-000000000001',
  subscribed: false,
  attributes: { email: 'Ada@example.com', customer_id: 7, nested: { list: [1, null, 'é'] } },
  created_at: '2024-02-29T10:00:00.123Z',
  updated_at: '2025-01-01T00:00:00.456Z',
};

test('good lines go in, each bad one is told with its number, and importing them again changes no row', async () => {
  const lines = [
    JSON.stringify(ada),
    '{"attributes":{"email":"nobody"}}',
    '{"attributes":{"first_name":"Ada"}}',
    Buffer.from('{"attributes":{"email":"\u00e9@x.test"}}', 'latin1'),
    '{"uuid":"00000000-0000-4000-8000-000000000009","attributes":{"email":"ADA@example.com "}}',
    '{"attributes":{"email":"last@example.com"}}',
  ];
  const text = Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')]));
  const file = await t.file('people.ndjson', text);
  const messages = [
    'email must be an email address.',
    'A contact needs a uuid or an identity.',
    "The line isn't UTF-8.",
    'Another contact of this workspace already has this email.',
  ];
  const said = await t.importFile('contacts', file);
  const faults = messages.map((message, index) => ({ line: index + 2, message: expect.stringContaining(message) }));
  expect(said).toMatchObject({ code: 1, err: expect.stringMatching(/^(Line [2-5]: .*\n){4}$/) });
  expect(said.result()).toEqual(report({ added: 2, added_unsubscribed: 1, refused: 4, faults }));
  expect(await findContact(t.workspace, t.database, '7')).toEqual(ada);
  const rows = await t.rows();
  expect((await t.importFile('contacts', file)).result()).toEqual(report({ unchanged: 2, refused: 4, faults }));
  expect(await t.rows()).toEqual(rows);
});

test('notes on the columns of a CSV file are told, and one that cannot be understood is one sentence', async () => {
  const csv = 'uuid,email,plan\n,bob@example.com,gold\n,"x"y,z\n';
  const said = await t.importFile('contacts', await t.file('people.CSV', csv));
  const fault = 'A cell has a quote in the wrong place.';
  expect(said.result()).toEqual(report({ added: 1, refused: 1, faults: [{ line: 3, message: fault }] }));
  expect(said).toMatchObject({ code: 1, err: `Columns read as attributes: plan.\nLine 3: ${fault}\n` });
  const error = 'A column is called "First Name". Rename it to first_name.';
  const refused = await t.importFile('contacts', await t.file('other.csv', 'email,First Name\n'));
  expect(refused).toMatchObject({ code: 1, err: `${error}\n` });
  expect(refused.result()).toEqual({ error });
});

test('an invisible character of an identity, and an attribute in another case, are told, and imported as they are', async () => {
  await t.database.write(t.workspace, (scope) =>
    putContacts(scope, [{ attributes: { email: 'ann@x.test', plan: 'free', Team: 'a' } }], 0),
  );
  const csv = 'email,Plan,Team\nbob@x.test,pro,b\na\u200bnn@x.test,pro,c\n';
  const said = await t.importFile('contacts', await t.file('people.csv', csv), '--dry-run');
  const hidden = 'email has an invisible character: U+200B (zero width space).';
  expect(said.err.split('\n')).toEqual([
    'Columns read as attributes: Plan, Team.',
    'Plan: the workspace has plan, which stays another attribute. If they are the same, rename it in the file.',
    expect.stringContaining(`Line 3: ${hidden}`),
    '',
  ]);
  const line = { subscribed: true, attributes: { email: 'c\u200b@x.test', phone: '\u202a1', TEAM: 'c' } };
  const lines = await t.importFile('contacts', await t.file('people.ndjson', ndjson([line, line])));
  expect(lines.err).toMatch(
    /Line 1: email has .*\nLine 1: phone has .*U\+202A.*\nTEAM: the workspace has Team, .*\nLine 2: email/,
  );
  expect(lines.result()).toMatchObject({ added: 1, unchanged: 1 });
  const events = await t.file(
    'events.ndjson',
    ndjson([{ contact: 'ann@x.test', event_name: 'x', uuid: ada.uuid, attributes: { PLAN: 1 } }]),
  );
  expect((await t.importFile('events', events)).err).toBe('');
});

test('dates are read in the order that the whole file shows, also where the first lines show none', async () => {
  const csv =
    'email,suppression.since,suppression.reason\na@x.test,03/05/2024,spam\nb@x.test,,\nc@x.test,28/11/2024,moved\n';
  const said = await t.importFile('contacts', await t.file('left.csv', csv));
  expect(said.err).toBe('Line 4: suppression.reason: "moved" isn\'t a known reason, so it becomes "other".\n');
  expect(said.result()).toEqual(report({ added: 3, added_unsubscribed: 2 }));
  const { data } = await listSuppressions(t.workspace, t.database, ALL);
  expect(new Set(data.map(({ reason, since }) => `${reason} ${since.slice(0, 10)}`))).toEqual(
    new Set(['complaint 2024-05-03', 'other 2024-11-28']),
  );
});

test('--strict takes all lines or none, and tells the bad ones up to a limit', async () => {
  const good = await t.file('good.ndjson', ndjson(people(1200)));
  const wrong = Array.from({ length: 1200 }, (_, uuid) => ({ uuid }));
  const bad = await t.file('bad.ndjson', ndjson([...people(1200), ...wrong]));
  const before = await t.rows();
  const refused = await t.importFile('contacts', bad, '--strict');
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('Line 1201: uuid must be a UUID.\n') });
  const faults = Array.from({ length: 100 }, (_, index) => ({ line: 1201 + index, message: 'uuid must be a UUID.' }));
  expect(refused.result()).toEqual(report({ refused: 1200, faults }));
  expect(await t.rows()).toEqual(before);
  const said = await t.admin(['import', 'contacts', bad, '--workspace', t.workspace.uuid, '--strict']);
  expect(said.out).toBe("1,100 more bad lines aren't shown.\nNothing was imported. Bad lines: 1,200.\n");

  expect((await t.importFile('contacts', good, '--strict')).result()).toEqual(report({ added: 1200 }));
  if (ENGINE === 'sqlite') return;
  // After so many lines statements may be planned otherwise.
  const { rows } = await sql`
    select from pg_stat_user_tables where schemaname = current_schema() and last_analyze is not null`.execute(
    t.database.unscoped.kysely,
  );
  expect(rows).toHaveLength(SERVER_TABLES.length);
});

if (ENGINE === 'sqlite')
  test('an import whose line in the log fails says what it has done', async () => {
    await t.database.unscoped.write((trx) =>
      sql`create trigger broken before insert on changes begin select raise(abort, 'no log'); end`.execute(trx),
    );
    const said = await t.importFile('contacts', await t.file('people.ndjson', ndjson(people(3))));
    expect(said).toMatchObject({
      code: 1,
      err: expect.stringContaining('This import may be missing from the log: no log'),
    });
    expect(said.result()).toEqual(report({ added: 3 }));
  });

test.runIf(existsSync('/usr/bin/script'))('a terminal shows how far it is, and a pipe nothing', async () => {
  const args = [
    'import',
    'contacts',
    await t.file('people.ndjson', ndjson(people(300))),
    '--workspace',
    t.workspace.uuid,
  ];
  const command = [process.execPath, programFile('admin'), ...args].map((word) => `'${word}'`).join(' ');
  const shown = await runProgram(['script', '-qec', command, '/dev/null'], {
    stdin: '',
    env: { DATABASE_URL: t.url, TERM: 'xterm' },
  });
  expect(shown.out).toMatch(/\[#+\.*\] 100 lines/);
  expect(shown.out).toContain('Imported contacts: 300 added');
  const out = 'Imported contacts: 0 added, 0 changed, 300 unchanged, 0 refused.\n';
  expect(await t.admin(args)).toMatchObject({ out, err: '' });
});

test('during an import of events, an unsubscribe waits for one batch of it, not for the whole', async () => {
  await t.database.write(t.workspace, (scope) => putContacts(scope, people(500), 1));
  const events = Array.from({ length: 40_000 }, (_, index) => ({
    contact: emailOf(index % 500),
    event_name: `name ${index % 40}`,
    created_at: new Date(1_700_000_000_000 + index * 1000).toISOString(),
  }));
  let done = 0;
  const said = await writeUntilEnded(t.importFile('events', await t.file('e.ndjson', ndjson(events))), async () => {
    const contact = await unsubscribeContact(t.workspace, t.database, emailOf(done++ % 500), CALLER, 2);
    expect(contact?.subscribed).toBe(false);
  });
  expect(said.result()).toMatchObject({ added: events.length });
  expect(done).toBeGreaterThan(10);
});

test('an import that is killed leaves whole batches, and importing again adds the rest', async () => {
  // Several times as long as the kill takes to arrive on a busy machine.
  const all = people(ENGINE === 'sqlite' ? 20_000 : 6_000);
  const file = await t.file('people.ndjson', ndjson(all));
  const killer = new AbortController();
  const killed = t.admin(['import', 'contacts', file, '--workspace', t.workspace.uuid], { signal: killer.signal });
  const stored = () => t.database.unscoped.kysely.selectFrom('contacts').select('email_key').execute();
  await vi.waitUntil(async () => (await stored()).length > 0, { timeout: 30_000, interval: 1 });
  killer.abort();
  expect((await killed).code).toBeNull();
  // How many lines a batch has depends on how long the one before took.
  const emails = (await stored()).map(({ email_key }) => email_key);
  expect(new Set(emails)).toEqual(new Set(all.slice(0, emails.length).map(({ attributes }) => attributes.email)));
  expect(await t.admin(['verify', '--workspace', t.workspace.uuid])).toMatchObject({ code: 0 });
  const rest = { added: all.length - emails.length, unchanged: emails.length };
  expect((await t.importFile('contacts', file)).result()).toEqual(report(rest));
});

const nested = (levels: number) => `{"attributes":{"note":${'['.repeat(levels)}${']'.repeat(levels)}}}\n`;

if (ENGINE === 'sqlite')
  test('nested lines, too long and just not too long, need no more memory than some of them', async () => {
    const file = await t.file(
      'deep.ndjson',
      nested(50_000_000) + nested(4_000_000).repeat(5) + nested(500_000).repeat(10),
    );
    // The command has so little memory that it fails if a file is held as a whole, or in millions of pieces.
    const said = await t.admin(['import', 'contacts', file, '--workspace', t.workspace.uuid, '--json'], {
      settings: { NODE_OPTIONS: '--max-old-space-size=256' },
    });
    expect(said.result()).toMatchObject({
      refused: 16,
      faults: expect.arrayContaining([
        { line: 1, message: 'The line is longer than 1 MiB.' },
        { line: 16, message: 'attributes.note: A value is nested more than 20 levels deep.' },
      ]) as unknown,
    });
  });

test('exports of a provider unsubscribe and add, subscribe nobody, and are undone', async () => {
  await t.database.write(t.workspace, (scope) =>
    putContacts(
      scope,
      [{ attributes: { email: 'out@example.com' }, subscribed: false }, { attributes: { email: 'in@example.com' } }],
      1,
    ),
  );
  const columns = 'Email Address,MEMBER_RATING,OPTIN_TIME,Plan';
  const subscribed = await t.file(
    'subscribed.csv',
    `${columns}\nout@example.com,2,,gold\nboth@example.com,2,,=1+1\nnobody,2,,\nnew@example.com,2,,"${'x'.repeat(1_200_000)}"\n`,
  );
  const out = await t.file(
    'out.csv',
    `${columns},UNSUB_TIME\nboth@example.com,2,,,2024-05-03 08:30:00\nin@example.com,2,,,\n`,
  );
  const from = ['--from', 'mailchimp'];
  const asked = await t.importFile('contacts', subscribed, ...from);
  expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('--kind subscribed') });

  const before = await t.rows();
  const tried = await t.importFile('contacts', out, ...from, '--dry-run');
  expect(tried.result()).toEqual(report({ added: 1, added_unsubscribed: 1, changed: 1, run: null }));
  const shown = await t.admin(['import', 'contacts', out, '--workspace', t.workspace.uuid, ...from, '--dry-run']);
  expect(shown.out).toContain(' 1 added, 1 of them unsubscribed, 1 changed, 0 unchanged, 0 refused.');
  expect(await t.rows()).toEqual(before);

  const first = await t.importFile('contacts', out, ...from);
  expect(first.result()).toEqual(report({ added: 1, added_unsubscribed: 1, changed: 1 }));
  const second = await t.importFile('contacts', subscribed, ...from, '--kind', 'subscribed');
  const faults = [
    { line: 4, message: 'email must be an email address.' },
    { line: 5, message: 'The line is longer than 1 MiB.' },
  ];
  expect(second.result()).toEqual(report({ changed: 2, refused: 2, faults }));
  const found = await Promise.all(
    ['out', 'both', 'in'].map((name) => findContact(t.workspace, t.database, `${name}@example.com`)),
  );
  expect(found.map((contact) => contact?.subscribed)).toEqual([false, false, false]);
  expect(found[1]?.attributes).toEqual({ email: 'both@example.com', Plan: '=1+1' });
  const { data } = await listSuppressions(t.workspace, t.database, {
    ...ALL,
    filters: { reason: 'request', origin: 'import' },
  });
  expect(data.map(({ contact, since }) => [contact.attributes['email'], since])).toEqual([
    ['in@example.com', expect.any(String)],
    ['both@example.com', '2024-05-03T08:30:00.000Z'],
  ]);

  const { run } = first.result() as { run: string };
  const { runs = [] } = await t.rows();
  const kept = (runs as { uuid: string; imported: string }[]).find(({ uuid }) => uuid === run);
  expect(JSON.parse(must(kept).imported)).toMatchObject({ file: 'out.csv', source: 'mailchimp' });
  const undo = (...more: string[]) => t.admin(['undo', run, '--workspace', t.workspace.uuid, ...more]);
  const undone = { restored: 1, resubscribed: 1, left: 0, erased: 0, undone_before: 0, added: 1 };
  expect((await undo('--dry-run', '--json')).result()).toEqual(undone);
  expect((await findContact(t.workspace, t.database, 'in@example.com'))?.subscribed).toBe(false);
  expect(await undo()).toMatchObject({
    code: 0,
    out: 'Undone: 1 contact set back, 1 of them subscribed again.\nContacts that it added stay: 1.\n',
  });
  const after = await Promise.all(
    ['out', 'both', 'in'].map((name) => findContact(t.workspace, t.database, `${name}@example.com`)),
  );
  expect(after.map((contact) => contact?.subscribed)).toEqual([false, false, true]);
  expect(await undo()).toMatchObject({ out: expect.stringContaining('0 of them subscribed again; 1 undone before.') });
  expect(await t.admin(['undo', t.workspace.uuid, '--workspace', t.workspace.uuid])).toMatchObject({
    code: 1,
    err: 'There is no import of contacts with this run.\n',
  });
  expect(await t.admin(['verify', '--workspace', t.workspace.uuid])).toMatchObject({ code: 0 });
});
