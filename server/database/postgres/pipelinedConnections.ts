import { Socket } from 'node:net';
import { Client } from 'pg';
import { toDatabaseError } from './postgresErrors.ts';
import {
  type PooledKysely,
  createPostgresKysely,
  type ConnectionTimeouts,
  restrictToReads,
  clientConfig,
} from './postgresConnections.ts';

/** One is enough for all that a process can ask; with another, nobody waits while the server reads from its disk. */
const CONNECTIONS = 2;
/** There are some ten; this keeps a fault of ours from filling the memory of the server. */
const NAMES_MAX = 200;

/**
 * Each statement is planned once on a connection, for any value, because planning takes several times as long as finding
 * a few rows by their keys. That is the one right plan for a contact with ten events and for one with ten million, and
 * it must not be another one because the tables were small when it was made.
 */
const PLAN_ONCE = 'set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off';

type PipelinedConnection = {
  open: Promise<{ client: Client; isOurs: boolean }>;
  socket: Socket;
  /** Statements that have not been answered. */
  inFlight: number;
};

/**
 * Kysely for single statements that read a few rows by their keys, on few connections: each is sent at once, behind those
 * that are under way. So the server answers many in one go, where a connection for each would have it wake for each.
 */
export function createPipelinedPool(
  url: URL,
  limits: ConnectionTimeouts | undefined,
  statementLimit: number | null,
): PooledKysely {
  const connections = new Set<PipelinedConnection>();
  const names = new Map<string, string>();

  function open(): PipelinedConnection {
    const socket = new Socket();
    const client = new Client({ ...clientConfig(url, limits), pipeline: true, stream: () => socket });
    const connection = { open: start(client, statementLimit), socket, inFlight: 0 };
    // One that breaks is replaced by the next statement; those under way on it have failed.
    const drop = () => connections.delete(connection);
    client.on('error', drop);
    connection.open.catch(drop);
    connections.add(connection);
    return connection;
  }

  function leastBusy(): PipelinedConnection {
    let best: PipelinedConnection | undefined;
    for (const one of connections) if (best === undefined || one.inFlight < best.inFlight) best = one;
    if (best === undefined) return open();
    return best.inFlight > 0 && connections.size < CONNECTIONS ? open() : best;
  }

  function nameOf(text: string): string | undefined {
    const known = names.get(text);
    if (known !== undefined || names.size === NAMES_MAX) return known;
    const name = `s${names.size}`;
    names.set(text, name);
    return name;
  }

  async function connect() {
    const connection = leastBusy();
    connection.inFlight += 1;
    const { client, isOurs } = await connection.open.catch((error: unknown) => {
      throw toDatabaseError(error, 'reads');
    });
    return {
      query: (text: string, values: unknown[]) => {
        sendTogether(connection.socket);
        return client.query({ text, values, ...(isOurs && { name: nameOf(text) }) }).catch((error: unknown) => {
          throw toDatabaseError(error, 'reads');
        });
      },
      release: () => {
        connection.inFlight -= 1;
      },
    };
  }

  async function end(): Promise<void> {
    await Promise.all([...connections].map(async (connection) => (await connection.open).client.end()));
  }

  /** Those whose turn comes behind others on a connection wait for it. */
  function counts() {
    const underWay = [...connections].map((connection) => connection.inFlight);
    const used = underWay.filter((count) => count > 0).length;
    return {
      max: CONNECTIONS,
      used,
      idle: underWay.length - used,
      waiting: underWay.reduce((sum, n) => sum + n, -used),
    };
  }

  return Object.assign(createPostgresKysely(connect, end), { counts });
}

/** What is written until all requests that have arrived are looked at goes to the server in one piece. */
function sendTogether(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}

async function start(client: Client, limit: number | null): Promise<{ client: Client; isOurs: boolean }> {
  try {
    await client.connect();
    const isOurs = await restrictToReads(client);
    if (isOurs) await client.query(PLAN_ONCE);
    if (isOurs && limit !== null) await client.query(`set statement_timeout = ${limit}`);
    return { client, isOurs };
  } catch (error) {
    await client.end();
    throw error;
  }
}
