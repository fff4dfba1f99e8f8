import {
  CompiledQuery,
  type DataTypeNode,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
} from 'kysely';
import { type ClientBase, type ClientConfig, Pool, type QueryResult, TypeOverrides, types } from 'pg';
import { must } from '#contract/must.ts';
import type { PoolStats, Transaction } from '../database.ts';
import {
  CommitUncertainError,
  DatabaseFullError,
  DatabaseGoneError,
  DatabaseUnavailableError,
} from '../databaseErrors.ts';
import { POSTGRES_ENGINE } from './postgresEngine.ts';
import { toDatabaseError, noConnectionFree, type ConnectionPurpose } from './postgresErrors.ts';
import { runStatement, StatementNames } from './preparedStatements.ts';
import { type RowScope, setRowScope } from './rowSecurity.ts';
import type { Tables } from '../tables.ts';

/**
 * Milliseconds that a statement waits for a lock, and a read or write for a connection: as long as a write waits on
 * SQLite.
 */
export const WAIT_LIMIT_MS = 10_000;

/**
 * Begins a transaction that sees one state of the data, without bitmap scans. While the server has no statistics of a table, as
 * after an import, it takes the table for small. It would then collect and sort all rows of a list, instead of reading a page in
 * the order of an index. Nor does it compile a statement (jit), which takes hundreds of milliseconds, and which it does where
 * its estimate is high: for the activity of a contact with a million events that was nearly all of its time.
 */
const READ = 'begin isolation level repeatable read read only; set local enable_bitmapscan = off; set local jit = off';

/** SQL that begins a read. Its statements may take `limitMs` milliseconds each; null is what the server allows. */
export function beginRead(scope: RowScope, limitMs: number | null): string {
  const limit = limitMs === null ? '' : `; set local statement_timeout = ${limitMs}`;
  return `${READ}; ${setRowScope(scope)}${limit}`;
}

const COMMIT = 'commit';
/** Class of SQLSTATEs. */
const WARNING = '01';

/** Sets a lock timeout, unless the server has one of its own. */
const LIMIT_LOCKS = `select set_config('lock_timeout', '${WAIT_LIMIT_MS}', false) where current_setting('lock_timeout') = '0'`;

/** Milliseconds. Without a response until then a connection or query fails with `DatabaseGoneError`. */
export type ConnectionTimeouts = { connectMs: number; queryMs?: number };

/** Null for an address that is not of PostgreSQL or names no database. */
export function parsePostgresUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && /^\/./.test(url.pathname) ? url : null;
}

/** Parses the address in the setting `name`. Throws `DatabaseUnavailableError`. */
export function requirePostgresUrl(name: string, text: string): URL {
  const url = parsePostgresUrl(text);
  if (url !== null) return url;
  throw new DatabaseUnavailableError(
    `${name} must name a server and a database, like postgres://user@localhost/sendroom.`,
  );
}

export type PoolCounts = Omit<PoolStats, 'name'>;
export type PooledKysely = Kysely<Tables> & { counts: () => PoolCounts };

