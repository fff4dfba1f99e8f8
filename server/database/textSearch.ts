import { expressionBuilder, type RawBuilder, type ReferenceExpression, sql, type SqlBool } from 'kysely';
import type { Tables } from './tables.ts';

type Column<Table extends keyof Tables> = ReferenceExpression<Tables, Table> & string;

/** `search` is a part of `column`, which holds folded text (`foldText`), sign by sign: `%`, `_` and `\` mean themselves. */
export function containsText<Table extends keyof Tables>(column: Column<Table>, search: string): RawBuilder<SqlBool> {
  return containsFoldedText(column, foldText(search));
}

/**
 * The same where a statement is built before the search is known. Not `like`: SQLite would compare all of a pattern sign by
 * sign at each place of the text, which takes a thousand times as long with a text that nearly has it everywhere.
 */
export function containsFoldedText<Table extends keyof Tables>(
  column: Column<Table>,
  folded: string,
): RawBuilder<SqlBool> {
  const { fn } = expressionBuilder<Tables>();
  return sql<SqlBool>`${fn<number>('strpos', [sql.ref(column), sql`cast(${folded} as text)`])} > 0`;
}

/** Text as it is searched and, where people expect it, sorted: without letter casing. Databases disagree on that, so it is done here. */
export function foldText(text: string): string {
  return text.toLowerCase();
}

/** Characters that text is sorted by: PostgreSQL takes no more than 2,700 bytes into an index. */
export const SORTED_MAX = 200;

/** Characters of a text that a search looks at: more is no name, and each of them would cost every search of the workspace. */
export const SEARCHED_MAX = 256;

/** `text` as far as it is sorted by. */
export function sortKey(text: string): string {
  return beginning(text, SORTED_MAX);
}

/** `text` as far as it is searched. */
export function searchKey(text: string): string {
  return beginning(text, SEARCHED_MAX);
}

function beginning(text: string, max: number): string {
  // A character has at most two units.
  return text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('');
}

/** What a column is sorted by, in SQL. */
export function sortKeyExpression(column: string): RawBuilder<string> {
  return sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(SORTED_MAX)})`;
}
