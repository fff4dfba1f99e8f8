import { expressionBuilder, type RawBuilder, type ReferenceExpression, sql, type SqlBool } from 'kysely';
import type { Tables } from './tables.ts';

type Column<Table extends keyof Tables> = ReferenceExpression<Tables, Table> & string;

/**
 * A condition: `column`, which has folded text (`foldText`), contains `search` literally. `%`, `_` and `\` have no
 * special meaning.
 */
export function containsText<Table extends keyof Tables>(column: Column<Table>, search: string): RawBuilder<SqlBool> {
  return containsFoldedText(column, foldText(search));
}

/**
 * The same with a search that is folded already, for statements that are built before it is known. Not `like`: with a text that
 * nearly matches everywhere, SQLite would take a thousand times as long.
 */
export function containsFoldedText<Table extends keyof Tables>(
  column: Column<Table>,
  folded: string,
): RawBuilder<SqlBool> {
  const { fn } = expressionBuilder<Tables>();
  return sql<SqlBool>`${fn<number>('strpos', [sql.ref(column), sql`cast(${folded} as text)`])} > 0`;
}

/** Text for searching and sorting without letter case. It is done here, because databases disagree on it. */
export function foldText(text: string): string {
  return text.toLowerCase();
}

/** Characters by which text is sorted: an entry in an index of PostgreSQL has at most 2,700 bytes. */
const SORTED_MAX = 200;

/**
 * Characters of a text that are searched. Names are shorter, and longer texts would slow down every search of the
 * workspace.
 */
const SEARCHED_MAX = 256;

/** The start of `text` by which it is sorted. */
export function sortKey(text: string): string {
  return beginning(text, SORTED_MAX);
}

/** The start of `text` that is searched. */
export function searchKey(text: string): string {
  return beginning(text, SEARCHED_MAX);
}

function beginning(text: string, max: number): string {
  // In characters, of which each has at most two UTF-16 units.
  return text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('');
}

/** `sortKey` in SQL. */
export function sortKeyExpression(column: string): RawBuilder<string> {
  return sql<string>`substr(${sql.ref(column)}, 1, ${sql.lit(SORTED_MAX)})`;
}
