import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { Tables } from './tables.ts';

/** Statements kept ready; the lists compose their SQL, so that their number is not known beforehand. */
const STATEMENTS_MAX = 300;

/** Kysely over one connection of Node's own SQLite. Transactions are in transactions.ts. */
export function kyselyOn(database: DatabaseSync): Kysely<Tables> {
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new NoTransactions(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
  const executor = new Executor(dialect, new SqliteConnection(database));
  return new Kysely({ config: { dialect }, dialect, driver: dialect.createDriver(), executor });
}

/** Statements go straight to the connection: to be handed it and to give it back takes longer than a short statement. */
class Executor extends DefaultQueryExecutor {
  readonly #connection: SqliteConnection;

  constructor(dialect: Dialect, connection: SqliteConnection) {
    const provider: ConnectionProvider = { provideConnection: (consumer) => consumer(connection) };
    super(dialect.createQueryCompiler(), dialect.createAdapter(), provider);
    this.#connection = connection;
  }

  override executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery(query);
  }
}

class NoTransactions extends DummyDriver {
  override async beginTransaction(): Promise<void> {
    throw new Error('Transactions are begun by read and write of the database.');
  }
}

type AnyRow = Record<string, unknown>;
type Cells = readonly unknown[];

/** `columns` is empty where a statement gives no rows; `blank` is a row that has its columns, but no values yet. */
type Prepared = { statement: StatementSync; columns: string[]; blank: AnyRow };

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const prepared = this.#prepare(sql);
    const { statement, columns } = prepared;
    const hasRows = columns.length > 0;
    // Lists of values are those of many runs (insertRows.ts): they give what each of them returns, else what it changed.
    if (Array.isArray(parameters[0])) {
      const run = (values: SQLInputValue[]): object[] =>
        hasRows ? rowsOf(prepared, values) : [statement.run(...values)];
      return { rows: (parameters as SQLInputValue[][]).flatMap(run) as Row[] };
    }
    const values = parameters as SQLInputValue[];
    if (hasRows) return { rows: rowsOf(prepared, values) as Row[] };
    return { numAffectedRows: BigInt(statement.run(...values).changes), rows: [] };
  }

  /** A stream would hold its view of the data open, and later reads on this connection would share that old view. */
  // oxlint-disable-next-line require-yield -- it never gets that far
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Read long results page by page.');
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    if (this.#prepared.size >= STATEMENTS_MAX) this.#prepared.clear();
    const statement = this.#database.prepare(sql);
    // The rows that Node makes by itself take longer to make and to read: V8 keeps them as hash tables.
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name }) => name);
    const prepared = { statement, columns, blank: Object.fromEntries(columns.map((name) => [name, null])) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function rowsOf(prepared: Prepared, values: readonly SQLInputValue[]): AnyRow[] {
  return prepared.statement.all(...values).map((cells) => rowOf(prepared, cells as unknown as Cells));
}

function rowOf({ columns, blank }: Prepared, cells: Cells): AnyRow {
  // A copy that is filled in takes less time than a row that gets its columns one by one.
  const row = { ...blank };
  let index = 0;
  for (const name of columns) row[name] = cells[index++];
  return row;
}
