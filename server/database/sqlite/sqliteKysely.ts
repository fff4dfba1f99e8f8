import {
  type CompiledQuery,
  type Dialect,
  DummyDriver,
  type FunctionNode,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type RowValues,
  type PreparedStatement,
  PreparedStatements,
  type ResultRow,
  rowOf,
} from './preparedStatements.ts';
import { SQLITE_ENGINE } from './sqliteEngine.ts';
import { toDatabaseError } from './sqliteErrors.ts';
import { createDirectKysely, type Execute } from '../directKysely.ts';
import type { Tables } from '../schema/tables.ts';

/** One for all connections: statements are cached by adapter (statement.ts). */
const ADAPTER = new (class extends SqliteAdapter {
  readonly engine = SQLITE_ENGINE;
})();

/** Kysely over one connection of Node's own SQLite. Transactions are in transactions.ts. */
export function createSqliteKysely(database: DatabaseSync): Kysely<Tables> {
  return createKyselyWith(executeOn(database));
}

/**
 * The same for a transaction. SQLite itself rolls back after some errors, such as a full disk. Then further statements would each
 * be committed alone, so they fail with the same error.
 */
export function createTransactionKysely(database: DatabaseSync): Kysely<Tables> {
  const execute = executeOn(database);
  let fatal: unknown = new Error('There is no transaction.');
  return createKyselyWith(async (query) => {
    if (!database.isTransaction) throw fatal;
    try {
      return await execute(query);
    } catch (error) {
      if (!database.isTransaction) fatal = error;
      throw error;
    }
  });
}

/** Kysely that runs its statements through `execute`. */
export function createKyselyWith(execute: Execute): Kysely<Tables> {
  return createDirectKysely(DIALECT, execute);
}

class Compiler extends SqliteQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    super.visitFunction(node.func === 'strpos' ? { ...node, func: 'instr' } : node);
  }
}

const DIALECT: Dialect = {
  createAdapter: () => ADAPTER,
  createDriver: () => new DummyDriver(),
  createQueryCompiler: () => new Compiler(),
  createIntrospector: (kysely) => new SqliteIntrospector(kysely),
};

function executeOn(database: DatabaseSync): Execute {
  const statements = new PreparedStatements(database);

  function run({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    const prepared = statements.get(sql);
    const { statement, columns } = prepared;
    const hasRows = columns.length > 0;
    // runEach.ts
    if (Array.isArray(parameters[0])) {
      const lists = parameters as SQLInputValue[][];
      if (hasRows) return { rows: lists.flatMap((values) => rowsOf(prepared, values)) };
      return { rows: lists.map((values) => Number(statement.run(...values).changes)) };
    }
    const values = parameters as SQLInputValue[];
    if (hasRows) return { rows: rowsOf(prepared, values) };
    return { numAffectedRows: BigInt(statement.run(...values).changes), rows: [] };
  }

  return async <Result>(query: CompiledQuery) => {
    try {
      return run(query) as QueryResult<Result>;
    } catch (error) {
      throw toDatabaseError(error);
    }
  };
}

function rowsOf(prepared: PreparedStatement, values: readonly SQLInputValue[]): ResultRow[] {
  return prepared.statement.all(...values).map((cells) => rowOf(prepared, cells as unknown as RowValues));
}
