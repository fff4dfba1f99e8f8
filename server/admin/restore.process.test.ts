import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../database/openDatabase.ts';
import { migrations } from '../database/migrations/migrations.ts';
import { inviteMember } from '../people/members.ts';
import { createToken } from '../workspaces/store.ts';
import { killServices, startService } from '../testing/testMain.ts';
import { createWriters } from '../testing/testWriters.ts';
import { ndjson, startTestAdmin, type TestAdmin } from '../testing/testAdmin.ts';

let t: TestAdmin;
/** A workspace with a contact that has an event and a change; every test has a copy. */
let original: string;
beforeAll(async () => {
  t = await startTestAdmin();
  const contact = { attributes: { email: 'jane@example.com' } };
  await t.importFile('contacts', await t.file('in.ndjson', ndjson([contact])));
  await t.importFile('contacts', await t.file('in.ndjson', ndjson([{ ...contact, subscribed: false }])));
  const event = { contact: 'jane@example.com', event_name: 'opened', created_at: '2026-11-01T00:00:00Z' };
  await t.importFile('events', await t.file('events.ndjson', ndjson([event])));
  await createToken(t.workspace, t.database, { name: 'support', role: 'support' }, 0);
  await inviteMember(t.workspace, t.database, { email: 'ann@example.com', role: 'read' }, 0);
  original = await t.file('backup.db');
  expect(await t.admin(['backup', original])).toMatchObject({ code: 0, err: '' });
});
afterAll(() => t[Symbol.asyncDispose]());

let backup: string;
let folder: string;
/** In a folder that does not exist yet. */
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-restore-'));
  backup = join(folder, 'backup.db');
  file = join(folder, 'new', 'sendroom.db');
  await copyFile(original, backup);
});
afterEach(async () => {
  killServices();
  await rm(folder, { recursive: true, force: true });
});

const restore = (...args: string[]) => t.admin(['restore', ...args], { url: `file:${file}` });

/** All rows of a closed file. */
function rowsOf(path: string): Record<string, unknown[]> {
  const database = new DatabaseSync(pathToFileURL(path).href + '?immutable=1', { readOnly: true });
  const names = database.prepare(`select name from sqlite_schema where type = 'table' order by name`).all();
  const rows = names.map(({ name }) => [name, database.prepare(`select * from ${String(name)}`).all()]);
  database.close();
  return Object.fromEntries(rows) as Record<string, unknown[]>;
}

test('a backup becomes the database of a new service, with every row of every table', async () => {
  const said = await restore(backup);
  expect(said).toMatchObject({ code: 0, err: '', out: `${backup} is whole (workspaces: 1) and is now ${file}.\n` });
  expect(rowsOf(file)).toEqual(rowsOf(backup));
  expect(await readdir(join(folder, 'new'))).toEqual(['sendroom.db', 'sendroom.db-service']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const service = await startService(`file:${file}`);
  expect((await fetch(`${service.address}/readyz`)).status).toBe(200);
});

test('a backup is checked beside a service that runs, and everything stays as it is', async () => {
  const before = readFileSync(backup);
  const files = await readdir(join(t.url.slice('file:'.length), '..'));
  const said = await t.admin(['restore', '--verify', backup, '--json']);
  expect(said.result()).toEqual({ workspaces: 1 });
  expect(said.code).toBe(0);
  expect(readFileSync(backup).equals(before)).toBe(true);
  expect(await readdir(join(t.url.slice('file:'.length), '..'))).toEqual(files);
});

test('another backup that is checked meanwhile does not come in the place of the one that is restored', async () => {
  const other = join(folder, 'other.db');
  await copyFile(original, other);
  change(other, `update workspaces set name = 'Other'`);
  for (let round = 0; round < 3; round++) {
    const said = await Promise.all([
      restore('--replace', backup),
      restore('--verify', other),
      restore('--verify', other),
    ]);
    expect(said).toMatchObject(said.map(() => ({ code: 0, err: '' })));
    expect(rowsOf(file)['workspaces']).toEqual(rowsOf(backup)['workspaces']);
    await rm(join(file, '..'), { recursive: true });
  }
});

test('a folder in which everybody can replace the database is refused', async () => {
  await mkdir(join(file, '..'));
  await chmod(join(file, '..'), 0o777);
  expect(await restore(backup)).toMatchObject({ code: 1, err: expect.stringContaining('take that from them') });
  expect(await readdir(join(file, '..'))).toEqual([]);
});

test('a database that is there is put aside when that is said, with the writes that were in its log only', async () => {
  const url = `file:${file}`;
  const { writers } = await createWriters(url, 1);
  const service = await startService(url);
  writers.start([service.address]);
  await writers.waitForWrites(20);
  expect(await restore('--replace', backup)).toMatchObject({ code: 1, err: expect.stringContaining('stop it') });
  await service.kill();
  await writers.stop();
  const log = readFileSync(`${file}-wal`);
  expect(log.length).toBeGreaterThan(0);
  expect(await restore(backup)).toMatchObject({
    code: 1,
    err: `There is a database at ${file}: say --replace to put it aside.\n`,
  });
  expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);

  const said = await restore('--replace', backup, '--json');
  const { replaced } = said.result() as { replaced: string };
  expect(rowsOf(file)).toEqual(rowsOf(backup));
  const old = await startService(`file:${replaced}`);
  expect(await writers.compare(old.address)).toMatchObject({ faults: [], found: writers.acknowledged });
});

test('a backup of an older schema is brought up to date', async () => {
  const old = join(folder, 'old.db');
  const database = await openDatabase(`file:${old}`, { steps: migrations.slice(0, 5) });
  await database.close();
  expect(await restore(old)).toMatchObject({ code: 0, err: '' });
  expect(rowsOf(file)['schema_versions']).toHaveLength(migrations.length);
  expect(rowsOf(old)['schema_versions']).toHaveLength(5);
});

