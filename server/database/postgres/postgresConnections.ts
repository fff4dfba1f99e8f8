import { type DataTypeNode, Kysely, PostgresAdapter, PostgresDialect, PostgresQueryCompiler } from 'kysely';
import { type ClientBase, type ClientConfig, Pool, type QueryResult, TypeOverrides, types } from 'pg';
import { must } from '#contract/must.ts';
import type { PoolStats } from '../database.ts';
import { DatabaseGoneError, DatabaseUnavailableError } from '../databaseErrors.ts';
import { POSTGRES_ENGINE } from './postgresEngine.ts';
import { toDatabaseError, noConnectionFree, type ConnectionPurpose } from './postgresErrors.ts';
import { type Prelude, prepareStatements, runStatement, StatementNames } from './preparedStatements.ts';
import type { Tables } from '../tables.ts';

/**
 * Milliseconds that a statement waits for a lock, and a read or write for a connection: as long as a write waits on
 * SQLite.
 */
export const WAIT_LIMIT_MS = 10_000;

export const COMMIT = 'commit';
/** A statement that does nothing. */
export const NOTHING = 'select';
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
export type PooledKysely = Kysely<Tables> & {
  counts: () => PoolCounts;
  /** A connection of its own, for a transaction. */
  connect: () => Promise<PooledConnection>;
};
export type PooledConnection = {
  /** Runs a statement behind those of `begin`, in one message if it has values. */
  query: (text: string, values: readonly unknown[], begin?: Begin) => Promise<object | undefined>;
  /** The same for a statement with values, which is committed with those before it: `begin` begins no transaction. */
  queryAndCommit: (text: string, values: readonly unknown[], begin: Begin) => Promise<object>;
  release: () => void;
};
/** What begins a transaction. `onDone` is called when it has begun. */
export type Begin = Pick<Prelude, 'statements' | 'onDone'>;

/** Kysely over at most `max` connections to `url`, opened when they are needed. Errors are those of `toDatabaseError`. */
export function createPool(
  url: URL,
  purpose: ConnectionPurpose,
  max: number,
  timeouts?: ConnectionTimeouts,
): PooledKysely {
  /** Sessions that are ours, each with the names of what transactions begin with that it has prepared. */
  const ours = new WeakMap<ClientBase, Set<string>>();
  const names = new StatementNames();
  const pool = new Pool({
    ...clientConfig(url, timeouts),
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it, although its types do not say so
    onConnect: async (client) => {
      if (!(await isSessionOurs(client))) return;
      await client.query(`${purpose === 'reads' ? READ_ONLY : READ_COMMITTED}; ${PLAN_ONCE}`);
      ours.set(client, new Set());
    },
    max,
  });
  // Without listeners these errors would end the process. A broken idle connection has left the pool; on one in use
  // the next statement fails.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));

  async function connect(): Promise<PooledConnection> {
    const client = await pool.connect().catch((error: unknown) => {
      throw pool.totalCount >= max ? noConnectionFree(error) : toDatabaseError(error, purpose);
    });
    let isBroken = false;
    const prepared = ours.get(client);
    const run = async <Result>(begin: Begin | undefined, send: (prelude: Prelude | undefined) => Promise<Result>) => {
      try {
        if (begin !== undefined && prepared !== undefined) await prepareMissing(client, prepared, begin);
        return await send(begin && { ...begin, isPrepared: prepared !== undefined });
      } catch (error) {
        const databaseError = toDatabaseError(error, purpose);
        // Also where the server is a standby now: a new connection may reach the new primary.
        isBroken ||= databaseError instanceof DatabaseGoneError;
        throw databaseError;
      }
    };
    const statement = (text: string, values: readonly unknown[]) => {
      return { text, values: [...values], name: prepared && names.nameOf(text) };
    };
    return {
      query: (text, values, begin) =>
        run(begin, (prelude) =>
          values.length === 0
            ? queryText(client, text, prelude)
            : runStatement(client, statement(text, values), prelude),
        ),
      queryAndCommit: (text, values, begin) =>
        run(begin, (prelude) =>
          committed(client, (onRun) => runStatement(client, statement(text, values), prelude && { ...prelude, onRun })),
        ),
      release: () => client.release(isBroken),
    };
  }
  // All that Kysely needs of a pool, except for cursors, which are not used here.
  const pooled = { connect, end: () => pool.end(), options: {} };
  return Object.assign(new Kysely<Tables>({ dialect: new Dialect({ pool: pooled as never }) }), {
    counts: () => ({ max, used: pool.totalCount - pool.idleCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    connect,
    // Kysely ends the pool only if it has used it itself.
    destroy: () => pool.end(),
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

/** Prepares those of `begin` that the session lacks: all of them before its first transaction. */
async function prepareMissing(client: ClientBase, prepared: Set<string>, { statements }: Begin): Promise<void> {
  const missing = statements.filter(({ name }) => !prepared.has(name));
  if (missing.length === 0) return;
  await prepareStatements(client, missing);
  for (const { name } of missing) prepared.add(name);
}

/** Runs one or more statements without values. */
async function queryText(client: ClientBase, text: string, prelude: Prelude | undefined): Promise<object | undefined> {
  if (text === COMMIT) return committed(client, () => client.query(COMMIT));
  if (prelude !== undefined) {
    const result = await runStatement(client, { text: NOTHING, values: [], name: undefined }, prelude);
    if (text === NOTHING) return result;
  }
  const result: QueryResult | QueryResult[] = await client.query(text);
  // Several statements in one text give the result of the last.
  return Array.isArray(result) ? result.at(-1) : result;
}

/**
 * The result of what commits. When the wait for a synchronous standby is cancelled (`pg_cancel_backend`), the commit is done on this
 * server alone, and a failover would lose it. The server says so in a warning. That rejects like a connection that breaks during a commit.
 * `send` calls `onRun` when a statement that is sent along has run: what the server warned of until then is not about the commit. It warns
 * at the first write of each transaction, for example, when the database has not been vacuumed for long.
 */
async function committed<Result>(client: ClientBase, send: (onRun: () => void) => Promise<Result>): Promise<Result> {
  const warnings: unknown[] = [];
  const onNotice = ({ code, message }: { code: string | undefined; message: string | undefined }) =>
    void (code?.startsWith(WARNING) && warnings.push(message));
  client.on('notice', onNotice);
  try {
    const result = await send(() => void warnings.splice(0));
    if (warnings.length > 0) throw new Error(String(warnings[0]));
    return result;
  } finally {
    client.off('notice', onNotice);
  }
}

/** SQL that makes a session read-only. */
export const READ_ONLY = `set default_transaction_read_only = on; ${LIMIT_LOCKS}`;
/** What begins a transaction, which says how its other statements are planned (transactions.ts); and leases, each found by its key. */
const PLAN_ONCE = 'set plan_cache_mode = force_generic_plan';
/** Also in a transaction that has no `begin`: it waits for a lock, and then sees what was written before. */
const READ_COMMITTED = 'set default_transaction_isolation = "read committed"';

/**
 * Whether no other client uses the same session of the server. Behind a pooler such as pgbouncer it is shared, and the next client
 * would get our settings and prepared statements. There the process id that the client was told differs from that of the session.
 */
export async function isSessionOurs(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { processID } = client as { processID?: number };
  return must(rows[0]).pid === processID;
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
