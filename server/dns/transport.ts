import { randomInt } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { connect, isIPv6, type Socket as Connection } from 'node:net';
import { decodeResponse, encodeQuery, type Query, type DnsResponse } from './message.ts';
import { isSpecialUse } from './specialUse.ts';

export type Endpoint = { address: string; port: number };

/** A resolver, which has no name, or a name server of somebody's domain. */
export type Server = Endpoint & { name: string | null };

/**
 * Why there is no response. `no route`: nothing goes from this machine to such an address. `garbled`: what came was no DNS
 * response. `too many records`: more than anybody has. `truncated`: more than fits into UDP, and TCP did not bring it. `refused address`: it is not asked (specialUse.ts).
 */
export type TransportErrorCode =
  | 'timeout'
  | 'connection refused'
  | 'no route'
  | 'garbled'
  | 'truncated'
  | 'too many records'
  | 'refused address';

/** Asks one server. Never fails, and takes at most `timeout` ms, and half of it more where TCP has to follow. */
export type Transport = (server: Server, query: Query, timeout: number) => Promise<DnsResponse | TransportErrorCode>;

/** Parts of the time for a question after which it is sent again over UDP; the last time without EDNS, which some firewalls drop. */
const RESEND_AT = [0.35];
const WITHOUT_EDNS_AT = 0.6;
/** Over TCP, two bytes in front of a message say how long it is (RFC 1035, section 4.2.2). */
const LENGTH_SIZE = 2;
const MESSAGE_MAX = 0xff_ff;

/** Over UDP and, where the response does not fit, over TCP. Name servers of domains are asked at public addresses only. */
export const networkTransport: Transport = async (server, query, timeout) => {
  if (server.name !== null && isSpecialUse(server.address)) return 'refused address';
  if (query.isTcp) return rejectTooManyRecords(await overTcp(server, query, timeout));
  const end = performance.now() + timeout;
  const left = () => Math.max(end - performance.now(), timeout / 4);
  let response = await overUdp(server, query, timeout);
  // From before EDNS (RFC 6891, section 7).
  if (typeof response !== 'string' && response.rcode === 'FORMERR') {
    response = await overUdp(server, query, left(), { withoutEdns: true });
  }
  if (typeof response === 'string' || !response.isTruncated) return rejectTooManyRecords(response);
  const whole = await overTcp(server, query, left());
  return typeof whole === 'string' || whole.isTruncated ? 'truncated' : rejectTooManyRecords(whole);
};

function rejectTooManyRecords(response: DnsResponse | TransportErrorCode): DnsResponse | TransportErrorCode {
  return typeof response !== 'string' && response.hasTooMany ? 'too many records' : response;
}

/**
 * The same question is sent several times, from sockets of their own that all stay open: a response may come later than the
 * next question leaves.
 */
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
      // A connected socket: the system drops what others send, and tells when nobody listens there.
      const socket = createSocket(isIPv6(server.address) ? 'udp6' : 'udp4');
      sockets.push(socket);
      socket.on('error', fail);
      socket.on('message', (received) => {
        const response = decodeResponse(received, id, query);
        // Something else than the response may be forged or late: the true one may still come.
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
  // Sent one byte at a time or without end: what is beyond the first message is never kept.
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

/** What the system says of a socket. The first line comes from the other side, the second from a network on the way. */
function toTransportErrorCode(error: unknown): TransportErrorCode {
  const code = String((error as { code?: unknown } | null)?.code);
  if (['ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(code)) return 'connection refused';
  if (['EHOSTUNREACH', 'EHOSTDOWN', 'ETIMEDOUT'].includes(code)) return 'timeout';
  return 'no route';
}

/** What the system throws, also in a callback of its own, must not end the process. */
function attemptOr(fail: (error: unknown) => void, act: () => unknown): void {
  try {
    act();
  } catch (error) {
    fail(error);
  }
}

/** A socket that never opened cannot be closed, which is as good. */
function closeQuietly(socket: Socket): void {
  try {
    socket.close();
  } catch {
    // It is closed already, or was never bound.
  }
}
