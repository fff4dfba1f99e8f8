import type { Migration } from './migration.ts';

/** What the check has to know of an erasure gets a column, which no other erasure empties (docs/decisions/0031-log.md). */
export const loggedErasures: Migration = async ({ schema }) => {
  await schema.alterTable('changes').addColumn('erasure', 'text').execute();
};
