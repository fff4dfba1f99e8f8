import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Client } from 'pg';
import { must } from '#contract/must.ts';
import { createDirectKysely } from '../directKysely.ts';
import type { Tables } from '../tables.ts';
import { toDatabaseError } from './postgresErrors.ts';
import {
  type ConnectionTimeouts,
  DIALECT,
  type PoolCounts,
  clientConfig,
  isSessionOurs,
  READ_ONLY,
} from './postgresConnections.ts';
import { runStatement, runTogether, type SessionStatement, StatementNames } from './preparedStatements.ts';
import { prepareScopes, type RowScope, scopeOfNext } from './rowSecurity.ts';

/**
 * One has room for all statements of a process. With a second one, statements need not wait while the server reads
 * from its disk.
 */
export const LOOKUPS_MAX = 2;

/**
 * Each statement is planned once on a connection, for any value, because planning takes several times as long as finding
 * a few rows by their keys. That is the one right plan for a contact with ten events and for one with ten million, and
 * it must not be another one because the tables were small when it was made.
 */
const PLAN_ONCE = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off';

/** A client that has connected. */
type OpenClient = {
  client: Client;
  /** Whether no other client uses the same session of the server: see `isSessionOurs`. */
  isOurs: boolean;
};

type PipelinedConnection = {
  opened: Promise<OpenClient>;
  socket: Socket;
  /** Statements in flight. */
  inFlight: number;
};

type Lookup = {
  scope: RowScope;
  statement: SessionStatement;
  resolve: (rows: object[]) => void;
  reject: (error: unknown) => void;
};

/** Lookups of one turn of the event loop. */
type Batch = { connection: PipelinedConnection; lookups: Lookup[] };

/**
 * Runs single statements that read a few rows by their keys, on few connections. Those of one turn of the event loop are sent in one
 * message, behind those in flight, so that the server does not wake up for each, and neither do we for its answer. Statements may take
 * `statementLimitMs` milliseconds each; 0 is no limit.
 */
export class PipelinedConnections {
  readonly #url: URL;
  readonly #timeouts: ConnectionTimeouts | undefined;
  readonly #statementLimitMs: number;
  readonly #connections = new Set<PipelinedConnection>();
  readonly #names = new StatementNames();
  /** That of this turn. */
  #batch: Batch | undefined;

  constructor(url: URL, timeouts: ConnectionTimeouts | undefined, statementLimitMs: number) {
    this.#url = url;
    this.#timeouts = timeouts;
    this.#statementLimitMs = statementLimitMs;
  }

  /** Kysely for statements on the rows in `scope`. */
  kysely(scope: RowScope): Kysely<Tables> {
    return createDirectKysely(DIALECT, (query) => this.#execute(scope, query));
  }

  async #execute<Row>(scope: RowScope, { sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const { promise, resolve, reject } = Promise.withResolvers<object[]>();
    const batch = (this.#batch ??= this.#openBatch());
    batch.connection.inFlight += 1;
    batch.lookups.push({
      scope,
      statement: { name: this.#names.nameOf(text), text, values: parameters as SessionStatement['values'] },
      resolve,
      reject,
    });
    try {
      return { rows: (await promise) as Row[] };
    } catch (error) {
      // The stack where it was created leads to the socket only.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw toDatabaseError(error, 'reads');
    }
  }

  #openBatch(): Batch {
    const batch: Batch = { connection: this.#leastBusy(), lookups: [] };
    setImmediate(() => {
      this.#batch = undefined;
      void sendBatch(batch);
    });
    return batch;
  }

  async destroy(): Promise<void> {
    // What was asked for in this turn is sent at its end.
    await nextTurn();
    await Promise.all([...this.#connections].map(async ({ opened }) => (await opened).client.end()));
  }

  /** On each connection one statement counts as being worked on, and those behind it as waiting. */
  counts(): PoolCounts {
    const inFlight = [...this.#connections].map((connection) => connection.inFlight);
    const used = inFlight.filter((count) => count > 0).length;
    return {
      max: LOOKUPS_MAX,
      used,
      idle: inFlight.length - used,
      waiting: inFlight.reduce((sum, count) => sum + count, -used),
    };
  }

  #leastBusy(): PipelinedConnection {
    let best: PipelinedConnection | undefined;
    for (const one of this.#connections) if (best === undefined || one.inFlight < best.inFlight) best = one;
    if (best === undefined) return this.#open();
    return best.inFlight > 0 && this.#connections.size < LOOKUPS_MAX ? this.#open() : best;
  }

  #open(): PipelinedConnection {
    const socket = new Socket();
    const client = new Client({ ...clientConfig(this.#url, this.#timeouts), pipeline: true, stream: () => socket });
    const connection = { opened: connectClient(client, this.#statementLimitMs), socket, inFlight: 0 };
    // The next statement opens another one in its place. Those in flight on it have failed.
    const drop = () => this.#connections.delete(connection);
    client.on('error', drop);
    connection.opened.catch(drop);
    this.#connections.add(connection);
    return connection;
  }
}

/** Runs the lookups of a turn, and settles each. */
async function sendBatch({ connection, lookups }: Batch): Promise<void> {
  try {
    const { client, isOurs } = await connection.opened;
    await (isOurs ? runLookups(client, lookups) : runShared(client, connection.socket, lookups));
  } catch (error) {
    // The database fails all that have no rows yet.
    for (const { reject } of lookups) reject(error);
  } finally {
    connection.inFlight -= lookups.length;
  }
}

/** Runs lookups in one message. A lookup that is wrong itself fails alone: those that the server skips behind it are sent again. */
async function runLookups(client: Client, lookups: readonly Lookup[]): Promise<void> {
  // Until it is set, the scope of a session is all rows: these come first, and then each scope is set once.
  let left = lookups.toSorted((a, b) => orderOf(a.scope) - orderOf(b.scope));
  while (left.length > 0) {
    const statements: SessionStatement[] = [];
    const ends = left.map(({ scope, statement }, index) => {
      if (scope !== (left[index - 1]?.scope ?? '*')) statements.push(scopeOfNext(scope));
      return statements.push(statement);
    });
    const { results, error } = await runTogether(client, statements);
    const skipped = left.filter(({ resolve }, index) => {
      const rows = results[must(ends[index]) - 1];
      if (rows !== undefined) resolve(rows);
      return rows === undefined;
    });
    if (skipped.length > 0 && toDatabaseError(error, 'reads') !== error) throw error;
    skipped[0]?.reject(error);
    left = skipped.slice(1);
  }
}

const orderOf = (scope: RowScope) => (scope === '*' ? 0 : scope);

/** Runs lookups each by itself, in a session that others use in between. */
async function runShared(client: Client, socket: Socket, lookups: readonly Lookup[]): Promise<void> {
  socket.cork();
  const ran = lookups.map(({ scope, statement: { text, values }, resolve, reject }) => {
    const prelude = { statements: [scopeOfNext(scope)], isPrepared: false };
    return runStatement<object>(client, { text, values: [...values], name: undefined }, prelude).then(
      ({ rows }) => resolve(rows),
      reject,
    );
  });
  socket.uncork();
  await Promise.all(ran);
}

async function connectClient(client: Client, statementLimitMs: number): Promise<OpenClient> {
  try {
    await client.connect();
    const isOurs = await isSessionOurs(client);
    if (isOurs) {
      await client.query(`${READ_ONLY}; ${PLAN_ONCE}; set statement_timeout = ${statementLimitMs}`);
      await prepareScopes(client);
    }
    return { client, isOurs };
  } catch (error) {
    await client.end();
    throw error;
  }
}
