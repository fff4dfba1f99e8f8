import { type CompiledQuery, type DataTypeNode, PostgresAdapter, PostgresDialect, PostgresQueryCompiler } from 'kysely';
import { Socket } from 'node:net';
import { Client, type ClientConfig, Pool, type PoolClient, type QueryResult, TypeOverrides, types } from 'pg';
import { must } from '#contract/values/must.ts';
import type { PoolStats } from '../database.ts';
import { NOT_PREPARED } from '../statement.ts';
import { DatabaseUnavailableError } from '../databaseErrors.ts';
import type { Engine } from '../engine.ts';
import { COORDINATOR_TABLES, DISTRIBUTED_TABLES } from './distribute.ts';
import { DISTRIBUTED_ENGINE, POSTGRES_ENGINE } from './postgresEngine.ts';
import {
  distributedScopeSettings,
  distributedSettings,
  forwardedOf,
  type RowScope,
  scopeSettings,
  type SessionSettings,
  settingStatements,
} from './settings.ts';
import { breaksConnection, toDatabaseError, noConnectionFree, type ConnectionPurpose } from './postgresErrors.ts';

/**
 * Milliseconds that a statement waits for a lock, and a read or write for a connection: as long as a write waits on
 * SQLite.
 */
export const WAIT_LIMIT_MS = 10_000;

/** There are some hundred statements. The limit keeps a bug of ours from filling the memory of the server. */
const NAMES_MAX = 400;
/** A statement that other machines run. */
const DISTRIBUTED = new RegExp(String.raw`\b(${DISTRIBUTED_TABLES.join('|')})\b`);
/** A change of a table that stays on the coordinator. */
const CHANGES_COORDINATOR = new RegExp(
  String.raw`\b(insert into|update|delete from) "?(${COORDINATOR_TABLES.join('|')})\b`,
);
/** A prepared statement with `*` fails once a newer version has added a column. */
const ALL_COLUMNS = /\b(select|returning) \*|\.\*/;

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

/** What begins a transaction: its isolation level, whose rows it reaches, settings, and statements behind them that take locks. */
export type Begin = {
  isolation: string;
  scope: RowScope;
  settings?: SessionSettings;
  locks?: readonly string[];
};

export type PoolCounts = Omit<PoolStats, 'name'>;

type PoolOptions = {
  max: number;
  /** Whether the database has the extension that distributes tables (distribute.ts). */
  isDistributed?: boolean;
  /** They hold in transactions. A session that others use too gets them with each. */
  settings?: SessionSettings;
  timeouts?: ConnectionTimeouts | undefined;
  /** Whether a transaction that changes tables of the coordinator, and perhaps of other machines, commits on all of them or on none. */
  usesTwoPhases?: boolean;
};

/** Connections to `url`, opened when they are needed. Errors are those of `toDatabaseError`. */
export class ConnectionPool {
  readonly purpose: ConnectionPurpose;
  readonly dialect: Dialect;
  readonly engine: Engine;
  readonly #settings: SessionSettings;
  readonly #usesTwoPhases: boolean;
  readonly #max: number;
  readonly #pool: Pool;

  constructor(
    url: URL,
    purpose: ConnectionPurpose,
    { max, isDistributed = false, settings = {}, timeouts, usesTwoPhases = false }: PoolOptions,
  ) {
    this.purpose = purpose;
    this.dialect = isDistributed ? DISTRIBUTED_DIALECT : DIALECT;
    this.engine = isDistributed ? DISTRIBUTED_ENGINE : POSTGRES_ENGINE;
    this.#usesTwoPhases = usesTwoPhases;
    this.#max = max;
    this.#settings = isDistributed ? distributedSettings(settings) : settings;
    this.#pool = new Pool({
      ...clientConfig(url, timeouts),
      Client: PipelinedClient,
      // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it, although its types do not say so
      onConnect: async (client) => {
        const ofPool = client as PipelinedClient;
        ofPool.isDistributed = isDistributed;
        ofPool.isOurs = await isSessionOurs(client);
        if (ofPool.isOurs) await client.query(settingStatements('set', this.#settings).join('; '));
      },
      max,
    });
    // Without listeners these errors would end the process. A broken idle connection has left the pool; on one in use
    // the next statement fails.
    this.#pool.on('error', () => {});
    this.#pool.on('connect', (client) => client.on('error', () => {}));
  }

  counts(): PoolCounts {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { max: this.#max, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  /** Runs `work` on a separate connection. */
  async use<Value>(work: (connection: Connection) => Promise<Value>): Promise<Value> {
    const connection = await this.connect();
    try {
      return await work(connection);
    } finally {
      connection.release();
    }
  }

  /** A connection, until it is released. */
  async connect(): Promise<Connection> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw this.#pool.totalCount >= this.#max ? noConnectionFree(error) : toDatabaseError(error, this.purpose);
    });
    return new Connection(client as PipelinedClient & PoolClient, this.purpose, this.#settings, this.#usesTwoPhases);
  }

  destroy(): Promise<void> {
    return this.#pool.end();
  }
}

/** Statements are sent without waiting for those before them, and run one after the other. */
export class Connection {
  readonly #client: PipelinedClient & PoolClient;
  readonly purpose: ConnectionPurpose;
  readonly #settings: SessionSettings;
  readonly #usesTwoPhases: boolean;
  #isBroken = false;

