import {
  CompiledQuery,
  type DataTypeNode,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
} from 'kysely';
import { pipeline } from 'node:stream/promises';
import { type ClientBase, type ClientConfig, Pool, type QueryResult, TypeOverrides, types } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { PoolStats as PoolCounts, Transaction } from '../database.ts';
import {
  CommitUncertainError,
  DatabaseFullError,
  DatabaseGoneError,
  DatabaseUnavailableError,
} from '../databaseErrors.ts';
import { toDatabaseError, noConnectionFree, type ConnectionPurpose } from './postgresErrors.ts';
import type { Tables } from '../tables.ts';

/** How long a statement waits for a lock, and a caller for a connection: as long as a write waits on SQLite. */
export const WAIT_LIMIT_MS = 10_000;

/**
 * Begins a transaction that has one state of the data, and in which lists are read in the order of an index: as long as
 * the server has no statistics of a table, after an import, it takes it for small and would sooner collect all rows of a list (a bitmap) and sort them.
 */
const READ = 'begin isolation level repeatable read read only; set local enable_bitmapscan = off';

/** SQL that begins it. Its statements may take `limit` milliseconds each; null is what the server allows. */
export function beginRead(limit: number | null): string {
  return limit === null ? READ : `${READ}; set local statement_timeout = ${limit}`;
}

const COMMIT = 'commit';
/** The class of its SQLSTATE. */
const WARNING = '01';

/** Unless the server has a limit of its own. */
const LIMIT_LOCKS = `select set_config('lock_timeout', '${WAIT_LIMIT_MS}', false) where current_setting('lock_timeout') = '0'`;

/** Milliseconds. What was asked and has no answer until then is `DatabaseGoneError`. */
export type ConnectionTimeouts = { connectMs: number; queryMs?: number };

/** The address, if it is one of PostgreSQL and names a database. */
export function parsePostgresUrl(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^postgres(ql)?:$/.test(url.protocol) && /^\/./.test(url.pathname) ? url : null;
}

/** The address in the setting `name`. Throws `DatabaseUnavailable`. */
export function requirePostgresUrl(name: string, text: string): URL {
  const url = parsePostgresUrl(text);
  if (url !== null) return url;
  throw new DatabaseUnavailableError(
    `${name} must name a server and a database, like postgres://user@localhost/sendroom.`,
  );
}

export type PooledKysely = Kysely<Tables> & { counts: () => Omit<PoolCounts, 'name'> };

