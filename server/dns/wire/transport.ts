import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { connect, isIPv6, type Socket as Connection } from 'node:net';
import { decodeResponse, encodeQuery, type Query, type DnsResponse } from './message.ts';
import { isSpecialUse } from './specialUse.ts';

export type Endpoint = { address: string; port: number };

/** A resolver, which has no name, or a name server of a domain. */
export type Server = Endpoint & { name: string | null };

/**
 * Why there is no response. `no route`: this machine cannot reach such addresses. `garbled`: the response was
 * malformed. `too many records`: more than are read. `truncated`: too large for UDP, and TCP failed. `refused address`:
 * it must not be queried (specialUse.ts).
 */
export type TransportErrorCode =
  | 'timeout'
  | 'connection refused'
  | 'no route'
  | 'garbled'
  | 'truncated'
  | 'too many records'
  | 'refused address';

/** Queries one server. Never rejects. Takes at most `timeout` ms, and half of that more when TCP follows. */
export type Transport = (server: Server, query: Query, timeout: number) => Promise<DnsResponse | TransportErrorCode>;

/** Shares of the timeout after which a query is repeated over UDP, the last time without EDNS (firewalls). */
const RESEND_AT = [0.35];
const WITHOUT_EDNS_AT = 0.6;
/** Over TCP, the length of a message precedes it in two bytes (RFC 1035, section 4.2.2). */
const LENGTH_SIZE = 2;
const MESSAGE_MAX = 0xff_ff;

/** Over UDP, and TCP when truncated. Name servers of domains are queried at public addresses only. */
export const networkTransport: Transport = async (server, query, timeout) => {
  if (server.name !== null && isSpecialUse(server.address)) return 'refused address';
  if (query.isTcp) return rejectTooManyRecords(await overTcp(server, query, timeout));
  const end = performance.now() + timeout;
  const left = () => Math.max(end - performance.now(), timeout / 4);
  let response = await overUdp(server, query, timeout);
  // The server does not support EDNS, or no version of it (RFC 6891, sections 7 and 6.1.3).
  if (typeof response !== 'string' && (response.rcode === 'FORMERR' || response.rcode === 'BADVERS')) {
    response = await overUdp(server, query, left(), { withoutEdns: true });
  }
  if (typeof response === 'string' || !response.isTruncated) return rejectTooManyRecords(response);
  const whole = await overTcp(server, query, left());
  return typeof whole === 'string' || whole.isTruncated ? 'truncated' : rejectTooManyRecords(whole);
};

function rejectTooManyRecords(response: DnsResponse | TransportErrorCode): DnsResponse | TransportErrorCode {
  return typeof response !== 'string' && response.hasTooMany ? 'too many records' : response;
}

/** Repeats a query from further sockets. All stay open: a response may come after the next repetition. */
function overUdp(
  server: Endpoint,
  query: Query,
  timeout: number,
  { withoutEdns = false } = {},
): Promise<DnsResponse | TransportErrorCode> {
  const { promise, resolve } = Promise.withResolvers<DnsResponse | TransportErrorCode>();
  const sockets: Socket[] = [];
  let isGarbled = false;
  const fail = (error: unknown) => resolve(toTransportErrorCode(error));
  const attempt = (act: () => unknown) => attemptOr(fail, act);
  const send = (isBare: boolean) => {
    const id = randomInt(0x1_00_00);
    attempt(() => {
      const packet = encodeQuery(id, query, isBare);
      // The system drops packets of others on a connected socket, and reports when nothing listens at the server.
      const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
      sockets.push(socket);
      socket.on('error', fail);
      socket.on('message', (received) => {
        const response = decodeResponse(received, id, query);
        // Any other packet may be forged or late. The response may still come.
        if (response === null) isGarbled = true;
        else resolve(isBare && !withoutEdns ? { ...response, isWithoutEdns: true } : response);
      });
      socket.connect(server.port, server.address, (error?: Error | null) => {
        if (error) fail(error);
        else attempt(() => socket.send(packet, (failed) => failed && fail(failed)));
      });
    });
  };
  send(withoutEdns);
  const timers = [
    ...RESEND_AT.map((part) => setTimeout(() => send(withoutEdns), timeout * part)),
    setTimeout(() => send(true), timeout * WITHOUT_EDNS_AT),
    setTimeout(() => resolve(isGarbled ? 'garbled' : 'timeout'), timeout),
  ];
  return promise.finally(() => {
    for (const timer of timers) clearTimeout(timer);
    for (const socket of sockets) closeQuietly(socket);
  });
}

function overTcp(
  { address, port }: Endpoint,
  query: Query,
  timeout: number,
): Promise<DnsResponse | TransportErrorCode> {
  const { promise, resolve } = Promise.withResolvers<DnsResponse | TransportErrorCode>();
  const id = randomInt(0x1_00_00);
  const timer = setTimeout(() => resolve('timeout'), timeout);
  // A server may send slowly or endlessly. Only the first message is kept.
  const received = Buffer.alloc(LENGTH_SIZE + MESSAGE_MAX);
  let filled = 0;
  let socket: Connection | undefined;
  const fail = (error: unknown) => resolve(toTransportErrorCode(error));
  const attempt = (act: () => unknown) => attemptOr(fail, act);
  attempt(() => {
    const packet = encodeQuery(id, query);
    const length = Buffer.alloc(LENGTH_SIZE);
    length.writeUInt16BE(packet.length);
    const opened = connect(port, address);
    socket = opened;
    opened.on('connect', () => attempt(() => opened.write(Buffer.concat([length, packet]))));
    opened.on('error', fail);
    opened.on('close', () => resolve('garbled'));
    opened.on('data', (chunk) => {
      filled += Buffer.from(chunk).copy(received, filled);
      const end = LENGTH_SIZE + received.readUInt16BE(0);
      if (filled < LENGTH_SIZE || filled < end) return;
      resolve(decodeResponse(received.subarray(LENGTH_SIZE, end), id, query) ?? 'garbled');
    });
  });
  return promise.finally(() => {
    clearTimeout(timer);
    socket?.destroy();
  });
}

/**
 * Classifies an error of a socket. The first line is errors of the server, the second of the network.
 */
function toTransportErrorCode(error: unknown): TransportErrorCode {
  const code = String((error as { code?: unknown } | null)?.code);
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)) return 'connection refused';
  if (['EHOSTUNREACH', 'EHOSTDOWN', 'ETIMEDOUT'].includes(code)) return 'timeout';
  return 'no route';
}

/** Catches exceptions of the socket, also in callbacks, which would end the process. */
function attemptOr(fail: (error: unknown) => void, act: () => unknown): void {
  try {
    act();
  } catch (error) {
    fail(error);
  }
}

function closeQuietly(socket: Socket): void {
  try {
    socket.close();
  } catch {
    // It is already closed, or was never bound.
  }
}
