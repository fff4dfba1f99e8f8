import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { must } from '#contract/values/must.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { createTwinTenants, type Tenant } from '../../testing/testTenants.ts';
import { putContacts } from '../../contacts/store.ts';
import type { Scope } from '../scope.ts';
import { DISTRIBUTED_TABLES } from './distribute.ts';

// Two walls where tables are distributed: policies on each machine, and a server that refuses a statement of several workspaces.

const SEVERAL = /multi-task query about to be executed/;
const NO_PLAN = /could not create distributed plan|cannot|not supported|multi-task/i;
const OF_OTHERS = /row-level security|violates/;

let t: TestDatabase;
let own: Tenant;
let twin: Tenant;
beforeAll(async () => {
  t = await openTestDatabase();
  [own, twin] = await createTwinTenants(t.db, NOW);
});
afterAll(() => t[Symbol.asyncDispose]());

/** Runs SQL as a write of the first workspace. */
const run = (text: string) => t.db.write(own.workspace, ({ kysely }) => sql.raw<object>(text).execute(kysely));

describe.each(DISTRIBUTED_TABLES)('%s', (table) => {
  test('a statement without a workspace is refused', async () => {
    await expect(run(`select * from ${table}`)).rejects.toThrow(SEVERAL);
    await expect(run(`select count(*) from ${table}`)).rejects.toThrow(SEVERAL);
    await expect(run(`delete from ${table}`)).rejects.toThrow(/multi-task|permission denied|append-only/);
  });

  test('a statement of the other workspace finds nothing and changes nothing', async () => {
    const { id } = twin.workspace;
    // The search index has no text, and is read by all, as on one server.
    const isRead = table === 'contact_search';
    if (!isRead) expect((await run(`select * from ${table} where workspace_id = ${id}`)).rows).toEqual([]);
    if (table === 'changes')
      await expect(run(`delete from changes where workspace_id = ${id}`)).rejects.toThrow(/permission/);
    else expect((await run(`delete from ${table} where workspace_id = ${id}`)).numAffectedRows).toBe(0n);
    const both = `select * from ${table} where workspace_id in (${own.workspace.id}, ${id})`;
    // Where both have the same shard, it's one task, and the policy leaves the rows of one.
    const rows = await run(both).then(
      (result) => result.rows as { workspace_id: number }[],
      (error: unknown) => {
        expect(String(error)).toMatch(SEVERAL);
        return [];
      },
    );
    if (!isRead) expect(rows.filter(({ workspace_id }) => workspace_id === id)).toEqual([]);
  });
});

test('rows are neither given away nor made for others', async () => {
  const { id } = twin.workspace;
  const mine = own.workspace.id;
  const row = `'x', 0, 0`;
  await expect(run(`update contacts set workspace_id = ${id} where workspace_id = ${mine}`)).rejects.toThrow(
    /partition value/,
  );
  await expect(
    run(
      `insert into event_names (workspace_id, contact_id, event_name, name_key, count) values (${id}, 1, 'x', 'x', 1)`,
    ),
  ).rejects.toThrow(OF_OTHERS);
  await expect(
    run(`insert into event_names (workspace_id, contact_id, event_name, name_key, count)
      select head.workspace_id, 1, 'x', 'x', 1 from workspace_heads as head where head.workspace_id = ${id}`),
  ).resolves.toMatchObject({ numAffectedRows: 0n });
  await expect(
    run(`insert into event_names (workspace_id, contact_id, event_name, name_key, count)
      select workspace_id, contact_id, event_name || 'y', name_key, count from event_names`),
  ).rejects.toThrow(NO_PLAN);
  await expect(
    run(`insert into erasures (workspace_id, contact_id, contact_uuid, erased_at) values (${id}, ${row})`),
  ).rejects.toThrow(/./);
});

test('nothing is reached through joins, sub-queries or functions', async () => {
  const { id } = twin.workspace;
  const mine = own.workspace.id;
  const found = async (text: string) => (await run(text)).rows;
  expect(
    await found(`select contacts.uuid from workspace_heads as head join contacts on contacts.workspace_id = head.workspace_id
      where head.workspace_id = ${id}`),
  ).toEqual([]);
  await expect(
    run(`select uuid from contacts where workspace_id = ${mine} and uuid in (select uuid from contacts)`),
  ).rejects.toThrow(SEVERAL);
  await expect(
    run(`with all_rows as (select * from contacts) select * from all_rows where workspace_id = ${mine}`).then(
      (result) => (result.rows as { workspace_id: number }[]).filter(({ workspace_id }) => workspace_id !== mine),
    ),
  ).resolves.toEqual([]);
});

test('an error in the middle, and a write behind it on the same connection, reach nothing of others', async () => {
  const reach = async ({ kysely }: Scope) => {
    const before = sql`select 1 / 0 from contacts where workspace_id = ${own.workspace.id}`.execute(kysely);
    const behind = sql`delete from contacts where workspace_id = ${twin.workspace.id}`.execute(kysely);
    await Promise.all([before, behind]);
  };
  for (let time = 0; time < 10; time++)
    await expect(t.db.write(own.workspace, reach)).rejects.toThrow(/division by zero/);
  const others = await t.db.read(twin.workspace, (scope) => scope.select('contacts').select('uuid').execute());
  expect(others.length).toBeGreaterThan(0);
});

test('of many at once each gets its own, on any connection', async () => {
  const tenants = [own, twin];
  const reads = Array.from({ length: 200 }, async (_, at) => {
    const { workspace } = must(tenants[at % 2]);
    const isSingle = at % 3 === 0;
    const rows = await t.db.read(workspace, (scope) => scope.select('contacts').select('workspace_id').execute(), {
      isSingle,
    });
    expect(new Set(rows.map(({ workspace_id }) => workspace_id))).toEqual(new Set([workspace.id]));
  });
  const writes = Array.from({ length: 20 }, (_, at) =>
    t.db.write(must(tenants[at % 2]).workspace, (scope) =>
      putContacts(scope, [{ attributes: { first_name: `w${at}` } }], NOW),
    ),
  );
  await Promise.all([...reads, ...writes]);
  for (const { workspace } of tenants) {
    const { contact_count } = await t.db.read(workspace, (scope) =>
      scope.select('workspace_heads').select('contact_count').executeTakeFirstOrThrow(),
    );
    const rows = await t.db.read(workspace, (scope) => scope.select('contacts').select('id').execute());
    expect(rows).toHaveLength(contact_count);
  }
});

test('behind the policies a machine expects all rows of a workspace, so it reads a list in the order of its index', async () => {
  const people = Array.from({ length: 5_000 }, (_, at) => ({ attributes: { email: `p${at}@listed.example` } }));
  await t.db.write(own.workspace, (scope) => putContacts(scope, people, NOW), { isBulk: true });
  await t.db.analyze();
  const plan = await t.db.read(own.workspace, ({ kysely, id }) =>
    sql<{ 'QUERY PLAN': string }>`
      explain select id from contacts where workspace_id = ${id} order by created_at desc, uuid desc limit 50`.execute(
      kysely,
    ),
  );
  const scan = must(
    plan.rows.map((row) => row['QUERY PLAN']).find((line) => line.includes('Scan') && line.includes('contacts_')),
  );
  expect(scan).toMatch(/Index (Only )?Scan/);
  expect(Number(/rows=(\d+)/.exec(scan)?.[1])).toBeGreaterThan(2_500);
});
