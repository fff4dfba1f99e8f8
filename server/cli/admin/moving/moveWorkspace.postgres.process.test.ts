import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../../testing/programs/postgres.ts';
import { putContacts } from '../../../contacts/store.ts';
import { COMMAND } from '../../../database/changeLog/author.ts';
import type { Database } from '../../../database/database.ts';
import { openDatabase } from '../../../database/openDatabase.ts';
import { listTables, TABLE_DESCRIPTIONS } from '../../../database/schema/tableDescriptions.ts';
import type { WorkspaceTable } from '../../../database/scope.ts';
import type { Workspace } from '../../../database/workspace.ts';
import { putDomains } from '../../../domains/putDomains.ts';
import { eraseContact } from '../../../privacy/erase.ts';
import { killServices, startService } from '../../../testing/processes/testMain.ts';
import { type AdminOutput, startTestAdmin, type TestAdmin } from '../../../testing/processes/testAdmin.ts';
import { newPerson, signInAs, testAccount } from '../../../testing/testPeople.ts';
import { createTwinTenants, type Tenant } from '../../../testing/testTenants.ts';
import { createWorkspace, findWorkspace, setSuspended } from '../../../workspaces/store.ts';

// From one PostgreSQL server to another, each with a service.

const NOW = Date.now();
const ADDRESS = 'https://second.example.com';

let t: TestAdmin;
let source: PostgresServer;
let target: PostgresServer;
let here: Database;
let there: Database;
beforeAll(async () => {
  t = await startTestAdmin();
  [source, target] = await Promise.all([startLogical(), startLogical()]);
  [here, there] = await Promise.all([openDatabase(source.url), openDatabase(target.url)]);
});
afterAll(async () => {
  killServices();
  await Promise.all([here.close(), there.close()]);
  await Promise.all([source.stop(), target.stop()]);
  await t[Symbol.asyncDispose]();
});

const startLogical = () => startPostgres({ wal_level: 'logical', fsync: 'off', jit: 'off' });

/** The database of a service, for the superuser. */
function asSuperuser({ superuserUrl }: PostgresServer): string {
  const url = new URL(superuserUrl);
  url.pathname = 'sendroom';
  return url.href;
}

function move({ uuid }: Pick<Workspace, 'uuid'>, ...more: string[]): Promise<AdminOutput> {
  const to = more.includes('--to') ? [] : ['--to', asSuperuser(target)];
  const address = ['--public-url', ADDRESS];
  return t.admin(['workspace', 'move', '--workspace', uuid, ...to, ...address, '--json', ...more], {
    url: asSuperuser(source),
  });
}

const CONTENT = listTables(({ holds }) => holds === 'content') as WorkspaceTable[];
const KEPT_ACCESS: WorkspaceTable[] = ['tokens', 'members', 'shared_links'];

