import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putEvents } from '../../contacts/events/putEvents.ts';
import { putContacts } from '../../contacts/store.ts';
import { putDomains } from '../../domains/putDomains.ts';
import { COMMAND } from '../changeLog/author.ts';
import { createSignInCode, openSession } from '../../sessions/store.ts';
import { addMigrations, NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { createTwinTenants, SHARED_IDENTITIES, type Tenant, WORKSPACE_TABLES } from '../../testing/testTenants.ts';
import { findPrincipal } from '../../workspaces/store.ts';
import type { Transaction } from '../database.ts';
import type { Migration } from '../schema/schema.ts';
import { openDatabase } from '../openDatabase.ts';
import type { WorkspaceTable } from '../scope.ts';

// The server keeps workspaces apart, whatever a statement says: those here name no workspace, or the wrong one.

let t: TestDatabase;
let own: Tenant;
let twin: Tenant;
beforeAll(async () => {
  t = await openTestDatabase();
  [own, twin] = await createTwinTenants(t.db, NOW);
  for (const tenant of [own, twin]) await fillRest(tenant);
  // Nobody may (auditLog/verifyLog.engine.test.ts); the policy holds nevertheless.
  await t.db.unscoped.write((trx) => sql`grant update, delete on changes to current_user`.execute(trx));
});
afterAll(() => t[Symbol.asyncDispose]());

/** Rows in the tables that a tenant has none in yet. */
async function fillRest({ workspace, token, domain }: Tenant): Promise<void> {
  const principal = (await findPrincipal(t.db, token, Date.now()))!;
  await createSignInCode(t.db, principal, NOW);
  await openSession(t.db, { ...principal, statedWorkspace: null }, { previousSecret: undefined, author: COMMAND }, NOW);
  const dns = [{ type: 'TXT', name: SHARED_IDENTITIES.domain, value: 'v=spf1 -all', is_valid: true }];
  const busy = randomUUID();
  await t.db.write(workspace, async (scope) => {
    await putDomains(scope, [{ uuid: domain, name: SHARED_IDENTITIES.domain, dns }], NOW);
    await putContacts(scope, [{ uuid: busy, attributes: {} }], NOW);
    await putEvents(scope, [{ contact: busy, event_name: 'opened', attributes: {}, created_at: NOW }], NOW);
    const erased = { contact_uuid: busy, reference: null, identity_count: 0, erased_at: NOW };
    await scope.insert('erasures', { contact_id: 99, ...erased, finished_at: NOW, lifted_at: null }).execute();
    await scope.insert('erased_identities', { contact_id: 99, hash: busy }).execute();
  });
}

const sorted = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);
const bothOwners = () => sorted([own.workspace.id, twin.workspace.id]);

async function listOwners(trx: Transaction, table: WorkspaceTable): Promise<number[]> {
  const { rows } = await sql<{ workspace_id: number }>`
    select distinct workspace_id from ${sql.table(table)} order by workspace_id`.execute(trx);
  return rows.map(({ workspace_id }) => workspace_id);
}

/** Runs a statement in a write of the first workspace, which is not kept, and gives the number of rows it changed. */
async function changedBy(statement: ReturnType<typeof sql>): Promise<number> {
  let changed = -1;
  const undone = new Error('undone');
  const write = t.db.write(own.workspace, async ({ kysely }) => {
    changed = Number((await statement.execute(kysely)).numAffectedRows);
    throw undone;
  });
  await expect(write).rejects.toBe(undone);
  return changed;
}

