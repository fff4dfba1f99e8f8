import { type Migration, rejectOtherProcesses } from './migration.ts';

/** Tokens from before this step may do everything, and never expire. */
export const roles: Migration = async (trx, dialect) => {
  await rejectOtherProcesses(trx, dialect, 'would let every token do everything');
  const tokens = () => trx.schema.alterTable('tokens');
  await tokens()
    .addColumn('role', 'text', (column) => column.notNull().defaultTo('admin'))
    .execute();
  await tokens().addColumn('expires_at', 'bigint').execute();
  await tokens().addColumn('used_at', 'bigint').execute();
};
