import { type RawBuilder, sql } from 'kysely';
import { type Migration, zero } from './migration.ts';

export const domainLists: Migration = async (trx, { searchesIndexes }) => {
  const { schema } = trx;
  await schema.alterTable('domains').addColumn('address_count', 'bigint', zero).execute();
  await sql`
    update domains set address_count = (
      select count(*) from addresses where workspace_id = domains.workspace_id and domain_uuid = domains.uuid
    )`.execute(trx);

  const create = (name: string, order: RawBuilder<unknown>) =>
    sql`create index ${sql.ref(name)} on domains (workspace_id, ${order}, uuid)`.execute(trx);
  for (const text of ['name', 'domain', 'provider', 'status', 'verification', 'mail_from_domain']) {
    await create(`domains_sorted_by_${text}`, sql`substr(${sql.ref(text)}, 1, 200)`);
  }
  for (const column of ['verified', 'mail_from_verified', 'created_at', 'updated_at']) {
    await create(`domains_sorted_by_${column}`, sql.ref(column));
  }
  if (searchesIndexes) await create('domains_by_search', sql.ref('name_key'));

  await schema.alterTable('workspaces').addColumn('domain_count', 'bigint', zero).execute();
  await sql`
    update workspaces set domain_count = (select count(*) from domains where workspace_id = workspaces.id)`.execute(
    trx,
  );
};
