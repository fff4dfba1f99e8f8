import { sql } from 'kysely';
import { addWorkspacePolicy, type Migration, rejectOtherProcesses, required } from './migration.ts';

const TIME_MIN = Number.MIN_SAFE_INTEGER;
/** A domain with more addresses is divided. */
const DIVIDED_FROM = 1_000;
/** Addresses of a part, half of what one may have. */
const PART = 500;

/** Counts the addresses in the parts of their list. */
export const addressParts: Migration = async (trx, dialect) => {
  const { hasRowSecurity, ordered } = dialect;
  await rejectOtherProcesses(trx, dialect, 'would not count the addresses that they write');
  await trx.schema
    .createTable('address_parts')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('domain_uuid', 'text', required)
    .addColumn('first_time', 'bigint', required)
    .addColumn('first_uuid', 'text', required)
    .addColumn('count', 'bigint', required)
    .addPrimaryKeyConstraint('address_parts_by_place', ['workspace_id', 'domain_uuid', 'first_time', 'first_uuid'])
    .modifyEnd(sql.raw(hasRowSecurity ? '' : ordered))
    .execute();
  await sql`
    insert into address_parts (workspace_id, domain_uuid, first_time, first_uuid, count)
    select workspace_id, domain_uuid,
      case when number = 0 then ${sql.lit(TIME_MIN)} else created_at end,
      case when number = 0 then '' else uuid end,
      coalesce(lead(number) over (partition by workspace_id, domain_uuid order by number), total) - number
    from (
      select workspace_id, domain_uuid, created_at, uuid,
        row_number() over (partition by workspace_id, domain_uuid order by created_at, uuid) - 1 as number,
        count(*) over (partition by workspace_id, domain_uuid) as total
      from addresses
    ) as numbered
    where total > ${sql.lit(DIVIDED_FROM)} and number % ${sql.lit(PART)} = 0`.execute(trx);
  if (hasRowSecurity) await addWorkspacePolicy(trx, 'address_parts');
};
