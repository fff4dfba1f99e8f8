import { Client } from 'pg';
import { expect, test } from 'vitest';
import { ndjson, startTestAdmin, type TestAdmin } from '../testing/testAdmin.ts';
import { withSettings } from '../testing/testDatabase.ts';

// A role whose statements the server ends after a time, as docs/scaling.md recommends for the service.

const LIMIT_MS = 300;
/** Lines from which on an import ends with statistics of all tables. */
const MANY = 1_000;

/** Holds `table` until a statement of the command has waited for it for longer than the limit. */
async function runHeldUp(t: TestAdmin, table: string, args: readonly string[]) {
  await using holder = Object.assign(new Client({ connectionString: t.url }), {
    [Symbol.asyncDispose]: () => holder.end(),
  });
  await holder.connect();
  await holder.query(`begin; lock ${table} in access exclusive mode`);
  const isHeldUp = async () => {
    // A transaction sees the same of it otherwise.
    await holder.query('select pg_stat_clear_snapshot()');
    const { rowCount } = await holder.query(`
      select from pg_stat_activity
      where pg_backend_pid() = any(pg_blocking_pids(pid)) and application_name = 'sendroom'
        and clock_timestamp() - query_start > interval '${2 * LIMIT_MS} milliseconds'`);
    return rowCount !== 0;
  };
  let isDone = false;
  const url = withSettings(t.url, `statement_timeout=${LIMIT_MS}`);
  const running = t.admin([...args, '--workspace', t.workspace.uuid], { url }).finally(() => (isDone = true));
  await expect.poll(async () => isDone || (await isHeldUp())).toBe(true);
  await holder.query('rollback');
  return running;
}

test.each([
  ['contacts', ['check']],
  ['contacts', ['check', '--rebuild-search']],
  ['contacts', ['export', 'contacts']],
  ['sessions', ['session', 'list']],
])('a command takes as long as it needs, whatever the server allows: %s, %j', async (table, args) => {
  await using t = await startTestAdmin();
  await t.importFile('contacts', await t.file('one.ndjson', ndjson([{ attributes: { email: 'ada@example.com' } }])));
  expect(await runHeldUp(t, table, args)).toMatchObject({ code: 0, err: '' });
});

test('so do the statistics after an import', async () => {
  await using t = await startTestAdmin();
  const people = Array.from({ length: MANY }, (_, index) => ({ attributes: { email: `p${index}@example.com` } }));
  const args = ['import', 'contacts', await t.file('many.ndjson', ndjson(people))];
  // Only they need these rows.
  expect(await runHeldUp(t, 'sessions', args)).toMatchObject({ code: 0, err: '' });
});
