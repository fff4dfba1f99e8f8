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

  /** Values that are lists of values are those of many runs (insertRows.ts). */
  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { statement, hasRows } = this.#prepare(sql);
    const runs = (Array.isArray(parameters[0]) ? parameters : [parameters]) as SQLInputValue[][];
    const rows: Row[] = [];
    let changes = 0;
    for (const values of runs) {
      if (hasRows) rows.push(...(statement.all(...values) as Row[]));
      else changes += Number(statement.run(...values).changes);
    }
    return { numAffectedRows: BigInt(changes), rows };
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
