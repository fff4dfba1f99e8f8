import { sql } from 'kysely';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWorkspace, listWorkspaces, setSuspended } from '../workspaces/store.ts';
import { openDatabase } from './database.ts';
import { DatabaseFull } from './failures.ts';
import { openTestDatabase, type TestDatabase } from './testDatabase.ts';
import { startProcess, type TestProcess } from './testProcess.ts';

let t: TestDatabase;
let processes: TestProcess[];
beforeEach(async () => {
  t = await openTestDatabase();
  processes = [];
});
afterEach(async () => {
  await Promise.all(processes.map((process) => process.kill()));
  await t[Symbol.asyncDispose]();
});

function start(code: string): TestProcess {
  const process = startProcess(`
    import { openDatabase } from './database.ts';
import { DatabaseFull } from './failures.ts';
    const url = ${JSON.stringify(t.url)};
    ${code}`);
  processes.push(process);
  return process;
}

const rename = (name: string) => async () =>
  t.db.write(null, (trx) => trx.updateTable('workspaces').set({ name }).where('id', '=', t.workspace.id).execute());
const refusal = async (url: string) =>
  openDatabase(url).then(String, (error: Error) => `${error.name}: ${error.message}`);
const nameNow = async () => (await findWorkspace(t.db, t.workspace.uuid))?.name;

