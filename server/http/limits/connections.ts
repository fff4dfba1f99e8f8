import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { toClientKey, createProxyList } from '../address.ts';
import type { OverloadControl } from './overloadControl.ts';
import { collectBody } from '../body.ts';

const SECOND = 1000;

/** Against slow and large requests. Times in milliseconds, sizes in bytes. */
const NODE_LIMITS = {
  headersTimeout: 10 * SECOND,
  requestTimeout: 20 * SECOND,
  connectionsCheckingInterval: SECOND,
  // Longer than the 60 s for which usual proxies keep an idle connection, so that none is cut under a new request.
  keepAliveTimeout: 65 * SECOND,
  maxHeaderSize: 16 * 1024,
  // We check it ourselves, so that the refusal is a problem document like every other.
  requireHostHeader: false,
  // Else the first of two hosts would count, and nobody would know of the other.
  joinDuplicateHeaders: true,
};
const REQUESTS_MAX = 10_000;
export const CONNECTIONS_MAX = 4096;
/** Of one caller, so that others find room. */
const CONNECTIONS_PER_CLIENT_MAX = 512;
/** Requests that a connection may send ahead of their answers. Usual clients and proxies send one and wait. */
const PIPELINED_REQUESTS_MAX = 16;
/** What all requests under way and their answers may hold: bytes that came, and bytes that nobody has taken yet. */
const BUFFERED_BYTES_MAX = 64 * 1024 * 1024;
/** What a request holds besides, about. */
const BYTES_PER_REQUEST = 8 * 1024;
/** For how long a caller may leave an answer lying, or what of a long one was written last. */
const WRITE_TIMEOUT_MS = 30 * SECOND;
/** For how long a caller that was told why may leave its connection open. */
const CLOSE_TIMEOUT_MS = 2 * SECOND;
/** Once the server stops: for how long it waits for requests that may be on their way, and for the rest of one that has begun to arrive. */
const STOP_GRACE_MS = 100;
const STOP_REQUEST_TIMEOUT_MS = 10 * SECOND;
const STOP_CHECK_INTERVAL_MS = 50;
const LIMIT_CHECK_INTERVAL_MS = 250;

type Connection = {
  readonly socket: Socket;
  readonly caller: string | null;
  /** The one request that is being answered, though others may have come. */
  current: { request: IncomingMessage; response: ServerResponse } | null;
  /** What comes after it. */
  readonly pipelined: (() => void)[];
  /** Whatever still comes from it is not looked at. */
  isClosing: boolean;
  /** Bytes that had come from it when the last answer was out. */
  bytesReadBefore: number;
  /** Bytes that its caller had taken when it was last looked at. */
  bytesDelivered: number;
  /** When its caller last owed nothing, neither the rest of a request nor to take an answer, or had taken some of it. */
  lastProgressAt: number;
};

/**
 * The connections of a server, so that no caller has more of them, nor holds more by them, than others can bear. Node
 * answers requests that were sent ahead all at once, and keeps the answers, however many; here each waits for the one before
 * it. What is held nevertheless is measured, and who holds most for longest is cut off first.
 */
export class Connections {
  readonly #all = new Map<Socket, Connection>();
  readonly #callers = new Map<string, number>();
  readonly #proxies;
  readonly #overloadControl;
  readonly #onClosed;
  #closed: Record<string, number> = {};
  #stoppedAt = Infinity;

  /** `tell` hears, four times a second at most, how many connections were closed and why. */
  constructor(
    overloadControl: OverloadControl,
    trustProxy: readonly string[],
    tell: (closed: Record<string, number>) => void,
  ) {
    this.#overloadControl = overloadControl;
    this.#proxies = createProxyList(trustProxy);
    this.#onClosed = tell;
  }

  get count(): number {
    return this.#all.size;
  }

