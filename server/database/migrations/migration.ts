import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import { DatabaseUnavailableError } from '../databaseErrors.ts';
import type { Tables } from '../tables.ts';

/** Differences between the engines in SQL that creates tables. */
export type SchemaDialect = {
  /** SQL after a table whose rows are stored in the order of the primary key. */
  ordered: string;
  /** SQL before a table whose rows may be lost in a crash. */
  unlogged: string;
  /** Whether a search scans an index instead of the table. */
  searchesIndexes: boolean;
  /** Whether the server can keep the rows of workspaces apart. */
  hasRowSecurity: boolean;
};

/** One step of the schema, which runs in a transaction. A released step never changes. */
export type Migration = (trx: Kysely<Tables>, dialect: SchemaDialect) => Promise<void>;

/** A step that was done, of how many, and the milliseconds that it took. */
export type MigratedStep = { version: number; of: number; ms: number };

export const required = (column: ColumnDefinitionBuilder) => column.notNull();
export const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);

/** Lets the server keep the rows of `table`, which has a `workspace_id`, apart (docs/decisions/0025-row-level-security.md). */
export async function addWorkspacePolicy(trx: Kysely<Tables>, table: string): Promise<void> {
  await sql`alter table ${sql.table(table)} enable row level security, force row level security`.execute(trx);
  const setting = sql.raw(`current_setting('sendroom.workspace', true)`);
  // The planner takes `is not null` to hold for every row (09-rowSecurity.ts).
  await sql`
    create policy workspace on ${sql.table(table)} using (nullif(
      (workspace_id = nullif(nullif(${setting}, ''), '*')::bigint or ${setting} = '*'), false
    ) is not null)`.execute(trx);
}

/**
 * For a step after which processes from before it would do wrong: throws where there are any, with `consequence` in its sentence.
 * In an empty database there are none. With a schema of its own, others may use the same database.
 */
export async function rejectOtherProcesses(
  trx: Kysely<Tables>,
  { hasRowSecurity: isServer }: SchemaDialect,
  consequence: string,
): Promise<void> {
  if (!isServer) return;
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and application_name = 'sendroom' and pid <> pg_backend_pid()
      and exists (select from workspaces) and current_schema() = 'public'`.execute(trx);
  if (rows.length === 0) return;
  throw new DatabaseUnavailableError(
    `Other processes use this database (connections: ${rows.length}) and ${consequence}: stop all of them, then start this version.`,
  );
}
