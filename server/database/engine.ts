import { type Kysely, PostgresAdapter } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * For statements that each engine has to be told in its own way to be quick; what differs in meaning is settled in this
 * folder.
 */
export function isPostgres(kysely: Kysely<Tables>): boolean {
  return kysely.getExecutor().adapter instanceof PostgresAdapter;
}
