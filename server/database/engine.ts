import { type Kysely, PostgresAdapter, type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * For statements that each engine has to be told in its own way to be quick; what differs in meaning is settled in this
 * folder.
 */
export function isPostgres(kysely: Kysely<Tables>): boolean {
  return kysely.getExecutor().adapter instanceof PostgresAdapter;
}

/** So many rows a thread goes over before it asks. */
const ROWS_PER_CANCELLATION_CHECK = 1024;

/**
 * For statements that go over many rows: true, and on SQLite what ends them when nobody wants their answer any more
 * (readThreads.ts). To ask costs a third of a search, so that where rows have a number only some are taken for it.
 */
export function cancellationCheck(kysely: Kysely<Tables>, rowNumber?: RawBuilder<number>): RawBuilder<SqlBool> {
  if (isPostgres(kysely)) return sql`true`;
  if (rowNumber === undefined) return sql`still_wanted()`;
  return sql`(${rowNumber} % ${sql.lit(ROWS_PER_CANCELLATION_CHECK)} <> 0 or still_wanted())`;
}
