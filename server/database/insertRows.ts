import type { Transaction } from './database.ts';
import { engineOf } from './engine.ts';
import type { NewRow, Scope, WorkspaceTable } from './scope.ts';
import type { StoredRow } from './storedRow.ts';
import type { Tables } from './schema/tables.ts';

/** Inserts rows that all have the same columns, in the way that is fastest on each engine. */
export async function insertRows(trx: Transaction, table: keyof Tables, rows: readonly StoredRow[]): Promise<void> {
  if (rows.length > 0) await engineOf(trx).insertRows(trx, table, rows);
}

/** `insertRows` for rows of a workspace. */
export async function insertOwnRows<Name extends WorkspaceTable>(
  scope: Scope,
  table: Name,
  rows: readonly (NewRow<Name> & StoredRow)[],
): Promise<void> {
  await insertRows(scope.kysely, table, [...withWorkspace(scope, rows)]);
}

/**
 * Inserts the rows whose `key`, a unique text column, no row of the workspace has yet. Gives for each whether it was
 * inserted. Each row is taken once, on PostgreSQL while those before it are inserted.
 */
export async function insertNewRows<Name extends WorkspaceTable, Row extends NewRow<Name> & StoredRow>(
  scope: Scope,
  table: Name,
  key: keyof Row & string,
  rows: Iterable<Row>,
): Promise<boolean[]> {
  return engineOf(scope.kysely).insertNewRows(scope, table, key, withWorkspace(scope, rows));
}

/**
 * Inserts rows that may exist already. `conflictClause` is the SQL after the values, such as
 * `on conflict ... do update ... returning ...`. Gives the rows that it returns.
 */
export async function upsertRows<Returned, Name extends WorkspaceTable = WorkspaceTable>(
  { id, kysely }: Scope,
  table: Name,
  rows: readonly (NewRow<Name> & StoredRow)[],
  conflictClause: string,
): Promise<Returned[]> {
  if (rows.length === 0) return [];
  const upsert = engineOf(kysely).upsert(table, [...withWorkspace({ id }, rows)], conflictClause);
  return (await kysely.executeQuery<Returned>(upsert)).rows;
}

function* withWorkspace({ id }: Pick<Scope, 'id'>, rows: Iterable<StoredRow>): Iterable<StoredRow> {
  for (const row of rows) yield { ...row, workspace_id: id };
}