describe('the seam', () => {
  test('a write that fails leaves nothing behind, and the next one goes on', async () => {
    await expect(
      t.db.write(null, async (trx) => {
        await trx.updateTable('workspaces').set({ name: 'half done' }).execute();
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await nameNow()).toBe('Acme');
    await rename('Bcme')();
    expect(await nameNow()).toBe('Bcme');
  });

  test('a write for which there is no room is told apart, and leaves nothing behind', async () => {
    const { page_count } = (
      await t.db.write(null, (trx) => sql<{ page_count: number }>`pragma page_count`.execute(trx))
    ).rows[0] as { page_count: number };
    await t.db.write(null, (trx) => sql`pragma max_page_count = ${sql.lit(page_count)}`.execute(trx));
    await expect(rename('x'.repeat(100_000))()).rejects.toThrow(DatabaseFull);
    expect(await nameNow()).toBe('Acme');
    await rename('Bcme')();
    expect(await nameNow()).toBe('Bcme');
  });

  test('a write is refused outside of write', async () => {
    await expect(t.db.kysely.updateTable('workspaces').set({ name: 'x' }).execute()).rejects.toThrow(/readonly/);
    await expect(t.db.read((trx) => trx.deleteFrom('workspaces').execute())).rejects.toThrow(/readonly/);
    expect(await nameNow()).toBe('Acme');
  });

  test('writes run one after the other, each on what the one before left', async () => {
    await Promise.all(
      ['1', '2', '3', '4'].map((letter) =>
        t.db.write(null, async (trx) => {
          const { name } = await trx.selectFrom('workspaces').select('name').executeTakeFirstOrThrow();
          await new Promise(setImmediate);
          await trx
            .updateTable('workspaces')
            .set({ name: name + letter })
            .execute();
        }),
      ),
    );
    expect(await nameNow()).toBe('Acme1234');
  });

  test('reads go on while a write is under way, see none of it before it ends and all of it after', async () => {
    const { promise: finish, resolve } = Promise.withResolvers<void>();
    const writing = t.db.write(null, async (trx) => {
      await trx.updateTable('workspaces').set({ name: 'new' }).execute();
      await finish;
    });
    expect(await nameNow()).toBe('Acme');
    resolve();
    await writing;
    expect(await nameNow()).toBe('new');
  });

  test('several reads in one see one state, whatever is written between them', async () => {
    const names = await t.db.read(async (trx) => {
      const before = await trx.selectFrom('workspaces').select('name').executeTakeFirstOrThrow();
      await rename('new')();
      const after = await trx.selectFrom('workspaces').select('name').executeTakeFirstOrThrow();
      return [before.name, after.name];
    });
    expect(names).toEqual(['Acme', 'Acme']);
    expect(await nameNow()).toBe('new');
  });

  test('a workspace that does not exist owns nothing', async () => {
    const nobody = t.db.write(null, (trx) =>
      trx
        .insertInto('tokens')
        .values({ hash: 'h', workspace_id: 99 as never, uuid: 'u', name: 'n', created_at: 1, revoked_at: null })
        .execute(),
    );
    await expect(nobody).rejects.toThrow(/FOREIGN KEY/);
  });
});

describe('beside other processes', () => {
  test('a second service is refused, the admin command is not, and a killed service leaves no lock', async () => {
    const service = start(
      `await openDatabase(url, { exclusiveService: true }); console.log('open'); setInterval(() => {}, 1e6);`,
    );
    expect(await service.line()).toBe('open');
    await expect(openDatabase(t.url, { exclusiveService: true })).rejects.toThrow(
      /^Another Sendroom service is running on .*test\.db: stop it, /,
    );
    await rename('beside it')();
    expect(await nameNow()).toBe('beside it');

    await service.kill();
    const successor = await openDatabase(t.url, { exclusiveService: true });
    expect(await listWorkspaces(successor)).toHaveLength(2);
    await successor.close();
    await (await openDatabase(t.url, { exclusiveService: true })).close();
  });

  test('while another process writes, reads are answered at once and a write waits its turn', async () => {
    const other = start(`
      const db = await openDatabase(url);
      await db.write(null, async (trx) => {
        await trx.updateTable('workspaces').set({ name: 'theirs' }).execute();
        console.log('writing');
        await new Promise((resolve) => setTimeout(resolve, 300));
      });
      console.log('done');`);
    expect(await other.line()).toBe('writing');
    const order: string[] = [];
    const writing = setSuspended(t.workspace, t.db, true).then(() => order.push('write'));
    order.push(`read ${await nameNow()}`);
    await writing;
    expect(order).toEqual(['read Acme', 'write']);
    expect(await findWorkspace(t.db, t.workspace.uuid)).toMatchObject({ name: 'theirs', suspended: true });
  });

  test('two processes that open a new database at once both succeed', async () => {
    const open = `await openDatabase(url + '-new'); console.log('open');`;
    const [one, other] = [start(open), start(open)];
    expect([await one.line(), await other.line()]).toEqual(['open', 'open']);
  });
});

describe('opening', () => {
  test('neither the data nor its folder is readable by other users', async () => {
    const url = `file:${join(t.folder, 'new', 'deep', 'x.db')}`;
    await (await openDatabase(url)).close();
    const mode = async (path: string) => ((await stat(join(t.folder, path))).mode & 0o777).toString(8);
    expect([await mode('new/deep'), await mode('new/deep/x.db')]).toEqual(['700', '600']);
  });

  test('what cannot be opened is one sentence', async () => {
    await writeFile(join(t.folder, 'text.db'), 'This is not a database. '.repeat(100));
    expect(await refusal(`file:${join(t.folder, 'text.db')}`)).toMatch(
      /^DatabaseUnavailable: The database .*text\.db cannot be opened: file is not a database\.$/,
    );
    expect(await refusal(`file:${t.folder}`)).toMatch(/^DatabaseUnavailable: The database .* cannot be opened: EISDIR/);
    expect(await refusal('postgres://localhost/x')).toMatch(/^DatabaseUnavailable: PostgreSQL is not supported yet/);
    for (const url of ['file:', 'file::memory:', 'file:x.db?mode=ro', 'data/x.db', 'mysql://x']) {
      expect(await refusal(url)).toMatch(/^DatabaseUnavailable: DATABASE_URL must/);
    }
  });

  test('what was acknowledged is on the disk: the write-ahead log is synced at every commit', async () => {
    const file = new DatabaseSync(t.url.slice('file:'.length));
    expect(file.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
    file.close();
    // The level of the writing connection itself can be asked in a write only.
    const { rows } = await t.db.write(null, (trx) =>
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
