import { type RawBuilder, type ReferenceExpression, sql, type SqlBool } from 'kysely';
import type { Tables } from './tables.ts';

type Column<Table extends keyof Tables> = ReferenceExpression<Tables, Table> & string;

/** `search` is a part of `column`, which holds folded text (`foldText`): `%`, `_` and `\` mean themselves. */
export function containing<Table extends keyof Tables>(column: Column<Table>, search: string): RawBuilder<SqlBool> {
  return matching(column, patternOf(search));
}

/** The same where a statement is built before the search is known: `pattern` is from `patternOf`. */
export function matching<Table extends keyof Tables>(column: Column<Table>, pattern: string): RawBuilder<SqlBool> {
  // Without the cast SQLite would look at the pattern and prepare the statement anew for each of them.
  return sql<SqlBool>`${sql.ref(column)} like cast(${pattern} as text) escape '\\'`;
}

export function patternOf(search: string): string {
  return `%${foldText(search).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

/** Text as it is searched and, where people expect it, sorted: without letter casing. Databases disagree on that, so it is done here. */
export function foldText(text: string): string {
  return text.toLowerCase();
}

/** Characters that text is sorted by: PostgreSQL takes no more than 2,700 bytes into an index. */
export const SORTED_MAX = 200;

/** `text` as far as it is sorted by. */
export function sortKey(text: string): string {
  return text.length <= SORTED_MAX ? text : Array.from(text).slice(0, SORTED_MAX).join('');
}

/** The same of a column, in SQL. */
export function sortedPart(column: string): RawBuilder<string> {
  return sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(SORTED_MAX)})`;
}
