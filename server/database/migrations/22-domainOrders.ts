import { type RawBuilder, sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Sorts domains without letter case, as the DNS compares names. An older process sorts as before, without an index. */
export const domainOrders: Migration = async (trx, { searchesIndexes }) => {
  const create = async (name: string, order: RawBuilder<unknown>) => {
    await trx.schema.dropIndex(`domains_sorted_by_${name}`).execute();
    await sql`
      create index ${sql.ref(`domains_sorted_by_${name}`)} on domains (workspace_id, ${order}, uuid, state)`.execute(
      trx,
    );
  };
  await create('name', sql.ref('name_key'));
  for (const text of ['domain', 'provider', 'status', 'verification', 'mail_from_domain']) {
    await create(text, sql`lower(substr(${sql.ref(text)}, 1, 200))`);
  }
  // The index of the sorted names has the same columns.
  if (searchesIndexes) await trx.schema.dropIndex('domains_by_search').execute();
};
