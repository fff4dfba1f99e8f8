import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../.ci/programs/postgres.ts';
import { killServices, startMain } from '../../testing/testMain.ts';
import { NOW } from '../../testing/testDatabase.ts';
import { hashToken, newToken } from '../../workspaces/token.ts';
import { createWorkspace, findPrincipal } from '../../workspaces/store.ts';
import { migrations } from '../migrations/migrations.ts';
import { openDatabase } from '../openDatabase.ts';

/** Steps of the schema before row-level security. */
const BEFORE_POLICIES = 8;

describe('a database that others use', () => {
  let server: PostgresServer;
  const token = newToken();
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(async () => {
    killServices();
    await server.stop();
  });

  test('is not given row-level security while a process runs that would find nothing then', async () => {
    const older = await openDatabase(server.url, { steps: migrations.slice(0, BEFORE_POLICIES) });
    const workspace = await createWorkspace(older, { name: 'Acme', identity_field: null }, NOW);
    const stored = { hash: hashToken(token), uuid: randomUUID(), name: 'support', created_at: NOW, revoked_at: null };
    await older.unscoped.write((trx) =>
      trx
        .insertInto('tokens')
        .values({ ...stored, workspace_id: workspace.id })
        .execute(),
    );
    await expect(openDatabase(server.url)).rejects.toThrow(
      /^Other processes use this database, with \d+ connections, .* stop all of them, then start this version\.$/,
    );
    expect(await older.unscoped.kysely.selectFrom('tokens').select('name').execute()).toEqual([{ name: 'support' }]);
    await older.close();
    const newer = await openDatabase(server.url);
    expect(await findPrincipal(newer, token, NOW)).toMatchObject({
      workspace: { uuid: workspace.uuid },
      role: 'admin',
    });
    await newer.close();
  });

  test('by a role for which policies do not hold is served, and the log says so', async () => {
    const bypassed = /"level":"warn".*Row-level security does not hold for the role of this service/;
    const ordinary = startMain({ DATABASE_URL: server.url });
    await ordinary.address;
    await ordinary.stop();
    expect(ordinary.stderr()).not.toMatch(bypassed);
    const superuser = startMain({ DATABASE_URL: server.superuserUrl });
    await superuser.address;
    await superuser.stop();
    expect(superuser.stderr()).toMatch(bypassed);
  });

  test('and locked for longer than a statement may take answers 503, also to statements sent behind the one that fails', async () => {
    const url = new URL(server.url);
    url.searchParams.set('options', '-c statement_timeout=300');
    const service = startMain({ DATABASE_URL: url.href, DNS_RECHECK: 'off' });
    const list = `${await service.address}/v1/contacts?per_page=1`;
    const owner = new Client({ connectionString: server.url });
    await owner.connect();
    await owner.query('begin; lock tokens in access exclusive mode');
    const statusOfList = async () => (await fetch(list, { headers: { authorization: `Bearer ${token}` } })).status;
    const statuses = await Promise.all(Array.from({ length: 5 }, statusOfList));
    const unsubscribe = new URL(`/v1/workspaces/${randomUUID()}/contacts/${randomUUID()}/unsubscribe`, list);
    const written = await fetch(unsubscribe, { method: 'POST', headers: { authorization: `Bearer ${token}` } });
    expect(await written.json()).toMatchObject({
      status: 503,
      detail: 'The database took too long over this. Nothing was changed; try again.',
    });
    await owner.end();
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect(await statusOfList()).toBe(200);
    await service.stop();
  });

  test('and locked while a service starts is waited for by requests, and does not end the service', async () => {
    const owner = new Client({ connectionString: server.url });
    await owner.connect();
    await owner.query('create database demo');
    await owner.end();
    const url = new URL(server.url);
    url.pathname = 'demo';
    const first = startMain({ DATABASE_URL: url.href, DNS_RECHECK: 'off' });
    await first.address;
    await first.stop();
    const other = new Client({ connectionString: url.href });
    await other.connect();
    await other.query('begin; lock tokens in access exclusive mode');
    url.searchParams.set('options', '-c statement_timeout=1000');
    const service = startMain({ DATABASE_URL: url.href, DNS_RECHECK: 'off' });
    const list = `${await service.address}/v1/contacts`;
    const statusOfList = async () => (await fetch(list, { headers: { authorization: `Bearer ${newToken()}` } })).status;
    expect(await statusOfList()).toBe(503);
    await expect.poll(service.stdout).toMatch('There is no link to sign in with one click: ');
    await other.end();
    expect(await statusOfList()).toBe(401);
    expect(await service.stop()).toBe(0);
  });
});
