import { sql } from 'kysely';
import type { Transaction } from './database.ts';
import { insertRows, type StoredRow } from './insertRows.ts';
import type { Tables } from './tables.ts';
import { WALK_PAGE } from './walk.ts';

type Table = Exclude<keyof Tables, 'schema_versions'>;

/** Every table, after those that its rows refer to, with its primary key; but for the schema, which each database has of its own. */
const KEYS: { readonly [Name in Table]: readonly (keyof Tables[Name] & string)[] } = {
  workspaces: ['id'],
  tokens: ['hash'],
  sessions: ['hash'],
  sign_in_codes: ['hash'],
  contacts: ['workspace_id', 'id'],
  identities: ['workspace_id', 'kind', 'key'],
  contact_changes: ['workspace_id', 'contact_id', 'number'],
  events: ['workspace_id', 'contact_id', 'created_at', 'uuid'],
  event_names: ['workspace_id', 'contact_id', 'event_name'],
  event_periods: ['workspace_id', 'contact_id', 'level', 'event_name', 'period'],
  domains: ['workspace_id', 'uuid'],
  dns_records: ['workspace_id', 'domain_uuid', 'position'],
  addresses: ['workspace_id', 'uuid'],
};
export const TABLES = Object.keys(KEYS) as Table[];

export async function countRows(trx: Transaction, table: Table): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** Copies every row of `table` as it is, holding one page of them; `onPage` is told how many rows each has. */
export async function copyTable(
  table: Table,
  source: Transaction,
  target: Transaction,
  onPage: (rows: number) => void,
): Promise<void> {
  for await (const { rows } of pagesOf(source, table)) {
    await insertRows(target, table, rows);
    onPage(rows.length);
  }
}

/** Compares every row of `table` on both sides, page by page, and says in one sentence each where they differ. */
export async function* tableDifferences(
  table: Table,
  source: Transaction,
  target: Transaction,
  onPage: (rows: number) => void,
): AsyncGenerator<string> {
  for await (const { after, rows } of pagesOf(source, table)) {
    const found = await rowsBetween(target, table, after, rows.at(-1) ?? null);
    const copies = new Map(found.map((row) => [nameOf(table, row), row]));
    for (const row of rows) {
      const name = nameOf(table, row);
      const copy = copies.get(name);
      copies.delete(name);
      if (copy === undefined) yield `${name} is missing.`;
      else for (const column in row) if (row[column] !== copy[column]) yield `${name} differs in ${column}.`;
    }
    for (const name of copies.keys()) yield `${name} should not be there.`;
    onPage(rows.length);
  }
}

/** The rows of `table` in the order of its key, and at the end an empty page, which stands for all that could follow. */
async function* pagesOf(
  trx: Transaction,
  table: Table,
): AsyncGenerator<{ after: StoredRow | null; rows: StoredRow[] }> {
  let after: StoredRow | null = null;
  for (;;) {
    const rows: StoredRow[] = await rowsBetween(trx, table, after, null);
    yield { after, rows };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last;
  }
}

/** The rows after `last` up to `end`, in the order of the key; where `end` is null, a page of them. */
async function rowsBetween(
  trx: Transaction,
  table: Table,
  last: StoredRow | null,
  end: StoredRow | null,
): Promise<StoredRow[]> {
  const keys = sql.join(KEYS[table].map((column) => sql.ref(column)));
  const valuesOf = (row: StoredRow) => sql.join(KEYS[table].map((column) => row[column]));
  const conditions = [
    ...(last === null ? [] : [sql`(${keys}) > (${valuesOf(last)})`]),
    ...(end === null ? [] : [sql`(${keys}) <= (${valuesOf(end)})`]),
  ];
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`;
  const limit = end === null ? sql`limit ${sql.lit(WALK_PAGE)}` : sql``;
  const { rows } = await sql<StoredRow>`
    select * from ${sql.table(table)} ${where} order by ${keys} ${limit}`.execute(trx);
  return rows;
}

function nameOf(table: Table, row: StoredRow): string {
  return `${table} ${KEYS[table].map((column) => row[column]).join(' ')}`;
}
