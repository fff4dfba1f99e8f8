import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase, withSettings } from '../../testing/testDatabase.ts';
import { openDatabase } from '../openDatabase.ts';
import { SERVER_TABLES } from './tableMaintenance.ts';

let t: TestDatabase;
let owner: Client;
beforeEach(async () => {
  t = await openTestDatabase();
  owner = new Client({ connectionString: t.url });
  await owner.connect();
  // Only the statistics need these rows.
  await owner.query('begin; lock sessions in access exclusive mode');
});
afterEach(async () => {
  await owner.end();
  await t[Symbol.asyncDispose]();
});

/** Does `act` with the `pid` of what has waited for the lock for so many milliseconds. */
async function onceWaiting(act: string, milliseconds = 0): Promise<void> {
  const find = async () => {
    // A transaction sees the same of it otherwise.
    await owner.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await owner.query(
      `select ${act} from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))
        and clock_timestamp() - query_start > interval '${milliseconds} milliseconds'`,
    );
    return rowCount;
  };
  await expect.poll(find).toBe(1);
}

test('all tables get statistics, however long the server allows a statement to take', async () => {
  const db = await openDatabase(withSettings(t.url, 'statement_timeout=100'));
  const analyzing = db.analyze();
  await onceWaiting('pid', 200);
  await owner.query('rollback');
  expect(await analyzing).toBeNull();
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_stat_user_tables
    where schemaname = current_schema() and last_analyze is not null`.execute(db.unscoped.kysely);
  expect(rows.map(({ table }) => table).toSorted()).toEqual(SERVER_TABLES.toSorted());
  await db.close();
});

test('a connection that breaks meanwhile is a sentence', async () => {
  const analyzing = t.db.analyze();
  await onceWaiting('pg_terminate_backend(pid)');
  expect(await analyzing).toMatch(/^The database has no new statistics of its tables \(.+\)\. Until it makes them, /);
});