  constructor(
    client: PipelinedClient & PoolClient,
    purpose: ConnectionPurpose,
    settings: SessionSettings,
    usesTwoPhases: boolean,
  ) {
    this.#client = client;
    this.purpose = purpose;
    this.#settings = settings;
    this.#usesTwoPhases = usesTwoPhases;
    client.isUnconfirmed = false;
  }

  /** Whether the wait for a synchronous standby was cancelled: what was committed is on this server alone, and a failover would lose it. */
  get isUnconfirmed(): boolean {
    return this.#client.isUnconfirmed;
  }

  /** Whether the settings of the session apply to a statement: no other client uses the session, and no other machine runs the statement. */
  keeps(text: string): boolean {
    const { isOurs, isDistributed } = this.#client;
    return isOurs && !(isDistributed && DISTRIBUTED.test(text));
  }

  /** Whether the transaction needs `USE_TWO_PHASES` (distribute.ts) before the statement `text`. */
  needsTwoPhases(text: string): boolean {
    return this.#usesTwoPhases && CHANGES_COORDINATOR.test(text);
  }

  /** Begins a transaction with SQL that makes its own settings and takes locks. */
  async begin({ isolation, scope, settings, locks = [] }: Begin): Promise<void> {
    const { isOurs, isDistributed } = this.#client;
    const local = {
      ...(!isOurs && this.#settings),
      // Other machines get the settings of transactions only.
      ...(isDistributed && forwardedOf(this.#settings)),
      ...(isDistributed ? distributedScopeSettings(scope) : scopeSettings(scope)),
      ...settings,
    };
    const statements = [`begin isolation level ${isolation}`, ...settingStatements('set local', local), ...locks];
    // Each machine would get all of one text.
    const texts = isDistributed ? statements : [statements.join('; ')];
    await Promise.all(texts.map((text) => this.runText(text)));
  }

  /** Runs one or more statements without values; the result is that of the last one. */
  runText(text: string): Promise<QueryResult> {
    this.#client.gather();
    return this.#wrap(this.#client.query(text));
  }

  run({ sql: text, parameters }: CompiledQuery): Promise<QueryResult> {
    if (parameters.length === 0) return this.runText(text);
    this.#client.gather();
    const name = this.#client.isOurs ? nameOf(text) : undefined;
    return this.#wrap(this.#client.query({ text, values: [...parameters], ...(name !== undefined && { name }) }));
  }

  /** Whether it is closed when it's released. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Ends a transaction, so that nothing is left of it for the next one. Where that fails the connection is closed, which ends it too. */
  async rollBack(): Promise<void> {
    if (this.#isBroken) return;
    await this.runText('rollback').catch(() => {
      this.#isBroken = true;
    });
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  async #wrap(sent: Promise<QueryResult | QueryResult[]>): Promise<QueryResult> {
    try {
      const result = await sent;
      return Array.isArray(result) ? must(result.at(-1)) : result;
    } catch (error) {
      const databaseError = toDatabaseError(error, this.purpose);
      // Also where the server is a standby now: a new connection may reach the new primary.
      this.#isBroken ||= breaksConnection(databaseError);
      throw databaseError;
    }
  }
}

class PipelinedClient extends Client {
  readonly #socket: Socket;
  #isGathering = false;
  isOurs = false;
  isDistributed = false;
  isUnconfirmed = false;

  constructor(config: ClientConfig = {}) {
    const socket = new Socket();
    super({ ...config, pipeline: true, stream: () => socket });
    this.#socket = socket;
    // It is a warning: the commit succeeds. Its words are in the language of the server.
    this.on('notice', ({ routine }) => {
      if (routine === 'SyncRepWaitForLSN') this.isUnconfirmed = true;
    });
  }

  /** What is sent in this turn of the event loop goes in one packet: sending one takes longer than to read a few rows. */
  gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#socket.cork();
    setImmediate(() => {
      this.#isGathering = false;
      this.#socket.uncork();
    });
  }
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

const names = new Map<string, string>();

/** The name under which a session prepares a statement; undefined for one that is parsed each time. */
function nameOf(text: string): string | undefined {
  const existing = names.get(text);
  if (existing !== undefined || names.size === NAMES_MAX) return existing;
  if (ALL_COLUMNS.test(text) || text.includes(NOT_PREPARED)) return undefined;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * Whether no other client uses the same session of the server. Behind a pooler such as pgbouncer it is shared, and the next client
 * would get our settings and prepared statements. There the process id that the client was told differs from that of the session.
 */
export async function isSessionOurs(client: Pick<Client, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { processID } = client as { processID?: number };
  return must(rows[0]).pid === processID;
}

/** One for all connections: statements are cached by adapter (statement.ts). */
class Adapter extends PostgresAdapter {
  readonly engine: Engine;

  constructor(engine: Engine) {
    super();
    this.engine = engine;
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

class Dialect extends PostgresDialect {
  readonly #adapter: Adapter;

  constructor(engine: Engine) {
    // Without a pool.
    super({ pool: {} as never });
    this.#adapter = new Adapter(engine);
  }

  override createAdapter() {
    return this.#adapter;
  }

  override createQueryCompiler() {
    return COMPILER;
  }
}

const DIALECT = new Dialect(POSTGRES_ENGINE);
const DISTRIBUTED_DIALECT = new Dialect(DISTRIBUTED_ENGINE);

/** `pg` gives these as text, because they could be too large for a number of JavaScript. Our counts and times are not. */
const NUMBERS = new TypeOverrides();
NUMBERS.setTypeParser(types.builtins.INT8, Number);
NUMBERS.setTypeParser(types.builtins.NUMERIC, Number);