/** Kysely over at most `max` connections to `url`, opened when they are needed. Errors are those of `toDatabaseError`. */
export function createPool(
  url: URL,
  purpose: ConnectionPurpose,
  max: number,
  timeouts?: ConnectionTimeouts,
): PooledKysely {
  const ours = new WeakSet<ClientBase>();
  const names = new StatementNames();
  const pool = new Pool({
    ...clientConfig(url, timeouts),
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it, although its types do not say so
    onConnect: async (client) => {
      if (!(await isSessionOurs(client))) return;
      await client.query(purpose === 'reads' ? `${READ_ONLY}; ${PLAN_EACH}` : PLAN_EACH);
      ours.add(client);
    },
    max,
  });
  // Without listeners these errors would end the process. A broken idle connection has left the pool; on one in use
  // the next statement fails.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  async function connect() {
    const client = await pool.connect().catch((error: unknown) => {
      throw pool.totalCount >= max ? noConnectionFree(error) : toDatabaseError(error, purpose);
    });
    let isBroken = false;
    return {
      async query(text: string, values: unknown[]) {
        try {
          return await query(
            client,
            text,
            values,
            values.length > 0 && ours.has(client) ? names.nameOf(text) : undefined,
          );
        } catch (error) {
          const databaseError = toDatabaseError(error, purpose);
          // Also where the server is a standby now: a new connection may reach the new primary.
          isBroken ||= databaseError instanceof DatabaseGoneError;
          throw databaseError;
        }
      },
      release: () => client.release(isBroken),
    };
  }
  // All that Kysely needs of a pool, except for cursors, which are not used here.
  const pooled = { connect, end: () => pool.end(), options: {} };
  return Object.assign(new Kysely<Tables>({ dialect: new Dialect({ pool: pooled as never }) }), {
    counts: () => ({ max, used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
  });
}

/** The options of every connection. */
export function clientConfig(url: URL, timeouts: ConnectionTimeouts = { connectMs: WAIT_LIMIT_MS }): ClientConfig {
  return {
    connectionString: url.href,
    connectionTimeoutMillis: timeouts.connectMs,
    query_timeout: timeouts.queryMs,
    keepAlive: true,
    application_name: 'sendroom',
    types: NUMBERS,
  };
}

async function query(
  client: ClientBase,
  text: string,
  values: unknown[],
  name: string | undefined,
): Promise<object | undefined> {
  if (text === COMMIT) return queryCommit(client);
  if (name !== undefined) return runStatement(client, { text, values, name });
  const result: QueryResult | QueryResult[] = await client.query(text, values);
  // Several statements in one text give the result of the last.
  return Array.isArray(result) ? result.at(-1) : result;
}

/**
 * Commits. When the wait for a synchronous standby is cancelled (`pg_cancel_backend`), the commit is done on this server alone, and
 * a failover would lose it. The server says so in a warning. That rejects like a connection that breaks during a commit.
 */
async function queryCommit(client: ClientBase): Promise<QueryResult> {
  const warnings: unknown[] = [];
  const onNotice = ({ code, message }: { code: string | undefined; message: string | undefined }) =>
    void (code?.startsWith(WARNING) && warnings.push(message));
  client.on('notice', onNotice);
  try {
    const result = await client.query(COMMIT);
    if (warnings.length > 0) throw new Error(String(warnings[0]));
    return result;
  } finally {
    client.off('notice', onNotice);
  }
}

/** SQL that makes a session read-only. */
export const READ_ONLY = `set default_transaction_read_only = on; ${LIMIT_LOCKS}`;
/** Statements that are prepared are planned for their values each time, like others. */
const PLAN_EACH = 'set plan_cache_mode = force_custom_plan';

/**
 * Whether no other client uses the same session of the server. Behind a pooler such as pgbouncer it is shared, and the next client
 * would get our settings and prepared statements. There the process id that the client was told differs from that of the session.
 */
export async function isSessionOurs(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { processID } = client as { processID?: number };
  return must(rows[0]).pid === processID;
}

/**
 * Runs `work` between `begin`, SQL of one or more statements, and a commit; an error rolls it back. `begun` has the rows of the
 * last statement of `begin`. Throws `CommitUncertainError` where the connection breaks during the commit of a write.
 */
export function inTransaction<Result>(
  kysely: Kysely<Tables>,
  purpose: ConnectionPurpose,
  begin: string,
  work: (trx: Transaction, begun: unknown[]) => Promise<Result>,
): Promise<Result> {
  return kysely.connection().execute(async (trx) => {
    try {
      const result = await work(trx, await run(trx, begin));
      await commit(trx, purpose);
      return result;
    } catch (error) {
      if (!(error instanceof DatabaseGoneError || error instanceof CommitUncertainError)) await run(trx, 'rollback');
      throw error;
    }
  });
}

async function commit(trx: Transaction, purpose: ConnectionPurpose): Promise<void> {
  const [result] = await run(trx, COMMIT).catch((error: unknown) => {
    throw purpose === 'writes' && (error instanceof DatabaseGoneError || error instanceof DatabaseFullError)
      ? new CommitUncertainError(error)
      : error;
  });
  if ((result as { command: string }).command !== 'COMMIT')
    throw new Error('A statement failed in this transaction, so nothing of it was kept.');
}

async function run(trx: Transaction, sql: string): Promise<unknown[]> {
  return (await trx.executeQuery(CompiledQuery.raw(sql))).rows;
}

/** One for all connections: statements are cached by adapter (statement.ts). */
const ADAPTER = new (class extends PostgresAdapter {
  readonly engine = POSTGRES_ENGINE;
})();

class Dialect extends PostgresDialect {
  override createAdapter() {
    return ADAPTER;
  }

  override createQueryCompiler() {
    return COMPILER;
  }
}

class Compiler extends PostgresQueryCompiler {
  /** Text is compared byte by byte, as in SQLite, whatever the locale of the server. */
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    if (node.dataType === 'text') this.append(' collate "C"');
  }
}

const COMPILER = new Compiler();

/** Without a pool. */
export const DIALECT = new Dialect({ pool: {} as never });

/** `pg` gives these as text, because they could be too large for a number of JavaScript. Our counts and times are not. */
const NUMBERS = new TypeOverrides();
NUMBERS.setTypeParser(types.builtins.INT8, Number);
NUMBERS.setTypeParser(types.builtins.NUMERIC, Number);
