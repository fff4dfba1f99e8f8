import {
  type CompiledQuery,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  type FunctionNode,
  Kysely,
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
import { toDatabaseError } from './sqliteErrors.ts';
import type { Tables } from '../tables.ts';

/** Runs one statement. */
export type Execute = <Result>(query: CompiledQuery) => Promise<QueryResult<Result>>;

/** One for all connections: statements are cached by adapter (statement.ts). */
const ADAPTER = new SqliteAdapter();

/** Kysely over one connection of Node's own SQLite. Transactions are in transactions.ts. */
export function createSqliteKysely(database: DatabaseSync): Kysely<Tables> {
  return createKyselyWith(executeOn(database));
}

/** Kysely that runs its statements through `execute`. */
export function createKyselyWith(execute: Execute): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => ADAPTER,
    createDriver: () => new NoTransactions(),
    createQueryCompiler: () => new Compiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
  const executor = new Executor(dialect, execute);
  return new Kysely({ config: { dialect }, dialect, driver: dialect.createDriver(), executor });
}

class Compiler extends SqliteQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    super.visitFunction(node.func === 'strpos' ? { ...node, func: 'instr' } : node);
  }
}

/** Runs statements directly. Acquiring and releasing a connection takes longer than a short statement. */
class Executor extends DefaultQueryExecutor {
  readonly #execute: Execute;

  constructor(dialect: Dialect, execute: Execute) {
    const connection = { executeQuery: execute, streamQuery };
    super(dialect.createQueryCompiler(), dialect.createAdapter(), {
      provideConnection: (consumer) => consumer(connection),
    });
    this.#execute = execute;
  }

  override executeQuery<Result>(query: CompiledQuery): Promise<QueryResult<Result>> {
    return this.#execute(query);
  }
}

/** Not supported: while a stream is open, later reads on its connection would see the same old state of the data. */
// oxlint-disable-next-line require-yield -- it only throws
async function* streamQuery(): AsyncIterableIterator<never> {
  throw new Error('Read long results page by page.');
}

class NoTransactions extends DummyDriver {
  override async beginTransaction(): Promise<void> {
    throw new Error('Transactions are begun by read and write of the database.');
  }
}

function executeOn(database: DatabaseSync): Execute {
  const statements = new PreparedStatements(database);

  function run({ sql, parameters }: CompiledQuery): QueryResult<unknown> {
    const prepared = statements.get(sql);
    const { statement, columns } = prepared;
    const hasRows = columns.length > 0;
    // Lists of values are for one run each (insertRows.ts). The result has the rows of all runs, or their numbers of
    // changes.
    if (Array.isArray(parameters[0])) {
      const runOnce = (values: SQLInputValue[]): object[] =>
        hasRows ? rowsOf(prepared, values) : [statement.run(...values)];
      return { rows: (parameters as SQLInputValue[][]).flatMap(runOnce) };
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
