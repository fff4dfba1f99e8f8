import { type RawBuilder, sql, type SqlBool } from 'kysely';

/** Rows between two checks. */
const ROWS_PER_CANCELLATION_CHECK = 1024;

/** See `Engine`. */
export function cancellationCheck(rowNumber?: RawBuilder<number>): RawBuilder<SqlBool> {
  return rowNumber === undefined
    ? sql`still_wanted()`
    : sql`(${rowNumber} % ${sql.lit(ROWS_PER_CANCELLATION_CHECK)} <> 0 or still_wanted())`;
}
