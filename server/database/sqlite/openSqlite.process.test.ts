import { sql } from 'kysely';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createToken, findWorkspace, listWorkspaces } from '../../workspaces/store.ts';
import { openDatabase } from '../openDatabase.ts';
import { DatabaseFullError } from '../databaseErrors.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { startProcess } from '../../testing/testProcess.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const rename = (name: string) => async () =>
  t.db.unscoped.write((trx) => trx.updateTable('workspaces').set({ name }).where('id', '=', t.workspace.id).execute());
const refusal = async (url: string) =>
  openDatabase(url).then(String, (error: Error) => `${error.name}: ${error.message}`);
const nameNow = async () => (await findWorkspace(t.db, t.workspace.uuid))?.name;

test('a write for which there is no room is told apart, and leaves nothing behind', async () => {
  const { page_count } = (
    await t.db.unscoped.write((trx) => sql<{ page_count: number }>`pragma page_count`.execute(trx))
  ).rows[0] as { page_count: number };
  await t.db.unscoped.write((trx) => sql`pragma max_page_count = ${sql.lit(page_count)}`.execute(trx));
  await expect(rename('x'.repeat(100_000))()).rejects.toThrow(DatabaseFullError);
  expect(await nameNow()).toBe('Acme');
  await rename('Bcme')();
  expect(await nameNow()).toBe('Bcme');
});

test('a second service is refused, the admin command is not, and a killed service leaves no lock', async () => {
  const service = startProcess(
    import.meta.dirname,
    `
    import { openDatabase } from '../openDatabase.ts';
    await openDatabase(${JSON.stringify(t.url)}, { isService: true });
    console.log('open');
    setInterval(() => {}, 1e6);`,
  );
  expect(await service.line()).toBe('open');
  await expect(openDatabase(t.url, { isService: true })).rejects.toThrow(
    /^Another Sendroom service is running on .*test\.db: stop it, /,
  );
  await rename('beside it')();
  expect(await nameNow()).toBe('beside it');

  await service.kill();
  const successor = await openDatabase(t.url, { isService: true });
  expect(await listWorkspaces(successor)).toHaveLength(2);
  await successor.close();
  await (await openDatabase(t.url, { isService: true })).close();
});

test('two processes that open a new database at once both succeed', async () => {
  const url = `file:${join(t.folder, 'another.db')}`;
  const start = () =>
    startProcess(
      import.meta.dirname,
      `
    import { openDatabase } from '../openDatabase.ts';
    await (await openDatabase(${JSON.stringify(url)})).close();
    console.log('open');`,
    );
  const [one, other] = [start(), start()];
  expect([await one.line(), await other.line()]).toEqual(['open', 'open']);
});

describe('opening', () => {
  test('neither the data nor its folder is readable by other users', async () => {
    const url = `file:${join(t.folder, 'new', 'deep', 'x.db')}`;
    await (await openDatabase(url)).close();
    const mode = async (path: string) => ((await stat(join(t.folder, path))).mode & 0o777).toString(8);
    expect([await mode('new/deep'), await mode('new/deep/x.db')]).toEqual(['700', '600']);
  });

  test('what cannot be opened is one sentence', async () => {
    await writeFile(join(t.folder, 'text.db'), 'This is not a database. '.repeat(100), { mode: 0o600 });
    expect(await refusal(`file:${join(t.folder, 'text.db')}`)).toMatch(
      /^DatabaseUnavailableError: The database .*text\.db cannot be opened: file is not a database\.$/,
    );
    expect(await refusal(`file:${t.folder}`)).toMatch(
      /^DatabaseUnavailableError: The database .* cannot be opened: EISDIR/,
    );
    for (const url of ['file:', 'file::memory:', 'file:x.db?mode=ro', 'data/x.db', 'mysql://x']) {
      expect(await refusal(url)).toMatch(/^DatabaseUnavailableError: DATABASE_URL must/);
    }
  });

  test('what was acknowledged is on the disk: the write-ahead log is synced at every commit', async () => {
    const file = new DatabaseSync(t.url.slice('file:'.length));
    expect(file.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
    file.close();
    // The level of the writing connection itself can be asked in a write only.
    const { rows } = await t.db.unscoped.write((trx) =>
      trx.executeQuery({
        ...trx.selectFrom('workspaces').select('id').compile(),
        sql: 'pragma synchronous',
        parameters: [],
      }),
    );
    expect(rows).toEqual([{ synchronous: 2 }]);
  });
});

describe('backup', () => {
  test('is whole although writes go on, and opens as a database', async () => {
    const target = join(t.folder, 'copy.db');
    const writes = Array.from({ length: 20 }, (_, index) => rename(`name ${index}`)());
    await Promise.all([t.db.backup(target), ...writes]);
    const copy = await openDatabase(`file:${target}`);
    const names = (await listWorkspaces(copy)).map(({ name }) => name);
    expect(names).toEqual([expect.stringMatching(/^(Acme|name \d+)$/), 'Acme']);
    await copy.close();
    expect((await stat(target)).mode & 0o777).toBe(0o600);
  });

  test('overwrites nothing', async () => {
    const target = join(t.folder, 'precious');
    await writeFile(target, 'precious');
    await expect(t.db.backup(target)).rejects.toThrow(/exists already/);
  });
});

test('no file of the database holds a token', async () => {
  const { token } = await createToken(t.workspace, t.db, { name: 'ci', role: 'admin' }, NOW);
  const path = t.url.slice('file:'.length);
  const files = Buffer.concat([await readFile(path), await readFile(`${path}-wal`)]).toString('latin1');
  expect(files).toContain(t.workspace.uuid);
  expect(files).not.toContain(token.slice(3, 43));
});
