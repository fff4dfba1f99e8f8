import { sql } from 'kysely';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createToken, findWorkspace, listWorkspaces } from '../../workspaces/store.ts';
import { openDatabase } from '../openDatabase.ts';
import type { Workspace } from '../workspace.ts';
import { DatabaseBusyError, DatabaseFullError } from '../databaseErrors.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';

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

test('a write for which there is no room has an error of its own, and leaves nothing behind', async () => {
  const { page_count } = (
    await t.db.unscoped.write((trx) => sql<{ page_count: number }>`pragma page_count`.execute(trx))
  ).rows[0] as { page_count: number };
  await t.db.unscoped.write((trx) => sql`pragma max_page_count = ${sql.lit(page_count)}`.execute(trx));
  await expect(rename('x'.repeat(100_000))()).rejects.toThrow(DatabaseFullError);
  expect(await nameNow()).toBe('Acme');
  await rename('Bcme')();
  expect(await nameNow()).toBe('Bcme');
});

test('a second service is refused until the first has ended, and the admin command is not', async () => {
  const service = await openDatabase(t.url, { isService: true });
  await expect(openDatabase(t.url, { isService: true })).rejects.toThrow(
    /^Another Sendroom service is running on .*test\.db: stop it, /,
  );
  await rename('by the command')();
  expect(await nameNow()).toBe('by the command');
  await service.close();
  await (await openDatabase(t.url, { isService: true })).close();
});

test('writes that wait for another process are all given up when their own time is over, and none of them was begun', async () => {
  using other = new DatabaseSync(t.url.slice('file:'.length));
  other.exec('begin immediate');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const busy = ['1', '2', '3'].map((name) => expect(rename(name)()).rejects.toThrow(DatabaseBusyError));
  vi.advanceTimersByTime(10_000);
  await Promise.all(busy);
  other.exec('rollback');
  expect(await nameNow()).toBe('Acme');
  await rename('Bcme')();
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

test('between writes that take long the event loop turns, and another workspace comes in between', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  // The clock of the test begins at 0, behind that of the writes before it.
  vi.advanceTimersByTime(1_000_000);
  let turn = 0;
  let next = setImmediate(function count() {
    turn++;
    next = setImmediate(count);
  });
  const began: [name: string, turn: number][] = [];
  const write = (workspace: Workspace, name: string) =>
    t.db.write(workspace, () => {
      vi.advanceTimersByTime(10);
      return Promise.resolve(void began.push([name, turn]));
    });
  const { workspace, otherWorkspace } = t;
  await Promise.all([...['1', '2', '3'].map((name) => write(workspace, name)), write(otherWorkspace, 'other')]);
  clearImmediate(next);
  expect(began.map(([name]) => name)).toEqual(['1', 'other', '2', '3']);
  expect(new Set(began.map(([, at]) => at)).size).toBe(4);
});

test('a backup is whole although writes go on, opens as a database, and overwrites nothing', async () => {
  const target = join(t.folder, 'copy.db');
  const writes = Array.from({ length: 20 }, (_, index) => rename(`name ${index}`)());
  await Promise.all([t.db.backup(target), ...writes]);
  const copy = await openDatabase(`file:${target}`);
  const names = (await listWorkspaces(copy)).map(({ name }) => name);
  expect(names).toEqual([expect.stringMatching(/^(Acme|name \d+)$/), 'Acme']);
  await copy.close();
  expect((await stat(target)).mode & 0o777).toBe(0o600);
  await expect(t.db.backup(target)).rejects.toThrow(/exists already/);
});

test('no file of the database holds a token', async () => {
  const { token } = await createToken(t.workspace, t.db, { name: 'ci', role: 'admin' }, NOW);
  const path = t.url.slice('file:'.length);
  const files = Buffer.concat([await readFile(path), await readFile(`${path}-wal`)]).toString('latin1');
  expect(files).toContain(t.workspace.uuid);
  expect(files).not.toContain(token.slice(3, 43));
});
