import { sql } from 'kysely';
import { type Migration, zero } from './migration.ts';

const SORTED_MAX = 200;

export const contactLists: Migration = async (trx, { searchesIndexes }) => {
  const { schema } = trx;
  for (const key of ['email_key', 'first_name_key', 'last_name_key', 'company_key']) {
    const column = sql.ref(key);
    await sql`
      update contacts set ${column} = substr(${column}, 1, ${sql.lit(SORTED_MAX)})
      where length(${column}) > ${sql.lit(SORTED_MAX)}`.execute(trx);
  }

  const create = (name: string, ...columns: string[]) =>
    schema
      .createIndex(name)
      .on('contacts')
      .columns(['workspace_id', ...columns])
      .execute();
  await schema.dropIndex('contacts_by_time').execute();
  for (const order of ['email', 'first_name', 'last_name', 'company']) {
    await create(`contacts_by_${order}`, `${order}_key`, 'uuid', 'subscribed', 'id');
  }
  await create('contacts_by_creation', 'created_at', 'uuid', 'subscribed', 'id');
  await create('contacts_by_update', 'updated_at', 'uuid', 'subscribed', 'id');
  await create('contacts_by_subscription', 'subscribed', 'uuid', 'id');
  if (searchesIndexes) await create('contacts_by_search', 'search_key', 'subscribed', 'id');

  // Last, because it locks a table that every request reads.
  await schema.alterTable('workspaces').addColumn('contact_count', 'bigint', zero).execute();
  await schema.alterTable('workspaces').addColumn('subscribed_count', 'bigint', zero).execute();
  await sql`
    update workspaces set contact_count = counted.contacts, subscribed_count = counted.subscribed
    from (
      select workspace_id, count(*) as contacts, sum(subscribed) as subscribed from contacts group by workspace_id
    ) as counted
    where workspace_id = id`.execute(trx);
};
