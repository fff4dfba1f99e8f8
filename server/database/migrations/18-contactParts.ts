import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { addWorkspacePolicy, type Migration, rejectOtherProcesses, required } from './migration.ts';

const TIME_MIN = Number.MIN_SAFE_INTEGER;
/** Contacts of a part of each level, half of what one may have. */
const PART = 500;
const PART_OF_PARTS = 50_000;
const ORDERS: readonly (readonly [list: string, text: string | null, time: string | null])[] = [
  ['email', 'email_key', null],
  ['first_name', 'first_name_key', null],
  ['last_name', 'last_name_key', null],
  ['company', 'company_key', null],
  ['created_at', null, 'created_at'],
  ['updated_at', null, 'updated_at'],
  ['uuid', null, null],
];

/** Counts contacts in the parts of each order of their list. */
export const contactParts: Migration = async (trx, dialect) => {
  const { hasRowSecurity, ordered } = dialect;
  await rejectOtherProcesses(trx, dialect, 'would not count the contacts that they write');
  await trx.schema
    .createIndex('contacts_by_company_creation')
    .on('contacts')
    .columns(['workspace_id', 'company_key', 'created_at', 'uuid', 'subscribed', 'id'])
    .execute();
  await trx.schema
    .createTable('contact_parts')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('list', 'text', required)
    .addColumn('level', 'integer', required)
    .addColumn('first_text', 'text', required)
    .addColumn('first_time', 'bigint', required)
    .addColumn('first_uuid', 'text', required)
    .addColumn('count', 'bigint', required)
    .addColumn('subscribed', 'bigint', required)
    .addPrimaryKeyConstraint('contact_parts_by_place', [
      'workspace_id',
      'level',
      'list',
      'first_text',
      'first_time',
      'first_uuid',
    ])
    // Room for the next versions of rows beside them, so that no index entry is written for a counter.
    .modifyEnd(sql.raw(hasRowSecurity ? 'with (fillfactor = 50)' : ordered))
    .execute();
  const { rows } = await sql<{ id: number }>`select id from workspaces where contact_count > 0 order by id`.execute(
    trx,
  );
  for (const { id } of rows) {
    for (const order of ORDERS) await countContacts(trx, id, order);
    await countParts(trx, id);
  }
  if (hasRowSecurity) await addWorkspacePolicy(trx, 'contact_parts');
};

/** `number` contacts stand before one, `subscribed_before` of which are subscribed. What a part has is the difference to the next. */
async function countContacts(
  trx: Kysely<Tables>,
  workspaceId: number,
  [list, textColumn, timeColumn]: (typeof ORDERS)[number],
): Promise<void> {
  const text = textColumn === null ? sql`''` : sql.ref(textColumn);
  const time = timeColumn === null ? sql`0` : sql.ref(timeColumn);
  const columns = sql.join(
    [textColumn, timeColumn, 'uuid'].flatMap((column) => (column === null ? [] : sql.ref(column))),
  );
  await sql`
    insert into contact_parts (workspace_id, list, level, first_text, first_time, first_uuid, count, subscribed)
    select cast(${workspaceId} as bigint), ${list}, 0,
      case when number = 0 then '' else text end,
      case when number = 0 then ${sql.lit(TIME_MIN)} else time end,
      case when number = 0 then '' else uuid end,
      coalesce(lead(number) over (order by number), total) - number,
      coalesce(lead(subscribed_before) over (order by number), total_subscribed) - subscribed_before
    from (
      select ${text} as text, ${time} as time, uuid,
        row_number() over (order by ${columns}) - 1 as number,
        cast(sum(subscribed) over (order by ${columns} rows unbounded preceding) - subscribed as bigint) as subscribed_before
      from contacts where workspace_id = ${workspaceId}
    ) as numbered cross join (
      select count(*) as total, cast(sum(subscribed) as bigint) as total_subscribed
      from contacts where workspace_id = ${workspaceId}
    ) as counted
    where number % ${sql.lit(PART)} = 0`.execute(trx);
}

async function countParts(trx: Kysely<Tables>, workspaceId: number): Promise<void> {
  await sql`
    insert into contact_parts (workspace_id, list, level, first_text, first_time, first_uuid, count, subscribed)
    select workspace_id, list, 1, first_text, first_time, first_uuid,
      coalesce(lead(before) over (partition by list order by before), total) - before,
      coalesce(lead(subscribed_before) over (partition by list order by before), total_subscribed) - subscribed_before
    from (
      select contact_parts.*,
        (row_number() over (partition by list order by first_text, first_time, first_uuid) - 1) * ${sql.lit(PART)} as before,
        cast(sum(subscribed) over (
          partition by list order by first_text, first_time, first_uuid rows unbounded preceding
        ) - subscribed as bigint) as subscribed_before
      from contact_parts where workspace_id = ${workspaceId} and level = 0
    ) as numbered cross join (
      select count(*) as total, cast(sum(subscribed) as bigint) as total_subscribed
      from contacts where workspace_id = ${workspaceId}
    ) as counted
    where before % ${sql.lit(PART_OF_PARTS)} = 0`.execute(trx);
}
