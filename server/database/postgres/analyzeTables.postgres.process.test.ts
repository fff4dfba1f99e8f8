import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { expect, test } from 'vitest';
import { ndjson, startTestAdmin } from '../../testing/testAdmin.ts';
import type { Database } from '../database.ts';
import { SERVER_TABLES } from './tableMaintenance.ts';

/** Lines from which on an import ends with it. */
const MANY = 1_000;

/** The tables that a command, and not the server by itself, has looked at. */
async function analyzedTables({ unscoped: { kysely } }: Database): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_stat_user_tables
    where schemaname = current_schema() and last_analyze is not null`.execute(kysely);
  return rows.map(({ table }) => table).toSorted();
}

const people = (count: number, name: string) =>
  ndjson(Array.from({ length: count }, (_, index) => ({ attributes: { email: `${name}${index}@example.com` } })));

test('an import of many lines leaves statistics of all tables', async () => {
  await using t = await startTestAdmin();
  const few = await t.importFile('contacts', await t.file('few.ndjson', people(MANY - 1, 'few')));
  expect(few).toMatchObject({ code: 0, err: '' });
  expect(await analyzedTables(t.database)).toEqual([]);
  const many = await t.importFile('contacts', await t.file('many.ndjson', people(MANY, 'many')));
  expect(many).toMatchObject({ code: 0, err: '' });
  await expect.poll(() => analyzedTables(t.database)).toEqual(SERVER_TABLES.toSorted());
});

test('an import reports what it has done when the statistics fail', async () => {
  await using t = await startTestAdmin();
  const owner = new Client({ connectionString: t.url });
  await owner.connect();
  // Only they need these rows.
  await owner.query('begin; lock sessions in access exclusive mode');
  const importing = t.importFile('contacts', await t.file('many.ndjson', people(MANY, 'many')));
  const endWaiting = async () => {
    // A transaction sees the same of it otherwise.
    await owner.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await owner.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where pg_backend_pid() = any(pg_blocking_pids(pid)) and application_name = 'sendroom'`);
    return rowCount;
  };
  await expect.poll(endWaiting).toBe(1);
  await owner.end();
  const said = await importing;
  expect(said).toMatchObject({ code: 0, err: expect.stringContaining('The database has no new statistics') });
  expect(said.result()).toMatchObject({ added: MANY });
});

test('an import by a role that may not make statistics says so, and is done', async () => {
  await using t = await startTestAdmin();
  const role = `service_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(t.url);
  url.username = role;
  const owner = new Client({ connectionString: t.url });
  await owner.connect();
  const { rows } = await owner.query<{ schema: string }>('select current_schema() as schema');
  const schema = rows[0]?.schema;
  await owner.query(`create role ${role} login`);
  await owner.query(`grant usage on schema ${schema} to ${role}`);
  await owner.query(`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`);
  try {
    const file = await t.file('many.ndjson', people(MANY, 'many'));
    const args = ['import', 'contacts', file, '--workspace', t.workspace.uuid, '--json'];
    const said = await t.admin(args, { url: url.href });
    expect(said).toMatchObject({ code: 0 });
    // Each version of the server has words of its own for what it skipped.
    expect(said.err).toMatch(
      /^The database has no new statistics of its tables \(.*"workspaces".*\)\. Until it makes them, requests may be slow: let the owner of the tables run "analyze"\.\n$/,
    );
    expect(said.result()).toMatchObject({ added: MANY });
    expect(await analyzedTables(t.database)).toEqual([]);
  } finally {
    await owner.query(`revoke all on all tables in schema ${schema} from ${role}`);
    await owner.query(`revoke all on schema ${schema} from ${role}; drop role ${role}`);
    await owner.end();
  }
});
