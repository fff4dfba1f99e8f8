import { sql } from 'kysely';
import { type Migration, required } from './migration.ts';

export const rateLimits: Migration = async ({ schema }, dialect) => {
  await schema
    .createTable('allowances')
    .modifyFront(sql.raw(dialect.unlogged))
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('ends_at', 'bigint', required)
    .addColumn('taken', 'bigint', required)
    .addColumn('granted', 'bigint', required)
    .execute();
};
