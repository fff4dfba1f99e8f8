import { type RawBuilder, type ReferenceExpression, sql, type SqlBool } from 'kysely';
import type { Tables } from './tables.ts';

type Column<Table extends keyof Tables> = ReferenceExpression<Tables, Table> & string;

/** `search` is a part of `column`, which holds folded text (`foldText`): `%`, `_` and `\` mean themselves. */
export function containing<Table extends keyof Tables>(column: Column<Table>, search: string): RawBuilder<SqlBool> {
  const literal = foldText(search).replaceAll(/[\\%_]/g, String.raw`\$&`);
  return sql<SqlBool>`${sql.ref(column)} like cast(${`%${literal}%`} as text) escape '\\'`;
}

/** Text as it is searched and, where people expect it, sorted: without letter casing. Databases disagree on that, so it is done here. */
export function foldText(text: string): string {
  return text.toLowerCase();
}
