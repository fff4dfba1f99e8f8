import { connect, type Socket } from 'node:net';
import { must } from '../../../contract/values/must.ts';

export type LoadResult = {
  /** Milliseconds of each request, in the order in which they ended. */
  times: number[];
  perSecond: number;
};

/** Several addresses take turns. */
type Target = { url: URL | readonly URL[]; headers?: Record<string, string>; method?: 'GET' | 'POST'; json?: unknown };
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
  const times: number[] = [];
  const start = performance.now();
  const end = 'seconds' in until ? start + until.seconds * 1000 : Infinity;
  const most = 'requests' in until ? until.requests : Infinity;
  let sent = 0;
  let isRunning = true;
  const more = () => isRunning && performance.now() < end && sent++ < most;
  const stayAwake = () => isRunning && setImmediate(stayAwake);
  if (!sleeps) stayAwake();
  try {
    await Promise.all(Array.from({ length: connections }, () => oneConnection(target, more, times)));
  } finally {
    isRunning = false;
  }
  return { times, perSecond: times.length / ((performance.now() - start) / 1000) };
}

function oneConnection(target: Target, more: () => boolean, times: number[]): Promise<void> {
  const urls = [target.url].flat();
  const url = must(urls[0]);
  const messages = urls.map((each) => messageFor(each, target));
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket: Socket = connect(Number(url.port), url.hostname);
  let asked = 0;
  let sentAt = 0;
  let received: Buffer = Buffer.alloc(0);

  const next = () => {
    if (!more()) {
      socket.end();
      resolve();
      return;
    }
    sentAt = performance.now();
    socket.write(must(messages[asked++ % messages.length]));
  };
  socket.setNoDelay();
  socket.on('connect', next);
  socket.on('error', reject);
  socket.on('close', () => reject(new Error('The server closed the connection.')));
  const receive = (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const size = answerSize(received);
    if (size === null || received.length < size) return;
    times.push(performance.now() - sentAt);
    // A service may limit the requests of one connection.
    if (/\r\nconnection: close/i.test(received.toString('latin1', 0, 2048))) {
      socket.destroy();
      resolve(oneConnection(target, more, times));
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

function messageFor({ host, pathname, search }: URL, { headers, method = 'GET', json }: Target): Buffer {
  const body = json === undefined ? '' : JSON.stringify(json);
  const ofBody = json !== undefined && { 'content-type': 'application/json' };
  const ofPost = method === 'POST' && { 'content-length': String(Buffer.byteLength(body)) };
  const all = { host, ...headers, ...ofBody, ...ofPost };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** Its message is the answer. */
export class UnexpectedAnswerError extends Error {
  readonly status: number;

  constructor(answer: string) {
    super(`Not what was expected: ${answer}`);
    this.status = Number(answer.split(' ', 2)[1]);
  }
}

/** Bytes of the answer at the start of `received`, or null while its head is incomplete. */
function answerSize(received: Buffer): number | null {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const head = received.toString('latin1', 0, headEnd);
  if (!head.startsWith('HTTP/1.1 200')) throw new UnexpectedAnswerError(received.toString('utf8'));
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('An answer without content-length.');
  return headEnd + 4 + Number(length);
}

/** The value below which a `share` of the values are. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]) => quantile(values, 0.5);
