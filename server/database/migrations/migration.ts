import type { ColumnDefinitionBuilder, Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** What differs between engines when tables are made. */
export type SchemaDialect = {
  /** What follows a table whose rows shall lie in the order of its primary key. */
  ordered: string;
  /** What precedes a table whose rows may be lost in a crash. */
  unlogged: string;
  /** Whether a search reads all of an index, and not of the table. */
  searchesIndexes: boolean;
};

/** One step of the schema, in a transaction. It does not change once it was released. */
export type Migration = (trx: Kysely<Tables>, dialect: SchemaDialect) => Promise<void>;

export const required = (column: ColumnDefinitionBuilder) => column.notNull();
export const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
