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
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseBusy } from './failures.ts';

/** Begin of a transaction: one that writes takes its lock at once, because a later upgrade could fail (SQLITE_BUSY_SNAPSHOT). */
type Begin = 'begin' | 'begin immediate';

const SQLITE_BUSY = 5;
/** How long a write waits while another process writes: `npm run admin` beside the service. */
const BUSY_LIMIT_MS = 10_000;
const BUSY_PAUSE_MS = 4;

/** Statements kept ready; the lists compose their SQL, so that their number is not known beforehand. */
const STATEMENTS_MAX = 300;

/**
 * Kysely over one connection of Node's own SQLite. Kysely hands the connection to one query or transaction at a time,
 * in the order in which they asked.
 */
export function sqliteDialect(database: DatabaseSync, begin: Begin): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(database, begin),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
  };
}

class SqliteDriver implements Driver {
  readonly #database: DatabaseSync;
  readonly #connection: SqliteConnection;
  readonly #begin: Begin;

  constructor(database: DatabaseSync, begin: Begin) {
    this.#database = database;
    this.#connection = new SqliteConnection(database);
    this.#begin = begin;
  }

  async init() {}

  async acquireConnection() {
    return this.#connection;
  }

  /** Waits without SQLite's own busy timeout, which would stop the whole process while it waits. */
  async beginTransaction() {
    const deadline = performance.now() + BUSY_LIMIT_MS;
    for (;;) {
      try {
        this.#connection.run(this.#begin, []);
        return;
      } catch (error) {
        if ((error as { errcode?: unknown }).errcode !== SQLITE_BUSY) throw error;
        if (performance.now() > deadline) throw new DatabaseBusy(error);
      }
      await delay(BUSY_PAUSE_MS);
    }
  }

  async commitTransaction() {
    this.#connection.run('commit', []);
  }

  async rollbackTransaction() {
    // After some failures (a full disk) SQLite has rolled back by itself.
    if (this.#database.isTransaction) this.#connection.run('rollback', []);
  }

  async releaseConnection() {}

  async destroy() {
    this.#database.close();
  }
}

type Prepared = { statement: StatementSync; hasRows: boolean };

class SqliteConnection implements DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run<Row>(sql, parameters as SQLInputValue[]);
  }

  run<Row>(sql: string, parameters: readonly SQLInputValue[]): QueryResult<Row> {
    const { statement, hasRows } = this.#prepare(sql);
    if (hasRows) return { rows: statement.all(...parameters) as Row[] };
    return { numAffectedRows: BigInt(statement.run(...parameters).changes), rows: [] };
  }

  /** A stream would hold its view of the data open, and every later read on this connection would share the old view. */
  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Read long results page by page.');
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    if (this.#statements.size >= STATEMENTS_MAX) this.#statements.clear();
    const statement = this.#database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    this.#statements.set(sql, prepared);
    return prepared;
  }
}
