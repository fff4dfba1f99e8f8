import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, open, readdir, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { killServices, startService } from '../../../testing/processes/testMain.ts';
import { createWriters } from '../../../testing/testWriters.ts';
import { ndjson, startTestAdmin, type TestAdmin } from '../../../testing/processes/testAdmin.ts';

let t: TestAdmin;
/** A workspace with a contact; every test has a copy. */
let original: string;
beforeAll(async () => {
  t = await startTestAdmin();
  const contact = { attributes: { email: 'jane@example.com' } };
  await t.importFile('contacts', await t.file('in.ndjson', ndjson([contact])));
  original = await t.file('backup.db');
  expect(await t.admin(['backup', original])).toMatchObject({ code: 0, err: '' });
});
afterAll(() => t[Symbol.asyncDispose]());

let backup: string;
let folder: string;
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

function rowsOf(path: string): Record<string, unknown[]> {
  const database = new DatabaseSync(pathToFileURL(path).href + '?immutable=1', { readOnly: true });
  const names = database.prepare(`select name from sqlite_schema where type = 'table' order by name`).all();
  const rows = names.map(({ name }) => [name, database.prepare(`select * from ${String(name)}`).all()]);
  database.close();
  return Object.fromEntries(rows) as Record<string, unknown[]>;
}

test('a backup becomes the database of a new service, with every row of every table', async () => {
  const said = await restore(backup);
  expect(said).toMatchObject({ code: 0, err: '', out: `${backup} is intact (workspaces: 1) and is now ${file}.\n` });
  expect(rowsOf(file)).toEqual(rowsOf(backup));
  expect(await readdir(join(folder, 'new'))).toEqual(['sendroom.db', 'sendroom.db-service']);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const service = await startService(`file:${file}`);
  expect((await fetch(`${service.address}/readyz`)).status).toBe(200);
});

test('a backup is checked while the service runs, and nothing changes', async () => {
  const before = readFileSync(backup);
  const files = await readdir(join(t.url.slice('file:'.length), '..'));
  const said = await t.admin(['restore', '--verify', backup, '--json']);
  expect(said.result()).toEqual({ workspaces: 1 });
  expect(said.code).toBe(0);
  expect(readFileSync(backup).equals(before)).toBe(true);
  expect(await readdir(join(t.url.slice('file:'.length), '..'))).toEqual(files);
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
    err: `A database exists at ${file}. Add --replace to keep it under another name.\n`,
  });
  expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);

  const said = await restore('--replace', backup, '--json');
  const { replaced } = said.result() as { replaced: string };
  expect(rowsOf(file)).toEqual(rowsOf(backup));
  const old = await startService(`file:${replaced}`);
  expect(await writers.compare(old.address)).toMatchObject({ faults: [], found: writers.acknowledged });
});

/** Writes also what SQLite itself would not allow. */
const change = (path: string, sql: string) => {
  const database = new DatabaseSync(path, { defensive: false });
  database.exec(`pragma journal_mode = delete; ${sql}`);
  database.close();
};

test.for<[what: string, spoil: (path: string) => unknown, sentence: RegExp]>([
  ['has a page that was overwritten', (path) => overwrite(path, 8192), /is damaged: .+\.$/],
  ['was cut off', (path) => truncate(path, 20_000), /is damaged: .+\.$/],
  ['is something else', (path) => overwrite(path, 0), /is damaged: file is not a database\.$/],
  [
    'is a database of something else',
    (path) => change(path, 'drop table schema_versions'),
    /isn't a Sendroom database\.$/,
  ],
  [
    'is of a newer version',
    (path) => change(path, 'insert into schema_versions values (999, 1)'),
    /was written by a newer version /,
  ],
  ['has a wrong counter', (path) => change(path, 'update contacts set change_count = 7'), /has errors: 1\.$/],
  [
    'has a trigger',
    (path) => change(path, 'create trigger sneaky after insert on tokens begin select 1; end'),
    /has errors: 1\.$/,
  ],
  ['has a write-ahead log', (path) => copyFile(path, `${path}-wal`), /isn't a backup: its last writes are in the log/],
  ['is not there', (path) => rm(path), /^There is no file /],
  ['is a folder', (path) => (rmSync(path), mkdir(path)), / isn't a file\.$/],
  // An empty pipe: reading it would take forever.
  ['is a pipe', (path) => (rmSync(path), execFileSync('mkfifo', [path])), / isn't a file\.$/],
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

async function overwrite(path: string, at: number): Promise<void> {
  await using handle = await open(path, 'r+');
  await handle.write(Buffer.alloc(4096, 0xff), 0, 4096, at);
}
