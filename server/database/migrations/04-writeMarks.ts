import { type Migration, zero } from './migration.ts';

export const writeMarks: Migration = async ({ schema }) => {
  await schema.alterTable('workspaces').addColumn('mark', 'bigint', zero).execute();
};
