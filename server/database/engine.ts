import { type Kysely, PostgresAdapter, type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Tables } from './tables.ts';

/** For statements that need different SQL on each engine to be fast. Their results do not differ. */
export function isPostgres(kysely: Kysely<Tables>): boolean {
  return kysely.getExecutor().adapter instanceof PostgresAdapter;
}

/** Rows between two checks. */
const ROWS_PER_CANCELLATION_CHECK = 1024;

/**
 * A condition that is true, for statements that scan many rows. On SQLite it ends the statement after its read was cancelled
 * (readThreads.ts). The check costs a third of a search, so with `rowNumber` it is made for some of the rows only.
 */
export function cancellationCheck(kysely: Kysely<Tables>, rowNumber?: RawBuilder<number>): RawBuilder<SqlBool> {
  if (isPostgres(kysely)) return sql`true`;
  if (rowNumber === undefined) return sql`still_wanted()`;
  return sql`(${rowNumber} % ${sql.lit(ROWS_PER_CANCELLATION_CHECK)} <> 0 or still_wanted())`;
}
