import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** A page in the middle of a list steps over the entries of an index before it (docs/decisions/0002-lists.md). */
export const plainLists: Migration = async (trx) => {
  await trx.schema.dropTable('contact_parts').execute();
  await trx.schema.dropTable('address_parts').execute();
  await sql`drop index contacts_by_company_creation`.execute(trx);
};