async function rowsOf(db: Database, { id }: Workspace, tables: readonly WorkspaceTable[]) {
  const entries = tables.map(async (table) => {
    const keys = TABLE_DESCRIPTIONS[table].primaryKey.map((column) => sql.ref(column));
    const rows = await db.unscoped.read((trx) =>
      sql<object>`select * from ${sql.table(table)} where workspace_id = ${id} order by ${sql.join(keys)}`.execute(trx),
    );
    // Each write leaves another mark.
    return [table, rows.rows.map((row) => ({ ...row, mark: undefined }))] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<string, Record<string, unknown>[]>;
}

/** What a move leaves on a server while it lasts. */
async function traces(...servers: PostgresServer[]): Promise<unknown[]> {
  const found = servers.map(async (server) => {
    const client = new Client({ connectionString: asSuperuser(server) });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(`
      select pubname as name from pg_publication union all select slot_name from pg_replication_slots
      union all select subname from pg_subscription`);
    await client.end();
    return rows;
  });
  return (await Promise.all(found)).flat();
}

async function run(server: PostgresServer, statement: string): Promise<void> {
  const client = new Client({ connectionString: asSuperuser(server) });
  await client.connect();
  await client.query(statement);
  await client.end();
}

/** The status of a page of contacts, and the sentence of a refusal. */
async function ask(address: string, secret: string): Promise<[number, string | undefined]> {
  const response = await fetch(`${address}/v1/contacts`, { headers: { authorization: `Bearer ${secret}` } });
  return [response.status, ((await response.json()) as { detail?: string }).detail];
}

async function startTenants(): Promise<[Tenant, Tenant]> {
  const tenants = await createTwinTenants(here, NOW);
  const [{ workspace }] = tenants;
  const write = () =>
    here.write(workspace, (scope) => putContacts(scope, [{ attributes: { email: 'erased@x.test' } }], NOW));
  await write();
  const dns = [{ type: 'TXT', name: 'kept.test', value: 'a', is_valid: true }];
  await here.write(workspace, (scope) => putDomains(scope, [{ uuid: randomUUID(), name: 'kept.test', dns }], NOW));
  await eraseContact(workspace, here, 'erased@x.test', { identity: null }, COMMAND, NOW);
  return tenants;
}

test('what stands in the way is said before anything is changed', async () => {
  const workspace = await createWorkspace(here, { name: 'Acme', identity_field: null }, NOW);
  const other = await createWorkspace(here, { name: 'Taken', identity_field: null }, NOW);
  const copy = await createWorkspace(there, { name: 'Copy', identity_field: null }, NOW);
  await there.unscoped.write((trx) =>
    trx.updateTable('workspaces').set({ id: other.id }).where('id', '=', copy.id).execute(),
  );
  const suspended = await createWorkspace(here, { name: 'Suspended', identity_field: null }, NOW);
  await setSuspended(suspended, here, true);
  const plain = await startPostgres({ fsync: 'off' });
  const refusals: [AdminOutput, sentence: string][] = [
    [
      await t.admin(['workspace', 'move', '--workspace', workspace.uuid, '--to', target.url, '--public-url', ADDRESS], {
        url: 'file:a.db',
      }),
      'DATABASE_URL must be a PostgreSQL database.',
    ],
    [await move(workspace, '--to', target.url), '--to needs a superuser of the target'],
    [await move(workspace, '--to', asSuperuser(plain)), 'The target has no tables yet.'],
    [
      await t.admin(
        ['workspace', 'move', '--workspace', workspace.uuid, '--to', asSuperuser(target), '--public-url', ADDRESS],
        { url: plain.url },
      ),
      'Set wal_level = logical on the source, and restart its server.\nDATABASE_URL needs a superuser of the source',
    ],
    [await move(suspended), 'This workspace is suspended. Resume it first.'],
    [await move(other), `The target numbers another workspace, ${copy.uuid}, with ${other.id} as well.`],
    [await move(copy), 'Unknown workspace.'],
    [
      await move(workspace, '--source', 'postgres://postgres@localhost:1/sendroom'),
      "The target's server can't read from the source",
    ],
  ];
  for (const [{ code, err }, sentence] of refusals) expect([code, err]).toEqual([1, expect.stringContaining(sentence)]);
  await plain.stop();
  const cancelled = await move(workspace, '--cancel');
  expect(cancelled.code).toBe(0);
  expect(await findWorkspace(there, workspace.uuid)).toBeNull();
  expect(await traces(source, target)).toEqual([]);
  await here.write(workspace, (scope) => putContacts(scope, [{ attributes: { email: 'a@x.test' } }], NOW));
});

test('a workspace moves with everything in it, and the other stays', async () => {
  const [moving, staying] = await startTenants();
  const { workspace, token } = moving;
  const clock = { now: NOW };
  await newPerson({ database: here, clock }, workspace, 'support', 'anna@x.test');
  // The same account has another UUID in the target.
  const first = await createWorkspace(there, { name: 'First', identity_field: null }, NOW);
  await newPerson({ database: there, clock }, first, 'read', 'anna@x.test');
  const [content, access] = [await rowsOf(here, workspace, CONTENT), await rowsOf(here, workspace, KEPT_ACCESS)];
  const stayed = await rowsOf(here, staying.workspace, [...CONTENT, ...KEPT_ACCESS]);
  expect(Object.entries(content).filter(([, rows]) => rows.length === 0)).toEqual([]);

  const moved = await move(workspace);
  expect(moved).toMatchObject({ code: 0 });
  expect(moved.result()).toMatchObject({ uuid: workspace.uuid, moved_to: ADDRESS, errors: 0 });

  expect(await rowsOf(there, workspace, CONTENT)).toEqual(content);
  const arrived = await rowsOf(there, workspace, KEPT_ACCESS);
  const withoutPerson = ({ members = [], ...others }: typeof access) => ({
    ...others,
    members: members.map((row) => ({ ...row, person_uuid: undefined })),
  });
  expect(withoutPerson(arrived)).toEqual(withoutPerson(access));
  expect(await rowsOf(here, staying.workspace, [...CONTENT, ...KEPT_ACCESS])).toEqual(stayed);
  expect(await traces(source, target)).toEqual([]);

  const [before, after] = await Promise.all([startService(source.url), startService(target.url)]);
  expect(await ask(before.address, token)).toEqual([403, `This workspace has moved to ${ADDRESS}.`]);
  expect(await ask(after.address, token)).toEqual([200, undefined]);
  expect(await ask(before.address, staying.token)).toEqual([200, undefined]);
  expect(await signInAs({ database: there, clock }, testAccount('anna@x.test'))).not.toBeNull();
  const people = await there.unscoped.kysely.selectFrom('people').select('subject').execute();
  expect(people.filter(({ subject }) => subject === 'anna@x.test')).toHaveLength(1);
});

test('the old rows can be deleted, but accept no changes and cannot come back', async () => {
  const [{ workspace }] = await startTenants();
  expect(await move(workspace)).toMatchObject({ code: 0 });
  const admin = (...args: string[]) => t.admin([...args, '--workspace', workspace.uuid], { url: source.url });
  expect(await admin('workspace', 'resume')).toMatchObject({
    code: 1,
    err: `This workspace has moved to ${ADDRESS}.\n`,
  });
  await expect(
    here.write(workspace, (scope) => putContacts(scope, [{ attributes: { email: 'late@x.test' } }], NOW)),
  ).rejects.toThrow('This workspace accepts no changes here, because it moves to another database.');
  const content = await rowsOf(there, workspace, CONTENT);
  expect(await move(workspace, '--cancel')).toMatchObject({ code: 1 });
  expect(await admin('workspace', 'delete', '--name', workspace.name)).toMatchObject({ code: 0 });
  expect(await findWorkspace(here, workspace.uuid)).toBeNull();
  expect(await rowsOf(there, workspace, CONTENT)).toEqual(content);
});

test('a copy that differs is not used, and the workspace goes on', async () => {
  const [{ workspace }] = await startTenants();
  // The target changes what arrives.
  await run(
    target,
    `
    create function change_event() returns trigger language plpgsql as $$ begin new.attributes = '{"a":1}'; return new; end $$;
    create trigger change before insert on events for each row execute function change_event();
    alter table events enable always trigger change`,
  );
  const refused = await move(workspace);
  await run(target, 'drop trigger change on events; drop function change_event');
  const events = (await rowsOf(here, workspace, ['events']))['events']?.length;
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(`events differs: ${events} rows in the source, ${events} in the target.`);
  expect(refused.err).toContain('The copy differs, so the workspace stays here.');
  await here.write(workspace, (scope) => putContacts(scope, [{ attributes: { email: 'next@x.test' } }], NOW));
  expect(await findWorkspace(there, workspace.uuid)).toMatchObject({ suspended: true });
  expect(await move(workspace, '--cancel')).toMatchObject({ code: 0 });
  expect(await rowsOf(there, workspace, [...CONTENT, ...KEPT_ACCESS])).toEqual(
    Object.fromEntries([...CONTENT, ...KEPT_ACCESS].map((table) => [table, []])),
  );
  expect(await move(workspace)).toMatchObject({ code: 0 });
  expect(await rowsOf(there, workspace, CONTENT)).toEqual(await rowsOf(here, workspace, CONTENT));
});