/** Kysely over at most `max` connections to `url`, made when they are needed. */
export function createPool(
  url: URL,
  purpose: ConnectionPurpose,
  max: number,
  limits?: ConnectionTimeouts,
): PooledKysely {
  const pool = new Pool({
    ...clientConfig(url, limits),
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it, whatever its types say
    onConnect: purpose === 'reads' ? restrictToReads : undefined,
    max,
  });
  // A connection that breaks while it is idle has left the pool already; on one in use, the next statement fails.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  async function connect() {
    const client = await pool.connect().catch((error: unknown) => {
      throw pool.totalCount >= max ? noConnectionFree(error) : toDatabaseError(error, purpose);
    });
    let isOver = false;
    return {
      async query(text: string, values: unknown[]) {
        try {
          return await ask(client, text, values);
        } catch (error) {
          const failure = toDatabaseError(error, purpose);
          // A server that takes no writes any more has a successor, which a new connection may find.
          isOver ||= failure instanceof DatabaseGoneError;
          throw failure;
        }
      },
      release: () => client.release(isOver),
    };
  }
  return Object.assign(
    createPostgresKysely(connect, () => pool.end()),
    {
      counts: () => ({ max, used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    },
  );
}

/** Of every connection. */
export function clientConfig(url: URL, limits: ConnectionTimeouts = { connectMs: WAIT_LIMIT_MS }): ClientConfig {
  return {
    connectionString: url.href,
    connectionTimeoutMillis: limits.connectMs,
    query_timeout: limits.queryMs,
    keepAlive: true,
    application_name: 'sendroom',
    types: NUMBERS,
  };
}

type Connection = { query: (text: string, values: unknown[]) => Promise<unknown>; release: () => void };

/** What Kysely is given is all that it asks of a pool, but for cursors, which nobody here uses. */
export function createPostgresKysely(connect: () => Promise<Connection>, end: () => Promise<void>): Kysely<Tables> {
  return new Kysely({ dialect: new Dialect({ pool: { connect, end, options: {} } as never }) });
}

async function ask(client: ClientBase, text: string, values: unknown[]): Promise<Partial<QueryResult> | undefined> {
  // A COPY has one value: what it copies, in portions (insertRows.ts).
  if (text.startsWith('copy ')) {
    await pipeline(values[0] as Iterable<string>, client.query(copyFrom(text)));
    return { rows: [] };
  }
  if (text === COMMIT) return askToCommit(client);
  const result: QueryResult | QueryResult[] = await client.query(text, values);
  // Of several statements in one text the last is what was asked for.
  return Array.isArray(result) ? result.at(-1) : result;
}

/**
 * A commit whose wait for a standby somebody broke off (`pg_cancel_backend`) is done, but on this server alone: a failover would lose it.
 * The server tells that in a warning. Rejects as if the server had gone.
 */
async function askToCommit(client: ClientBase): Promise<QueryResult> {
  const warnings: unknown[] = [];
  const note = ({ code, message }: { code: string | undefined; message: string | undefined }) =>
    void (code?.startsWith(WARNING) && warnings.push(message));
  client.on('notice', note);
  try {
    const result = await client.query(COMMIT);
    if (warnings.length > 0) throw new Error(String(warnings[0]));
    return result;
  } finally {
    client.off('notice', note);
  }
}

/**
 * Gives whether the session is ours alone. Behind a pool of connections such as pgbouncer it is not, and whoever came
 * next would find what we set; a connection there has another number than the session that serves it just now.
 */
export async function restrictToReads(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { processID } = client as { processID?: number };
  if (rows[0]?.pid !== processID) return false;
  await client.query(`set default_transaction_read_only = on; ${LIMIT_LOCKS}`);
  return true;
}

/**
 * Runs `work` between `begin`, SQL that may be several statements, and a commit; a failure rolls it back. `begun` is what
 * the last statement of `begin` gave.
 */
export function inTransaction<Result>(
  kysely: Kysely<Tables>,
  begin: string,
  work: (trx: Transaction, begun: unknown[]) => Promise<Result>,
): Promise<Result> {
  return kysely.connection().execute(async (trx) => {
    try {
      const result = await work(trx, await run(trx, begin));
      await commit(trx);
      return result;
    } catch (error) {
      if (!(error instanceof DatabaseGoneError || error instanceof CommitUncertainError)) await run(trx, 'rollback');
      throw error;
    }
  });
}

async function commit(trx: Transaction): Promise<void> {
  const [answer] = await run(trx, COMMIT).catch((error: unknown) => {
    throw error instanceof DatabaseGoneError || error instanceof DatabaseFullError
      ? new CommitUncertainError(error)
      : error;
  });
  if ((answer as { command: string }).command !== 'COMMIT')
    throw new Error('A statement failed in this transaction, so nothing of it was kept.');
}

async function run(trx: Transaction, sql: string): Promise<unknown[]> {
  return (await trx.executeQuery(CompiledQuery.raw(sql))).rows;
}

/** One for all: statements are kept for each adapter (statement.ts). */
const ADAPTER = new PostgresAdapter();

class Dialect extends PostgresDialect {
  override createAdapter() {
    return ADAPTER;
  }

  override createQueryCompiler() {
    return new Compiler();
  }
}

class Compiler extends PostgresQueryCompiler {
  /** Text is compared byte by byte, as SQLite does, whatever the language of the server. */
  protected override visitDataType(node: DataTypeNode): void {
    super.visitDataType(node);
    if (node.dataType === 'text') this.append(' collate "C"');
  }
}

/** Counts and times come as text, because they could be larger than a number of JavaScript holds; ours are not. */
const NUMBERS = new TypeOverrides();
NUMBERS.setTypeParser(types.builtins.INT8, Number);
NUMBERS.setTypeParser(types.builtins.NUMERIC, Number);
