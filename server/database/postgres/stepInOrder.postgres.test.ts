import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { putContacts } from '../../contacts/store.ts';
import { openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import { engineOf } from '../engine.ts';
import type { Scope } from '../scope.ts';

// How the server plans statements that step over some entries of an index, and those after them.

async function planOf(scope: Scope): Promise<string> {
  const rows = await scope.run(sql<{ 'QUERY PLAN': string }>`
    explain select count(*) from contacts where workspace_id = ${scope.id} and (email_key, uuid) >= ('a', '')`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

const readModes = async (scope: Scope) =>
  scope.run(sql`
    select current_setting('plan_cache_mode') as mode, current_setting('enable_bitmapscan') as bitmaps,
      current_setting('max_parallel_workers_per_gather') as workers`);

async function expectStepsWithoutWorkers(scope: Scope): Promise<void> {
  // As of very many contacts: the server finds processes worth while.
  await scope.run(sql`
    select set_config(name, '0', true) from unnest(array[
      'parallel_setup_cost', 'parallel_tuple_cost', 'min_parallel_table_scan_size', 'min_parallel_index_scan_size'
    ]) as names (name)`);
  const modes = await readModes(scope);
  expect(await planOf(scope)).toContain('Workers Planned');
  await engineOf(scope.kysely).stepInOrder(scope, async () => {
    const plan = await planOf(scope);
    expect(plan).not.toContain('Workers Planned');
    expect(plan).not.toContain('Bitmap');
  });
  expect(await readModes(scope)).toEqual(modes);
  expect(await planOf(scope)).toContain('Workers Planned');
}

async function createContacts(t: TestDatabase): Promise<void> {
  const contacts = Array.from({ length: 300 }, (_, index) => ({ attributes: { email: `c${index}@x.test` } }));
  await t.db.write(t.workspace, (scope) => putContacts(scope, contacts, Date.UTC(2026, 0, 1)));
  await sql`analyze contacts`.execute(t.db.unscoped.kysely);
}

test.each(['read', 'write', 'writeFew'] as const)(
  'steps in a %s start no processes of the server, and what follows them is planned as what was before',
  async (kind) => {
    await using t = await openTestDatabase();
    await createContacts(t);
    await t.db[kind](t.workspace, expectStepsWithoutWorkers);
  },
);