  /** A server whose requests `listener` answers. */
  serve(listener: RequestListener): Server {
    const server = createServer(NODE_LIMITS, (request, response) => this.#take(request, response, listener));
    server.maxRequestsPerSocket = REQUESTS_MAX;
    server.maxConnections = CONNECTIONS_MAX;
    server.on('drop', () => this.#count('too many connections'));
    server.on('connection', (socket) => this.#add(socket));
    // Node would answer an unknown expectation by itself, without our headers; one may ignore it (RFC 9110, 10.1.1).
    server.on('checkExpectation', (request, response) => void server.emit('request', request, response));
    // Called when the server stops. Node's own would also close connections whose last answer is still on its way.
    server.closeIdleConnections = () => this.#stop(server);
    const looking = setInterval(() => this.#enforceLimits(), LIMIT_CHECK_INTERVAL_MS).unref();
    server.on('close', () => clearInterval(looking));
    return server;
  }

  /** Ends a connection from which nothing more can be read: `answer` writes the last words, when it is their turn. */
  end(socket: Socket, answer: () => void): void {
    const connection = this.#all.get(socket);
    if (connection === undefined || connection.isClosing) return;
    connection.isClosing = true;
    const end = () => {
      answer();
      // With its other half still open it would stay, for as long as the caller likes.
      setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref();
    };
    const { current, pipelined } = connection;
    if (current === null) end();
    else if (current.request.complete) pipelined.push(end);
    else if (current.response.headersSent) socket.destroy();
    else end();
  }

  #add(socket: Socket): void {
    const caller = toClientKey(socket.remoteAddress, this.#proxies);
    const count = caller === null ? 0 : (this.#callers.get(caller) ?? 0) + 1;
    if (count > CONNECTIONS_PER_CLIENT_MAX) {
      socket.destroy();
      this.#count('too many connections of one caller');
      return;
    }
    if (caller !== null) this.#callers.set(caller, count);
    this.#all.set(socket, {
      socket,
      caller,
      current: null,
      pipelined: [],
      isClosing: false,
      bytesReadBefore: 0,
      bytesDelivered: 0,
      lastProgressAt: 0,
    });
    socket.once('close', () => this.#remove(socket, caller));
  }

  #remove(socket: Socket, caller: string | null): void {
    this.#all.delete(socket);
    if (caller === null) return;
    const count = (this.#callers.get(caller) ?? 0) - 1;
    if (count > 0) this.#callers.set(caller, count);
    else this.#callers.delete(caller);
  }

  #take(request: IncomingMessage, response: ServerResponse, listener: RequestListener): void {
    const connection = this.#all.get(request.socket);
    if (connection === undefined || connection.isClosing) return;
    if (hasBody(request)) collectBody(request, () => this.#closeWithReason(connection, 'a body in too many pieces'));
    const answer = () => {
      connection.current = { request, response };
      connection.lastProgressAt = performance.now();
      response.once('close', () => this.#goOn(connection));
      this.#overloadControl.schedule(request, connection.caller ?? '', () => {
        if (!response.destroyed) listener(request, response);
      });
    };
    if (connection.current === null) answer();
    else if (connection.pipelined.length < PIPELINED_REQUESTS_MAX) connection.pipelined.push(answer);
    else this.#closeWithReason(connection, 'too many requests ahead of their answers');
  }

  #goOn(connection: Connection): void {
    const { socket, pipelined } = connection;
    connection.current = null;
    connection.bytesReadBefore = socket.bytesRead;
    connection.lastProgressAt = performance.now();
    // None follows an answer that was the last of its connection.
    if (socket.writable) pipelined.shift()?.();
  }

  #enforceLimits(): void {
    const now = performance.now();
    const held: { connection: Connection; bytes: number; for: number }[] = [];
    for (const connection of this.#all.values()) {
      const { current, pipelined, socket, bytesReadBefore } = connection;
      if (current === null || connection.isClosing) continue;
      const { request, response } = current;
      const left = response.writableLength;
      const taken = socket.bytesWritten - left;
      if (taken > connection.bytesDelivered || (request.complete && left === 0)) connection.lastProgressAt = now;
      connection.bytesDelivered = taken;
      const bytes = socket.bytesRead - bytesReadBefore + left + BYTES_PER_REQUEST * (1 + pipelined.length);
      held.push({ connection, bytes, for: now - connection.lastProgressAt });
    }
    let sum = held.reduce((total, { bytes }) => total + bytes, 0);
    for (const one of held.toSorted((a, b) => b.bytes * b.for - a.bytes * a.for)) {
      if (one.for > WRITE_TIMEOUT_MS) this.#closeWithReason(one.connection, 'an answer was not taken');
      else if (sum > BUFFERED_BYTES_MAX) this.#closeWithReason(one.connection, 'requests and answers hold too much');
      else continue;
      sum -= one.bytes;
    }
    if (Object.keys(this.#closed).length === 0) return;
    this.#onClosed(this.#closed);
    this.#closed = {};
  }

  /** Answers that are due are still given, and are the last of their connections. */
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

/**
 * Of what was read at once Node would still make thousands of requests and answers, and keep them until all connections have
 * been served that are ready. There is no documented way to tell its parser that nobody wants them.
 */
function forgetRequests(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: () => number } };
  if (parser) parser.onIncoming = () => 0;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
