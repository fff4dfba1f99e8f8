import { type Kysely, PostgresAdapter } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * For the one statement that each engine has to be told in its own way to be quick (contacts/events.ts); whatever else
 * differs is settled in this folder.
 */
export function isPostgres(kysely: Kysely<Tables>): boolean {
  return kysely.getExecutor().adapter instanceof PostgresAdapter;
}