describe.each(WORKSPACE_TABLES)('%s', (table) => {
  const all = sql.table(table);

  test('all rows are seen where a read belongs to no workspace, and those of its workspace else', async () => {
    const both = bothOwners();
    // Every workspace has a head.
    const owners = table === 'workspace_heads' ? sorted([t.workspace.id, t.otherWorkspace.id, ...both]) : both;
    expect(await t.db.unscoped.read((trx) => listOwners(trx, table))).toEqual(owners);
    expect(await t.db.unscoped.write((trx) => listOwners(trx, table))).toEqual(owners);
    expect(await listOwners(t.db.unscoped.kysely, table)).toEqual(owners);
    for (const { workspace } of [own, twin]) {
      const list = ({ kysely }: { kysely: Transaction }) => listOwners(kysely, table);
      expect(await t.db.read(workspace, list)).toEqual([workspace.id]);
      expect(await t.db.read(workspace, list, { isLong: true })).toEqual([workspace.id]);
      expect(await t.db.read(workspace, list, { isSingle: true })).toEqual([workspace.id]);
      expect(await t.db.write(workspace, list)).toEqual([workspace.id]);
    }
  });

  test('no row of the other workspace is changed, deleted, given away or made', async () => {
    const [{ count } = { count: -1 }] = await t.db.read(own.workspace, (scope) =>
      scope
        .select(table)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .execute(),
    );
    expect(count).toBeGreaterThan(0);
    expect(await changedBy(sql`update ${all} set workspace_id = workspace_id`)).toBe(count);
    const other = sql`workspace_id = ${twin.workspace.id}`;
    expect(await changedBy(sql`update ${all} set workspace_id = workspace_id where ${other}`)).toBe(0);
    expect(await changedBy(sql`delete from ${all} where ${other}`)).toBe(0);
    const givenAway = t.db.write(own.workspace, ({ kysely }) => sql`update ${all} set ${other}`.execute(kysely));
    await expect(givenAway).rejects.toThrow(/row-level security/);
    const made = t.db.write(own.workspace, async ({ kysely }) => {
      const row = await sql<object>`select * from ${all} limit 1`.execute(kysely);
      const theirs = JSON.stringify([{ ...row.rows[0], workspace_id: twin.workspace.id }]);
      await sql`insert into ${all} select * from json_populate_recordset(null::${all}, ${theirs})`.execute(kysely);
    });
    await expect(made).rejects.toThrow(/row-level security/);
  });
});

const listPeople = (trx: Transaction) => trx.selectFrom('people').select('uuid').execute();

test('people belong to no workspace, so no scope of one reaches them', async () => {
  await t.db.unscoped.write((trx) =>
    trx
      .insertInto('people')
      .values({ uuid: randomUUID(), issuer: 'i', subject: 's', email: 'a@example.com', name: null, created_at: NOW })
      .execute(),
  );
  expect(await t.db.unscoped.read(listPeople)).toHaveLength(1);
  expect(await t.db.read(own.workspace, ({ kysely }) => listPeople(kysely))).toEqual([]);
  expect(await changedBy(sql`delete from people`)).toBe(0);
});

describe('the search index', () => {
  test('is written by its workspace only', async () => {
    const other = sql`workspace_id = ${twin.workspace.id}`;
    expect(await changedBy(sql`update contact_search set trigrams = trigrams where ${other}`)).toBe(0);
    expect(await changedBy(sql`delete from contact_search where ${other}`)).toBe(0);
    const given = t.db.write(own.workspace, ({ kysely }) => sql`update contact_search set ${other}`.execute(kysely));
    await expect(given).rejects.toThrow(/row-level security/);
    const made = sql`insert into contact_search values (${twin.workspace.id}, 1000, array[1])`;
    await expect(t.db.write(own.workspace, ({ kysely }) => made.execute(kysely))).rejects.toThrow(/row-level security/);
  });

  test('has no text, and no trigram of one workspace is one of another', async () => {
    const { rows } = await sql<{ column_name: string; data_type: string }>`
      select column_name, data_type from information_schema.columns
      where table_schema = current_schema() and table_name = 'contact_search' order by 1`.execute(t.db.unscoped.kysely);
    expect(rows.map(({ column_name, data_type }) => `${column_name} ${data_type}`)).toEqual([
      'contact_id bigint',
      'trigrams ARRAY',
      'workspace_id bigint',
    ]);
    const shared = await sql`
      select trigram from (select distinct workspace_id, unnest(trigrams) as trigram from contact_search) as each
      group by trigram having count(*) > 1`.execute(t.db.unscoped.kysely);
    expect(shared.rows).toEqual([]);
  });
});

