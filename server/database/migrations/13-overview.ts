import { type Kysely, sql } from 'kysely';
import { DatabaseUnavailableError } from '../databaseErrors.ts';
import type { Tables } from '../tables.ts';
import { type Migration, required } from './migration.ts';

const PERIOD = 900_000;
const UNSUBSCRIBED = '{"field":"subscribed","before":true,"after":false}';

/** Counts unsubscribes, and finds the newest changes of a workspace, for its overview. */
export const overview: Migration = async (trx, { hasRowSecurity, ordered }) => {
  if (hasRowSecurity) await rejectOthers(trx);
  await trx.schema
    .createTable('unsubscribe_counts')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('period', 'bigint', required)
    .addColumn('token_name', 'text', required)
    .addColumn('count', 'bigint', required)
    .addPrimaryKeyConstraint('unsubscribe_counts_by_period', ['workspace_id', 'period', 'token_name'])
    .modifyEnd(sql.raw(ordered))
    .execute();
  await sql`
    insert into unsubscribe_counts (workspace_id, period, token_name, count)
    select workspace_id, created_at / ${sql.lit(PERIOD)}, coalesce(token_name, ''), count(*)
    from contact_changes
    where substr(changes, 2, ${sql.lit(UNSUBSCRIBED.length)}) = ${sql.lit(UNSUBSCRIBED)}
    group by 1, 2, 3`.execute(trx);
  if (hasRowSecurity) {
    await sql`alter table unsubscribe_counts enable row level security, force row level security`.execute(trx);
    const setting = `current_setting('sendroom.workspace', true)`;
    await sql`
      create policy workspace on unsubscribe_counts using (nullif(
        (workspace_id = nullif(nullif(${sql.raw(setting)}, ''), '*')::bigint or ${sql.raw(setting)} = '*'), false
      ) is not null)`.execute(trx);
  }
  await trx.schema
    .createIndex('contact_changes_by_time')
    .on('contact_changes')
    .columns(['workspace_id', 'created_at', 'contact_id', 'number'])
    .execute();
};

/** A process from before this step does not count. With a schema of its own, others may use the same database. */
async function rejectOthers(trx: Kysely<Tables>): Promise<void> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = 'sendroom' and pid <> pg_backend_pid()
      and exists (select from workspaces) and current_schema() = 'public'`.execute(trx);
  if (rows.length === 0) return;
  throw new DatabaseUnavailableError(
    `Other processes use this database, with ${rows.length} connections, and would not count the contacts that they unsubscribe: stop all of them, then start this version.`,
  );
}
