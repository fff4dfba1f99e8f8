import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { must } from '#contract/values/must.ts';
import { createProxyTest } from '../../settings/settings.ts';
import { toClientKey } from '../address.ts';
import type { OverloadControl } from './overloadControl.ts';
import { collectBody, hasBody } from '../body/body.ts';

const SECOND = 1000;

const NODE_LIMITS = {
  headersTimeout: 10 * SECOND,
  requestTimeout: 20 * SECOND,
  connectionsCheckingInterval: SECOND,
  // Longer than the 60 s for which usual proxies keep an idle connection, so that the proxy closes it first.
  keepAliveTimeout: 65 * SECOND,
  maxHeaderSize: 16 * 1024,
  // Checked in malformedRequest.ts, so that the response is a problem document.
  requireHostHeader: false,
  // Otherwise Node keeps the first Host header and drops the second.
  joinDuplicateHeaders: true,
};
const REQUESTS_MAX = 10_000;
export const CONNECTIONS_MAX = 4096;
const CONNECTIONS_PER_CLIENT_MAX = 512;
const PIPELINED_REQUESTS_MAX = 16;
/** Bytes that all requests in flight may occupy: what was received, and what was written but not sent. */
const BUFFERED_BYTES_MAX = 64 * 1024 * 1024;
const BYTES_PER_REQUEST = 8 * 1024;
/** Milliseconds without progress after which a response that a client does not read is cut off. */
const WRITE_TIMEOUT_MS = 30 * SECOND;
const CLOSE_TIMEOUT_MS = 2 * SECOND;
/** Milliseconds to wait, at a stop, for requests on their way, and for the rest of a partial one. */
const STOP_GRACE_MS = 100;
const STOP_REQUEST_TIMEOUT_MS = 10 * SECOND;
const STOP_CHECK_INTERVAL_MS = 50;
const LIMIT_CHECK_INTERVAL_MS = 250;

declare module 'fastify' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface can be extended from outside
  interface FastifyInstance {
    countRequests: () => number;
  }
}

type Connection = {
  readonly socket: Socket;
  /** Null behind a proxy. */
  readonly client: string | null;
  current: { request: IncomingMessage; response: ServerResponse } | null;
  readonly pipelined: (() => void)[];
  isClosing: boolean;
  bytesReadBefore: number;
  bytesDelivered: number;
  /** By `performance.now()`: when the client last read of a response, or had nothing to read or send. */
  lastProgressAt: number;
};

/** Key in the fair queue for clients behind a proxy that send neither token nor session. */
const BEHIND_PROXY = '';

/** Node answers pipelined requests all at once and buffers the responses; here each waits for the one before it. */
export class Connections {
  readonly #all = new Map<Socket, Connection>();
  readonly #clients = new Map<string, number>();
  readonly #isProxy;
  readonly #overloadControl;
  readonly #onClosed;
  #closed: Record<string, number> = {};
  #stoppedAt = Infinity;

  constructor(
    overloadControl: OverloadControl,
    trustProxy: readonly string[],
    onClosed: (closed: Record<string, number>) => void,
  ) {
    this.#overloadControl = overloadControl;
    this.#isProxy = createProxyTest(trustProxy);
    this.#onClosed = onClosed;
  }

  get count(): number {
    return this.#all.size;
  }