test('a scope sees and changes no workspace but its own', async () => {
  const uuids = await t.db.read(own.workspace, ({ kysely }) =>
    kysely.selectFrom('workspaces').select('uuid').execute(),
  );
  expect(uuids).toEqual([{ uuid: own.workspace.uuid }]);
  expect(await changedBy(sql`update workspaces set name = 'Ours'`)).toBe(1);
});

test('a connection that says nothing sees and writes no row of any workspace', async () => {
  const client = new Client({ connectionString: t.url });
  await client.connect();
  try {
    for (const table of [...WORKSPACE_TABLES, 'workspaces']) {
      expect((await client.query(`select from ${table}`)).rowCount).toBe(0);
      expect((await client.query(`delete from ${table}`)).rowCount).toBe(0);
    }
    await expect(
      client.query(`insert into tokens values ('hash', ${own.workspace.id}, 'uuid', 'name', 0, null)`),
    ).rejects.toThrow(/row-level security/);
    // The setting is there, and empty, after a transaction that had it.
    await client.query(`begin; set local sendroom.workspace = '${own.workspace.id}'; commit`);
    expect((await client.query('select from contacts')).rowCount).toBe(0);
  } finally {
    await client.end();
  }
});

test('statements of one moment each see the rows of their own workspace, or of all, whichever fail', async () => {
  const { kysely } = t.db.unscoped;
  const reads = [
    [() => kysely.executeQuery(sql`select 1 / 0`.compile(kysely)), null],
    [() => listOwners(kysely, 'contacts'), bothOwners()],
    ...[own, twin].map(
      ({ workspace }) =>
        [
          () => t.db.read(workspace, (scope) => listOwners(scope.kysely, 'contacts'), { isSingle: true }),
          [workspace.id],
        ] as const,
    ),
  ] as const;
  const asked = Array.from({ length: 40 }, (_, index) => reads[(index * 7 + Math.floor(index / 4)) % reads.length]!);
  const answers = await Promise.allSettled(asked.map(([read]) => read()));
  expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null))).toEqual(
    asked.map(([, owners]) => owners),
  );
});

const addTable: Migration = ({ schema }) => schema.createTable('more').execute();

test('a role that owns no table serves what the owner has made, and cannot change it', async () => {
  const role = `service_${randomUUID().replaceAll('-', '')}`;
  const owner = new Client({ connectionString: t.url });
  await owner.connect();
  const schema = (await owner.query<{ schema: string }>('select current_schema() as schema')).rows[0]!.schema;
  const url = new URL(t.url);
  url.username = role;
  try {
    await owner.query(`create role ${role} login`);
    await owner.query(`grant usage on schema ${schema} to ${role}`);
    await owner.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
    const db = await openDatabase(url.href);
    expect(await listOwners(db.unscoped.kysely, 'contacts')).toEqual(bothOwners());
    await db.write(own.workspace, (scope) => putContacts(scope, [{ attributes: {} }], NOW));
    const unguarded = db.unscoped.write((trx) => sql`alter table contacts disable row level security`.execute(trx));
    await expect(unguarded).rejects.toThrow('must be owner of table contacts');
    // Each version of the server has words of its own for what it skipped.
    expect(await db.analyze()).toMatch(
      /^The database has no new statistics of its tables \(.*"workspaces".*\)\. Until /,
    );
    await db.close();
    addMigrations(addTable);
    await expect(openDatabase(url.href, { migrates: true })).rejects.toThrow(
      /^The schema is at \d+ of \d+, and this role may not change it: run the command `admin migrate` as the role that owns/,
    );
  } finally {
    await owner.query(`revoke all on all tables in schema ${schema} from ${role}`);
    await owner.query(`revoke all on schema ${schema} from ${role}; drop role ${role}`);
    await owner.end();
  }
});
