import { sql } from 'kysely';
import { addWorkspacePolicy, type Migration, rejectOtherProcesses, required } from './migration.ts';

const PERIOD = 900_000;
const UNSUBSCRIBED = '{"field":"subscribed","before":true,"after":false}';

/** Counts unsubscribes, and finds the newest changes of a workspace, for its overview. */
export const overview: Migration = async (trx, dialect) => {
  const { hasRowSecurity, ordered } = dialect;
  await rejectOtherProcesses(trx, dialect, 'would not count the contacts that they unsubscribe');
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
  if (hasRowSecurity) await addWorkspacePolicy(trx, 'unsubscribe_counts');
  await trx.schema
    .createIndex('contact_changes_by_time')
    .on('contact_changes')
    .columns(['workspace_id', 'created_at', 'contact_id', 'number'])
    .execute();
};
