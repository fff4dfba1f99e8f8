import { sql } from 'kysely';
import { type Migration, required, zero } from './migration.ts';

export const changeLog: Migration = async ({ schema }, dialect) => {
  await schema.alterTable('contacts').addColumn('change_count', 'bigint', zero).execute();

  await schema
    .createTable('contact_changes')
    .addColumn('workspace_id', 'bigint', required)
    .addColumn('contact_id', 'bigint', required)
    .addColumn('number', 'bigint', required)
    .addColumn('uuid', 'text', required)
    .addColumn('action', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('token_uuid', 'text')
    .addColumn('token_name', 'text')
    .addColumn('request_id', 'text')
    .addColumn('reason', 'text')
    .addColumn('changes', 'text', required)
    .addPrimaryKeyConstraint('contact_changes_by_number', ['workspace_id', 'contact_id', 'number'])
    .addForeignKeyConstraint('change_contact', ['workspace_id', 'contact_id'], 'contacts', ['workspace_id', 'id'])
    .modifyEnd(sql.raw(dialect.ordered))
    .execute();
};
