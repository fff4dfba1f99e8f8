import { connect, type Socket } from 'node:net';
import { must } from '../../../contract/values/must.ts';

export type LoadResult = {
  /** Milliseconds of each request that got a 200, in the order in which they ended. */
  times: number[];
  perSecond: number;
  /** How many got a 503. */
  refused: number;
};

type Request = {
  url: URL;
  headers?: Record<string, string>;
  method?: 'GET' | 'POST';
  json?: unknown;
  /** Whether a 503 is counted instead of ending it. */
  mayRefuse?: boolean;
};
/** Several addresses take turns. A function gives the request with that number; all of them go to one server. */
type Target = (Omit<Request, 'url'> & { url: URL | readonly URL[] }) | ((sent: number) => Request);
type LoadLimit = { seconds: number } | { requests: number };

/**
 * Sends one request again and again over kept-open connections; each waits for its answer before the next. Uses raw
 * sockets, because Node's HTTP client costs more than a bare server, so it would measure itself. Without `sleeps` it
 * never sleeps: on a virtual machine waking it costs the server about 20 us, and only a server that is slower than the
 * generator would have that cost. With `sleeps` it does, for servers that need all processors. Any status but 200 ends
 * it.
 */
export async function generateLoad(
  target: Target,
  connections: number,
  until: LoadLimit,
  sleeps = false,
): Promise<LoadResult> {
  const result = { times: [] as number[], refused: 0 };
  const start = performance.now();
  const end = 'seconds' in until ? start + until.seconds * 1000 : Infinity;
  const most = 'requests' in until ? until.requests : Infinity;
  let sent = 0;
  let isRunning = true;
  const message = messagesFor(target);
  const nextMessage = () => (isRunning && performance.now() < end && sent < most ? message(sent++) : null);
  const stayAwake = () => isRunning && setImmediate(stayAwake);
  if (!sleeps) stayAwake();
  try {
    await Promise.all(Array.from({ length: connections }, () => oneConnection(target, nextMessage, result)));
  } finally {
    isRunning = false;
  }
  return { ...result, perSecond: result.times.length / ((performance.now() - start) / 1000) };
}

function oneConnection(
  target: Target,
  nextMessage: () => Buffer | null,
  result: { times: number[]; refused: number },
): Promise<void> {
  const { url, mayRefuse } = requestsOf(target)(0);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket: Socket = connect(Number(url.port), url.hostname);
  let sentAt = 0;
  let received: Buffer = Buffer.alloc(0);

  const next = () => {
    const message = nextMessage();
    if (message === null) {
      socket.end();
      resolve();
      return;
    }
    sentAt = performance.now();
    socket.write(message);
  };
  socket.setNoDelay();
  socket.on('connect', next);
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('The server closed the connection.')));
  const receive = (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const size = answerSize(received, mayRefuse);
    if (size === null || received.length < size) return;
    if (isRefusal(received)) result.refused++;
    else result.times.push(performance.now() - sentAt);
    // A service may limit the requests of one connection.
    if (/\r\nconnection: close/i.test(received.toString('latin1', 0, 2048))) {
      socket.destroy();
      resolve(oneConnection(target, nextMessage, result));
      return;
    }
    received = Buffer.alloc(0);
    next();
  };
  socket.on('data', (chunk: Buffer) => {
    try {
      receive(chunk);
    } catch (error) {
      socket.destroy();
      reject(error);
    }
  });
  return promise;
}

function requestsOf(target: Target): (sent: number) => Request {
  if (typeof target === 'function') return target;
  const urls = [target.url].flat();
  return (sent) => ({ ...target, url: must(urls[sent % urls.length]) });
}

function messagesFor(target: Target): (sent: number) => Buffer {
  const requestOf = requestsOf(target);
  if (typeof target === 'function') return (sent) => messageFor(requestOf(sent));
  const messages = [target.url].flat().map((_, at) => messageFor(requestOf(at)));
  return (sent) => must(messages[sent % messages.length]);
}

function messageFor({ url: { host, pathname, search }, headers, method = 'GET', json }: Request): Buffer {
  const body = json === undefined ? '' : JSON.stringify(json);
  const ofBody = json !== undefined && { 'content-type': 'application/json' };
  const ofPost = method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) };
  const all = { host, ...headers, ...ofBody, ...ofPost };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** Bytes of the answer at the start of `received`, or null while its head is incomplete. */
function answerSize(received: Buffer, mayRefuse = false): number | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = received.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200') && !(mayRefuse && isRefusal(received)))
    throw new Error(`Not what was expected: ${received.toString('utf8')}`);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('An answer without content-length.');
  return headEnd + 4 + Number(length);
}

const isRefusal = (received: Buffer) => received.toString('latin1', 0, 12) === 'HTTP/1.1 503';

/** The value below which a `share` of the values are. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);
