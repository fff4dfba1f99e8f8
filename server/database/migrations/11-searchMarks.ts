import { type Migration, zero } from './migration.ts';

/** Adds a mark that changes with what a search of contacts finds: totals of searches are kept by it. */
export const searchMarks: Migration = async ({ schema }) => {
  await schema.alterTable('workspaces').addColumn('search_mark', 'bigint', zero).execute();
};
