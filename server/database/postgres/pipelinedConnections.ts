import type { CompiledQuery, Kysely, QueryResult } from 'kysely';
import { Socket } from 'node:net';
import { Client } from 'pg';
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
import { runStatement, StatementNames } from './preparedStatements.ts';
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

/**
 * Runs single statements that read a few rows by their keys, on few connections. Each statement is sent at once, behind those in
 * flight, so that the server answers many of them each time it wakes up. Statements may take `statementLimitMs` milliseconds
 * each; null is what the server allows.
 */
export class PipelinedConnections {
  readonly #url: URL;
  readonly #timeouts: ConnectionTimeouts | undefined;
  readonly #statementLimitMs: number | null;
  readonly #connections = new Set<PipelinedConnection>();
  readonly #names = new StatementNames();

  constructor(url: URL, timeouts: ConnectionTimeouts | undefined, statementLimitMs: number | null) {
    this.#url = url;
    this.#timeouts = timeouts;
    this.#statementLimitMs = statementLimitMs;
  }

  /** Kysely for statements on the rows in `scope`. */
  kysely(scope: RowScope): Kysely<Tables> {
    return createDirectKysely(DIALECT, (query) => this.#execute(scope, query));
  }

  async #execute<Row>(scope: RowScope, { sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const connection = this.#leastBusy();
    connection.inFlight += 1;
    try {
      const { client, isOurs } = await connection.opened;
      corkUntilNextTurn(connection.socket);
      const name = isOurs ? this.#names.nameOf(text) : undefined;
      const setsScope = !(isOurs && scope === '*');
      return await runStatement<Row>(
        client,
        { text, values: [...parameters], name },
        setsScope ? { statements: [scopeOfNext(scope)], isPrepared: isOurs } : undefined,
      );
    } catch (error) {
      throw toDatabaseError(error, 'reads');
    } finally {
      connection.inFlight -= 1;
    }
  }

  async destroy(): Promise<void> {
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

/** Sends what is written in this turn of the event loop to the server in one piece. */
function corkUntilNextTurn(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}

async function connectClient(client: Client, statementLimitMs: number | null): Promise<OpenClient> {
  try {
    await client.connect();
    const isOurs = await isSessionOurs(client);
    if (isOurs) {
      await client.query(`${READ_ONLY}; ${PLAN_ONCE}; set statement_timeout = ${statementLimitMs ?? 'default'}`);
      await prepareScopes(client);
    }
    return { client, isOurs };
  } catch (error) {
    await client.end();
    throw error;
  }
}
