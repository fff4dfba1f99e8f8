import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Scope } from '../scope.ts';
import type { Tables } from '../schema/tables.ts';

/**
 * Bytes that the rows of a page may take as JSON. To make a page of them takes the main thread some 9 ms, and of one caller four begin in a
 * turn of the event loop. A single row may take more.
 */
const PAGE_BYTES = 1024 * 1024;
/** Rows of more bytes are in an index of their own (schema.ts). Of smaller rows any hundred fit into a page. */
const LARGE_ROW_BYTES = 4 * 1024;

/** Bytes of a row, in SQL, of tables that may have large rows. */
export const SIZES = {
  contacts: 'octet_length(attributes)',
  events: 'octet_length(attributes)',
  changes: 'size',
  domains: `record_bytes + octet_length(domain) + octet_length(provider) + octet_length(status)
    + octet_length(verification) + octet_length(mail_from_domain)`,
  addresses: `octet_length(full_address) + octet_length(provider) + octet_length(display_name)
    + octet_length(verification)`,
  domain_spans: 'octet_length(finding) + octet_length(evidence) + coalesce(octet_length(previous_found), 0)',
} as const satisfies { [Table in keyof Tables]?: string };
export type SizedTable = keyof typeof SIZES;

/** Bytes of a row of `table`, as an SQL expression. */
function sizeOf(table: SizedTable): RawBuilder<number> {
  return sql.raw(`(${SIZES[table]})`);
}

function isLarge(table: SizedTable): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sizeOf(table)} > ${sql.lit(LARGE_ROW_BYTES)}`;
}

/**
 * SQL: 1 where one of the rows of `table` for which `within` holds is large, else 0. It asks for the largest: PostgreSQL takes a third of
 * the rows for large, and would look for any of them in the whole table, where there is none.
 */
export function hasLargeRows(table: SizedTable, within: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`coalesce((
    select 1 from ${sql.table(table)} where ${within} and ${isLarge(table)} order by ${sizeOf(table)} desc limit 1), 0)`;
}

/**
 * `query` with `per_page` lowered until every page fits into PAGE_BYTES, even one with the largest rows of the list. The list is
 * the rows of `table` for which `within` holds. All pages have the same number of rows, and a repeat of the query with the lower
 * `per_page` gives the same pages.
 */
export async function limitPageBytes<Query extends { per_page: number }>(
  scope: Scope,
  table: SizedTable,
  within: RawBuilder<unknown>,
  query: Query,
): Promise<Query> {
  const size = sizeOf(table);
  const rows = await scope.run(sql<{ size: number }>`
    select ${size} as size from ${sql.table(table)} where ${within} and ${isLarge(table)}
    order by ${size} desc limit ${sql.lit(query.per_page)}`);
  return {
    ...query,
    per_page: rowsThatFit(
      rows.map((row) => row.size),
      query.per_page,
    ),
  };
}

/** The same for reports of domains, which have an index of all their sizes. */
export async function limitReportBytes<Query extends { per_page: number }>(scope: Scope, query: Query): Promise<Query> {
  const size = sql.raw(`(verdict_bytes + ${SIZES.domains})`);
  const rows = await scope.run(sql<{ size: number }>`
    select ${size} as size from domains where workspace_id = ${scope.id}
    order by ${size} desc limit ${sql.lit(query.per_page)}`);
  const sizes = rows.map((row) => row.size);
  return { ...query, per_page: rowsThatFit(sizes, query.per_page) };
}

/** The same for changes of domains, which have an index of those of more than 4 KiB. */
export async function limitChangeBytes<Query extends { per_page: number }>(scope: Scope, query: Query): Promise<Query> {
  const size = sql.raw('(octet_length(finding) + coalesce(octet_length(previous_found), 0))');
  const rows = await scope.run(sql<{ size: number }>`
    select ${size} as size from domain_spans
    where workspace_id = ${scope.id} and is_change = 1 and ${size} > ${sql.lit(LARGE_ROW_BYTES)}
    order by ${size} desc limit ${sql.lit(query.per_page)}`);
  const sizes = rows.map((row) => row.size);
  return { ...query, per_page: rowsThatFit(sizes, query.per_page) };
}

/** `largest` has the sizes of the largest rows in bytes, largest first. */
function rowsThatFit(largest: readonly number[], max: number): number {
  let bytes = 0;
  for (let count = 0; count < max; count++) {
    bytes += largest[count] ?? LARGE_ROW_BYTES;
    if (bytes > PAGE_BYTES) return Math.max(1, count);
  }
  return max;
}