/** Writes also what SQLite itself would not allow. */
const change = (path: string, sql: string) => {
  const database = new DatabaseSync(path, { defensive: false });
  database.exec(`pragma journal_mode = delete; ${sql}`);
  database.close();
};

/** Deletes the log in spite of its triggers. */
const WITHOUT_LOG = `drop trigger changes_refuse_delete; delete from changes;
  create trigger "changes_refuse_delete" before delete on changes begin
    select raise(abort, 'The log is append-only.'); end`;

test.for<[what: string, spoil: (path: string) => unknown, sentence: RegExp]>([
  ['has a page that was overwritten', (path) => overwrite(path, 8192), /is not whole: .+\.$/],
  ['was cut off', (path) => truncate(path, 20_000), /is not whole: .+\.$/],
  ['is something else', (path) => overwrite(path, 0), /is not whole: file is not a database\.$/],
  [
    'is a database of something else',
    (path) => change(path, 'drop table schema_versions'),
    /is no database of Sendroom\.$/,
  ],
  ['is of a newer version', (path) => change(path, 'insert into schema_versions values (999, 1)'), /^A newer version /],
  ['has a wrong counter', (path) => change(path, 'update contacts set event_count = 7'), /is wrong in 1 ways\.$/],
  ['lacks the log of a contact', (path) => change(path, WITHOUT_LOG), /is wrong in \d ways\.$/],
  ['has a write-ahead log', (path) => copyFile(path, `${path}-wal`), /is no backup: there is a log beside it/],
  ['is not there', (path) => rm(path), /^There is no file /],
  // An empty pipe: reading it would take forever.
  ['is a pipe', (path) => (rmSync(path), execFileSync('mkfifo', [path])), / is no file\.$/],
])('a backup that %s is refused in a sentence, and nothing is touched', async ([, spoil, sentence]) => {
  await mkdir(join(file, '..'));
  await copyFile(original, file);
  const before = readFileSync(file);
  await spoil(backup);
  for (const option of ['--verify', '--replace']) {
    const { code, err } = await restore(option, backup);
    expect(code).toBe(1);
    expect(err.trimEnd().split('\n').at(-1)).toMatch(sentence);
  }
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(await readdir(join(folder, 'new'))).toEqual(['sendroom.db', 'sendroom.db-service']);
});

const TRIGGER = `create trigger sneaky after update of subscribed on contacts when new.subscribed = 0 begin
  update contacts set subscribed = 1 where workspace_id = new.workspace_id and id = new.id; end`;
const OTHER_COLUMN = `pragma writable_schema = on;
  update sqlite_schema set sql = replace(sql, 'default 1', 'default 2') where name = 'workspaces'`;

const holds = (column: string, table: string) =>
  `The column ${column} of ${table} holds what Sendroom never writes, in rows: 1.`;

test.for<[what: string, sql: string, ...faults: string[]]>([
  ['a trigger', TRIGGER, 'The trigger sneaky is none of Sendroom.'],
  ['a view', 'create view every as select * from contacts', 'The view every is none of Sendroom.'],
  ['another table', 'create table extra (x)', 'The table extra is none of Sendroom.'],
  ['no index of a list', 'drop index contacts_by_email', 'The index contacts_by_email is missing.'],
  ['a table that is made otherwise', OTHER_COLUMN, 'The table workspaces is another than that of Sendroom.'],
  [
    'no version in the table of versions',
    'drop table schema_versions; create table schema_versions (x); insert into schema_versions values (1)',
  ],
  [
    'times after the end of the calendar',
    'update contacts set updated_at = 9e15; update tokens set created_at = 9e15; update workspaces set created_at = 253402300800000',
    holds('created_at', 'workspaces'),
    holds('updated_at', 'contacts'),
  ],
  ...[
    ['tokens', 'role', `'root'`],
    ['members', 'role', `'ingest'`],
    ['members', 'source', `''`],
    ['identities', 'kind', `'other'`],
    ['workspaces', 'suspended', '5'],
    ['workspaces', 'mark', '-1'],
    ['workspaces', 'next_contact_id', '-1'],
    ['contacts', 'uuid', `'garbage'`],
    ['contacts', 'uuid', 'upper(uuid)'],
    ['events', 'uuid', `uuid || '0'`],
    ['contacts', 'attributes', `'not json'`],
    ['events', 'attributes', `'[]'`],
    ['change_values', 'changes', `case number when 1 then '7' else changes end`],
    ['contacts', 'created_at', `'abc'`],
  ].map(([table = '', column = '', value]): [string, string, string] => [
    `${value} as ${column} in ${table}`,
    `update ${table} set ${column} = ${value}`,
    holds(column, table),
  ]),
])('a backup that has %s is refused, and what is wrong is named', async ([, sql, ...faults]) => {
  change(backup, sql);
  const { code, err } = await restore('--verify', backup);
  const lines = err.trimEnd().split('\n');
  expect(code).toBe(1);
  expect(lines.pop()).toMatch(/(is wrong in \d ways|is no database of Sendroom)\.$/);
  expect(lines).toEqual(expect.arrayContaining(faults));
  expect(lines.filter((line) => /^ +at /.test(line))).toEqual([]);
});

test('statistics that somebody had gathered for the planner do not make a backup another one', async () => {
  change(backup, 'analyze');
  expect(await restore('--verify', backup)).toMatchObject({ code: 0, err: '' });
});

async function overwrite(path: string, at: number): Promise<void> {
  await using handle = await open(path, 'r+');
  await handle.write(Buffer.alloc(4096, 0xff), 0, 4096, at);
}
