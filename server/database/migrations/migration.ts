import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
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

export const required = (column: ColumnDefinitionBuilder) => column.notNull();
export const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
