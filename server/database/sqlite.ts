import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';

/** Statements kept ready; the lists compose their SQL, so that their number is not known beforehand. */
const STATEMENTS_MAX = 300;

/** Kysely over one connection of Node's own SQLite. Transactions are in transactions.ts. */
export function sqliteDialect(database: DatabaseSync): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => new SqliteDriver(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

class Adapter extends SqliteAdapter {
  /** A statement runs in one go, so nobody has to wait for the connection. */
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection;

  constructor(database: DatabaseSync) {
    this.#connection = new SqliteConnection(database);
  }

  async acquireConnection() {
    return this.#connection;
  }

  async init() {}
  async releaseConnection() {}
  async destroy() {}

  async beginTransaction(): Promise<void> {
    throw new Error('Transactions are begun by read and write of the database.');
  }
  async commitTransaction() {}
  async rollbackTransaction() {}
}

type Prepared = { statement: StatementSync; hasRows: boolean };

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, hasRows } = this.#prepare(sql);
    if (Array.isArray(parameters[0])) return { rows: runEach(statement, hasRows, parameters as SQLInputValue[][]) };
    const values = parameters as SQLInputValue[];
    if (hasRows) return { rows: statement.all(...values) as Row[] };
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
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** Values that are lists of values are those of many runs (insertRows.ts): what they return, else what each of them changed. */
function runEach<Row>(statement: StatementSync, hasRows: boolean, runs: readonly SQLInputValue[][]): Row[] {
  const run = (values: SQLInputValue[]) => (hasRows ? statement.all(...values) : [statement.run(...values)]);
  return runs.flatMap((values) => run(values) as Row[]);
}
