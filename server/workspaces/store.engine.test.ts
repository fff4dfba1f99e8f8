import { randomUUID } from 'node:crypto';
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import type { Database } from '../database/database.ts';
import { insertRows } from '../database/insertRows.ts';
import { Scope } from '../database/scope.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { openDatabase } from '../database/openDatabase.ts';
import {
  createToken,
  createWorkspace,
  findPrincipal,
  findPrincipalByTokenUuid,
  findWorkspace,
  readAllTokens,
  listTokens,
  listWorkspaces,
  revokeToken,
  TOKENS_MAX,
  TooManyTokensError,
} from './store.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

test('a workspace is found by its uuid in any letter casing, and listed in the order of making', async () => {
  const third = await createWorkspace(t.db, { name: '<b>', identity_field: null }, NOW + 2);
  expect(await findWorkspace(t.db, third.uuid.toUpperCase())).toEqual(third);
  expect(await findWorkspace(t.db, '1')).toBeNull();
  expect(await listWorkspaces(t.db)).toEqual([t.workspace, t.otherWorkspace, third]);
});

test('a token opens its workspace and no other, by itself and by its uuid', async () => {
  const { uuid, token } = await createToken(t.workspace, t.db, { name: 'ci', role: 'admin' }, NOW);
  const access = {
    workspace: t.workspace,
    token: { uuid, name: 'ci' },
    role: 'admin',
    used_at: null,
  };
  expect(await findPrincipal(t.db, token, NOW)).toEqual(access);
  expect(await findPrincipalByTokenUuid(t.db, t.workspace.id, uuid, NOW)).toEqual(access);
  expect(await findPrincipalByTokenUuid(t.db, t.otherWorkspace.id, uuid, NOW)).toBeNull();
  expect(await readAllTokens(t.otherWorkspace, t.db)).toEqual([]);
});

test('a revoked token opens nothing from the next request on; only its own workspace can revoke it', async () => {
  const { uuid, token } = await createToken(t.workspace, t.db, { name: 'ci', role: 'admin' }, NOW);
  const { token: kept } = await createToken(t.workspace, t.db, { name: 'kept', role: 'admin' }, NOW + 1);
  expect(await revokeToken(t.otherWorkspace, t.db, uuid, NOW + 5)).toBe(false);
  expect(await findPrincipal(t.db, token, NOW)).not.toBeNull();

  expect(await revokeToken(t.workspace, t.db, uuid.toUpperCase(), NOW + 5)).toBe(true);
  expect(await findPrincipal(t.db, token, NOW)).toBeNull();
  expect(await findPrincipalByTokenUuid(t.db, t.workspace.id, uuid, NOW)).toBeNull();
  expect(await findPrincipal(t.db, kept, NOW)).not.toBeNull();

  expect(await revokeToken(t.workspace, t.db, uuid, NOW + 9)).toBe(true);
  const unused = { role: 'admin', expires_at: null, used_at: null };
  expect(await readAllTokens(t.workspace, t.db)).toEqual([
    { uuid, name: 'ci', ...unused, created_at: NOW, revoked_at: NOW + 5 },
    { uuid: expect.any(String), name: 'kept', ...unused, created_at: NOW + 1, revoked_at: null },
  ]);
});

test('what this connection or another one commits is seen by the very next call', async () => {
  const newToken = () => createToken(t.workspace, t.db, { name: 'ci', role: 'admin' }, NOW);
  const find = (token: string) => findPrincipal(t.db, token, NOW);
  const [mine, theirs] = [await newToken(), await newToken()];
  for (const { token, uuid } of [mine, theirs]) expect(await find(token)).toMatchObject({ token: { uuid } });
  await revokeToken(t.workspace, t.db, mine.uuid, NOW);
  expect(await find(mine.token)).toBeNull();
  expect(await find(theirs.token)).not.toBeNull();

  const other = await openDatabase(t.url);
  await revokeToken(t.workspace, other, theirs.uuid, NOW);
  await other.close();
  expect(await find(theirs.token)).toBeNull();
});

test('a workspace has a thousand tokens that are accepted, and a page of them is found by the database', async () => {
  const rows = Array.from({ length: TOKENS_MAX }, (_, index) => ({
    workspace_id: t.workspace.id,
    hash: `hash ${index}`,
    uuid: randomUUID(),
    name: `Minted Ö${index}`,
    role: 'read' as const,
    created_at: NOW + index,
    expires_at: null,
    revoked_at: null,
  }));
  await t.db.unscoped.write((trx) => insertRows(trx, 'tokens', rows));
  const create = () => createToken(t.workspace, t.db, { name: 'one more', role: 'read' }, NOW);
  await expect(create()).rejects.toThrow(TooManyTokensError);
  await createToken(t.otherWorkspace, t.db, { name: 'theirs', role: 'read' }, NOW);
  await revokeToken(t.workspace, t.db, must(rows[999]).uuid, NOW);
  await create();
  /** How many rows each statement gives. */
  const given: number[] = [];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      given.push(result.rows.length);
      return Promise.resolve(result);
    },
  };
  const db: Database = {
    ...t.db,
    read: (workspace, work, options) =>
      t.db.read(workspace, (scope) => work(new Scope(workspace, scope.kysely.withPlugin(counting))), options),
  };
  const list = async (search: string, page: number) => {
    const query = { search, page, per_page: 100, sorting: [], filters: {} };
    const { data, meta } = await listTokens(t.workspace, db, query, NOW);
    return [data.map(({ name }) => name), meta.total] as const;
  };
  // Accepted ones first, the newest of them first; of the same time by their UUIDs.
  expect((await list('', 1))[0][0]).toBe('Minted Ö998');
  // The number of all, and a page.
  expect(given).toEqual([1, 100]);
  expect(await list('', 11)).toEqual([['Minted Ö999'], 1001]);
  expect(await list('minted ö99', 1)).toEqual([
    [...Array.from({ length: 9 }, (_, index) => `Minted Ö${998 - index}`), 'Minted Ö99', 'Minted Ö999'],
    11,
  ]);
  expect(await list('nothing', 1)).toEqual([[], 0]);
});