  get requestCount(): number {
    return [...this.#all.values()].filter(({ current }) => current !== null).length;
  }

  serve(listener: RequestListener): Server {
    const server = createServer(NODE_LIMITS, (request, response) => this.#take(request, response, listener));
    server.maxRequestsPerSocket = REQUESTS_MAX;
    server.maxConnections = CONNECTIONS_MAX;
    server.on('drop', () => this.#count('too many connections'));
    server.on('connection', (socket) => this.#add(socket));
    // An unknown expectation is ignored (RFC 9110, 10.1.1). Node would answer it by itself, without our headers.
    server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
    // Called when the server stops. Node's own would also close connections whose last response is still being sent.
    server.closeIdleConnections = () => this.#stop(server);
    const checking = setInterval(() => this.#enforceLimits(), LIMIT_CHECK_INTERVAL_MS).unref();
    server.on('close', () => clearInterval(checking));
    return server;
  }

  /** Ends a connection after a parse error. `answer` writes the error response, after the responses to earlier requests. */
  end(socket: Socket, answer: () => void): void {
    const connection = this.#all.get(socket);
    if (connection === undefined || connection.isClosing) return;
    connection.isClosing = true;
    const end = () => {
      answer();
      // Otherwise the half-open socket would stay until the client closes it.
      setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
    };
    const { current, pipelined } = connection;
    if (current === null) end();
    else if (current.request.complete) pipelined.push(end);
    else if (current.response.headersSent) socket.destroy();
    else end();
  }

  #add(socket: Socket): void {
    const client = toClientKey(socket.remoteAddress, this.#isProxy);
    const count = client === null ? 0 : (this.#clients.get(client) ?? 0) + 1;
    if (count > CONNECTIONS_PER_CLIENT_MAX) {
      socket.destroy();
      this.#count('too many connections of one caller');
      return;
    }
    if (client !== null) this.#clients.set(client, count);
    this.#all.set(socket, {
      socket,
      client,
      current: null,
      pipelined: [],
      isClosing: false,
      bytesReadBefore: 0,
      bytesDelivered: 0,
      lastProgressAt: 0,
    });
    socket.once('close', () => this.#remove(socket, client));
  }

  #remove(socket: Socket, client: string | null): void {
    this.#all.delete(socket);
    if (client === null) return;
    const count = must(this.#clients.get(client)) - 1;
    if (count > 0) this.#clients.set(client, count);
    else this.#clients.delete(client);
  }

  #take(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    const connection = this.#all.get(request.socket);
    if (connection === undefined || connection.isClosing) return;
    if (hasBody(request)) collectBody(request, () => this.#closeWithReason(connection, 'a body in too many pieces'));
    const answer = () => {
      connection.current = { request, response };
      connection.lastProgressAt = performance.now();
      response.once('close', () => this.#startNext(connection));
      this.#overloadControl.schedule(request, connection.client ?? BEHIND_PROXY, () => {
        if (!response.destroyed) listener(request, response);
      });
    };
    if (connection.current === null) answer();
    else if (connection.pipelined.length < PIPELINED_REQUESTS_MAX) connection.pipelined.push(answer);
    else this.#closeWithReason(connection, 'too many requests ahead of their answers');
  }

  #startNext(connection: Connection): void {
    const { socket, pipelined } = connection;
    connection.current = null;
    connection.bytesReadBefore = socket.bytesRead;
    connection.lastProgressAt = performance.now();
    // After `Connection: close` the next request is not started.
    if (socket.writable) pipelined.shift()?.();
  }

  #enforceLimits(): void {
    const now = performance.now();
    const active: { connection: Connection; bytes: number; stalledMs: number }[] = [];
    for (const connection of this.#all.values()) {
      const { current, pipelined, socket, bytesReadBefore } = connection;
      // A connection that still gets its response and the reason counts until it's closed.
      if (current === null || socket.destroyed) continue;
      const { request, response } = current;
      const unsent = response.writableLength;
      const delivered = socket.bytesWritten - unsent;
      if (delivered > connection.bytesDelivered || (request.complete && unsent === 0)) connection.lastProgressAt = now;
      connection.bytesDelivered = delivered;
      const bytes = socket.bytesRead - bytesReadBefore + unsent + BYTES_PER_REQUEST * (1 + pipelined.length);
      active.push({ connection, bytes, stalledMs: now - connection.lastProgressAt });
    }
    let sum = active.reduce((total, { bytes }) => total + bytes, 0);
    for (const one of active.toSorted((a, b) => b.bytes * b.stalledMs - a.bytes * a.stalledMs)) {
      if (one.stalledMs > WRITE_TIMEOUT_MS) this.#closeWithReason(one.connection, 'an answer was not taken');
      else if (sum > BUFFERED_BYTES_MAX) this.#closeWithReason(one.connection, 'requests and answers hold too much');
      else continue;
      sum -= one.bytes;
    }
    if (Object.keys(this.#closed).length === 0) return;
    this.#onClosed(this.#closed);
    this.#closed = {};
  }

  /** Pending requests still get their responses, which are the last on their connections. */
  #stop(server: Server): void {
    if (this.#stoppedAt < Infinity) return;
    this.#stoppedAt = performance.now();
    const closing = setInterval(() => this.#closeAll(performance.now()), STOP_CHECK_INTERVAL_MS);
    server.on('close', () => clearInterval(closing));
  }

  #closeAll(now: number): void {
    for (const connection of this.#all.values()) {
      const { current, socket, bytesReadBefore, lastProgressAt } = connection;
      const isIdle = current === null && socket.bytesRead === bytesReadBefore;
      if (isIdle && now - Math.max(lastProgressAt, this.#stoppedAt) > STOP_GRACE_MS) socket.destroy();
      else if (current?.request.complete !== true && now - this.#stoppedAt > STOP_REQUEST_TIMEOUT_MS)
        this.#closeWithReason(connection, 'the server stops');
    }
  }

  #closeWithReason(connection: Connection, why: string): void {
    connection.isClosing = true;
    forgetRequests(connection.socket);
    connection.socket.destroy();
    this.#count(why);
  }

  #count(why: string): void {
    this.#closed[why] = (this.#closed[why] ?? 0) + 1;
  }
}

/** Else Node's parser would create the requests that it has read already. There is no documented way. */
function forgetRequests(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: () => number } };
  if (parser) parser.onIncoming = () => 0;
}
