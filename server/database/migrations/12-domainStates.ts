import { type RawBuilder, sql } from 'kysely';
import { type Migration, zero } from './migration.ts';

/**
 * Stores the state of each domain, and how many of a workspace are in each. What an older process adds meanwhile counts as
 * healthy, until it is checked or imported again.
 */
export const domainStates: Migration = async (trx) => {
  const { schema } = trx;
  await schema
    .alterTable('domains')
    .addColumn('state', 'text', (column) => column.notNull().defaultTo('healthy'))
    .execute();
  await sql`
    update domains set state = case
      when status = 'failed' or verification = 'failed' then 'failing'
      when status = 'pending' or verification = 'pending' then 'pending'
      else 'failing' end
    where status in ('failed', 'pending') or verification in ('failed', 'pending') or verified = 0
      or (mail_from_domain <> '' and mail_from_verified = 0)
      or exists (
        select 1 from dns_records
        where workspace_id = domains.workspace_id and domain_uuid = domains.uuid and is_valid = 0
      )`.execute(trx);

  // The indexes of the sorted list again, with the column that it is filtered by.
  const create = async (name: string, order: RawBuilder<unknown>) => {
    await schema.dropIndex(`domains_sorted_by_${name}`).execute();
    await sql`
      create index ${sql.ref(`domains_sorted_by_${name}`)} on domains (workspace_id, ${order}, uuid, state)`.execute(
      trx,
    );
  };
  for (const text of ['name', 'domain', 'provider', 'status', 'verification', 'mail_from_domain']) {
    await create(text, sql`substr(${sql.ref(text)}, 1, 200)`);
  }
  for (const column of ['verified', 'mail_from_verified', 'created_at', 'updated_at']) {
    await create(column, sql.ref(column));
  }
  await schema.createIndex('domains_by_state').on('domains').columns(['workspace_id', 'state', 'uuid']).execute();

  // Last, because it locks a table that every request reads.
  await schema.alterTable('workspaces').addColumn('pending_domain_count', 'bigint', zero).execute();
  await schema.alterTable('workspaces').addColumn('failing_domain_count', 'bigint', zero).execute();
  await sql`
    update workspaces set pending_domain_count = counted.pending, failing_domain_count = counted.failing
    from (
      select workspace_id, sum(case when state = 'pending' then 1 else 0 end) as pending,
        sum(case when state = 'failing' then 1 else 0 end) as failing
      from domains group by workspace_id
    ) as counted
    where workspace_id = id`.execute(trx);
};
