import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWorkspace, setSuspended } from '../workspaces/store.ts';
import { openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { openDatabase } from './openDatabase.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const rename = (name: string) => async () =>
  t.db.unscoped.write((trx) => trx.updateTable('workspaces').set({ name }).where('id', '=', t.workspace.id).execute());
const nameNow = async () => (await findWorkspace(t.db, t.workspace.uuid))?.name;

const append = (letter: string, isBroken = false) =>
  t.db.write(t.workspace, async ({ kysely: trx }) => {
    const { name } = await trx.selectFrom('workspaces').select('name').executeTakeFirstOrThrow();
    await trx
      .updateTable('workspaces')
      .set({ name: name + letter })
      .execute();
    if (isBroken)
      await trx
        .updateTable('workspaces')
        .set({ name: null as never })
        .execute();
  });

/** Its first statement fails, and its second one is sent before that is known. */
const failEarly = () =>
  t.db.write(t.workspace, async ({ kysely: trx }) => {
    const sent = trx
      .updateTable('workspaces')
      .set({ name: null as never })
      .execute();
    sent.catch(() => {});
    await trx.selectFrom('workspaces').select('name').execute();
    await sent;
  });

describe('the seam', () => {
  test('a write that fails leaves nothing behind, and the next one goes on', async () => {
    await expect(
      t.db.unscoped.write(async (trx) => {
        await trx.updateTable('workspaces').set({ name: 'half done' }).execute();
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await nameNow()).toBe('Acme');
    await rename('Bcme')();
    expect(await nameNow()).toBe('Bcme');
  });

  test('a write is refused outside of write', async () => {
    await expect(t.db.unscoped.kysely.updateTable('workspaces').set({ name: 'x' }).execute()).rejects.toThrow(
      /read-?only/,
    );
    await expect(t.db.unscoped.read((trx) => trx.deleteFrom('workspaces').execute())).rejects.toThrow(/read-?only/);
    expect(await nameNow()).toBe('Acme');
  });

  test('writes of a workspace run one after the other, each on what the one before left', async () => {
    await Promise.all(
      ['1', '2', '3', '4'].map((letter) =>
        t.db.write(t.workspace, async ({ kysely: trx }) => {
          const { name } = await trx.selectFrom('workspaces').select('name').executeTakeFirstOrThrow();
          await new Promise(setImmediate);
          await trx
            .updateTable('workspaces')
            .set({ name: name + letter })
            .execute();
        }),
      ),
    );
    expect((await nameNow())?.split('').toSorted().join('')).toBe('1234Acem');
  });

  test('of writes that wait for each other one that fails leaves nothing behind, and the others are kept', async () => {
    const first = append('1');
    const outcomes = await Promise.allSettled([first, append('2'), append('3', true), append('4')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await nameNow()).toBe('Acme124');
  });

  test('a write whose statements are sent together fails with the error of the first that failed', async () => {
    const outcomes = await Promise.allSettled([failEarly(), failEarly(), failEarly()]);
    const reasons = outcomes.map((one) => (one.status === 'rejected' ? String(one.reason) : 'written'));
    expect(reasons.filter((reason) => !/not.null/i.test(reason))).toEqual([]);
  });

  test('reads go on while a write is under way, see none of it before it ends and all of it after', async () => {
    const { promise: finish, resolve } = Promise.withResolvers<void>();
    const writing = t.db.unscoped.write(async (trx) => {
      await trx.updateTable('workspaces').set({ name: 'new' }).execute();
      await finish;
    });
    expect(await nameNow()).toBe('Acme');
    resolve();
    await writing;
    expect(await nameNow()).toBe('new');
  });

  test('several reads in one see one state, whatever is written between them', async () => {
    const names = await t.db.unscoped.read(async (trx) => {
      const before = await trx.selectFrom('workspaces').select('name').executeTakeFirstOrThrow();
      await rename('new')();
      const after = await trx.selectFrom('workspaces').select('name').executeTakeFirstOrThrow();
      return [before.name, after.name];
    });
    expect(names).toEqual(['Acme', 'Acme']);
    expect(await nameNow()).toBe('new');
  });

  test('a workspace that does not exist owns nothing', async () => {
    const nobody = t.db.unscoped.write((trx) =>
      trx
        .insertInto('tokens')
        .values({ hash: 'h', workspace_id: 99 as never, uuid: 'u', name: 'n', created_at: 1, revoked_at: null })
        .execute(),
    );
    await expect(nobody).rejects.toThrow(/foreign key/i);
  });
});

test('while another connection writes, reads are answered at once and a write waits its turn', async () => {
  const other = await openDatabase(t.url);
  const order: string[] = [];
  let writing: Promise<unknown> | undefined;
  await other.unscoped.write(async (trx) => {
    await trx.updateTable('workspaces').set({ name: 'theirs' }).execute();
    writing = setSuspended(t.workspace, t.db, true).then(() => order.push('write'));
    order.push(`read ${await nameNow()}`);
  });
  await writing;
  expect(order).toEqual(['read Acme', 'write']);
  expect(await findWorkspace(t.db, t.workspace.uuid)).toMatchObject({ name: 'theirs', suspended: true });
  await other.close();
});
