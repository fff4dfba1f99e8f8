import type { Migration } from './migration.ts';

/** Events are counted by name only (docs/decisions/0002-lists.md). */
export const eventCounts: Migration = async ({ schema }) => {
  await schema.dropTable('event_periods').execute();
  await schema.alterTable('contacts').dropColumn('event_count').execute();
};
