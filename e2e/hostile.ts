import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test as base } from './fixtures.ts';

type Answer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };
/** `turn` counts the calls that met this rule from 0; `released` settles when the proxy calms down. */
type Call = { turn: number; released: Promise<void> };
type Misbehaviour = (real: Answer, response: ServerResponse, call: Call) => void | Promise<void>;

/** A real proxy in front of the real service, which can be told to answer badly. */
export type HostileProxy = {
  url: string;
  /** From now on calls to `path` (under /v1 or /session) are answered in this way; a second rule replaces the first. */
  answer: (path: RegExp, how: Behaviour) => void;
  /** Answers well again, and lets held answers go. */
  calm: () => void;
  /** How often each path was called, with its query string. */
  calls: string[];
  close: () => Promise<void>;
};

export type Behaviour = keyof typeof behaviours;

const behaviours = {
  html: status(200, { 'content-type': 'text/html' }, '<!doctype html><title>Sign in</title><h1>Corporate proxy</h1>'),
  204: status(204),
  empty: status(200, { 'content-type': 'application/json' }),
  truncated: (real, response) => {
    response.writeHead(real.status, { 'content-type': 'application/json', connection: 'close' });
    response.end(real.body.subarray(0, real.body.length / 2));
  },
  /** Of a stream, one line now and the others when the proxy calms down. */
  'slow-stream': async (real, response, { released }) => {
    const [first, rest] = cutAfterLine(real.body);
    response.writeHead(real.status, real.headers);
    response.write(first);
    await released;
    response.end(rest);
  },
  /** Of a stream, one line and no end. */
  'broken-stream': (real, response) => {
    const [first] = cutAfterLine(real.body);
    response.writeHead(real.status, { 'content-type': 'application/x-ndjson' });
    response.end(first);
  },
  oversized: (real, response) => {
    response.writeHead(real.status, { 'content-type': 'application/json' });
    response.end(Buffer.concat([real.body, Buffer.alloc(6 * 1024 * 1024, ' ')]));
  },
  'missing-meta': json(({ data }) => ({ data })),
  'null-attributes': eachRow((row) => ({ ...row, attributes: null })),
  'unknown-words': eachRow((row) => ({
    ...row,
    ...('status' in row && { status: 'quarantined' }),
    ...('verification' in row && { verification: 'sideways' }),
    unheard_of: { of: ['anything'] },
  })),
  slow: async (real, response, { released }) => {
    await released;
    send(real, response);
  },
  401: status(401, { 'www-authenticate': 'Bearer' }),
  403: status(403),
  404: status(404),
  429: status(429, { 'retry-after': '1' }),
  500: status(500, { 'content-type': 'text/html' }, '<h1>Internal Server Error</h1><pre>at secret.js:1</pre>'),
  503: status(503),
  reset: (_, response) => void response.destroy(),
  'missing-data': (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
  /** Says that it answered with the first page, whatever page was asked for. */
  unpaged: json(({ data, meta }) => ({ data, meta: { ...(meta as object), current_page: 1 } })),
  'fails once': (real, response, { turn }) => {
    if (turn === 0) response.writeHead(503).end();
    else send(real, response);
  },
  /** The first call is done, and its answer lost. */
  'lost once': (real, response, { turn }) => void (turn === 0 ? response.destroy() : send(real, response)),
  /** Every twentieth call is refused, in turn as too fast and as failed; every fiftieth is done, and its answer lost. */
  flaky: (real, response, { turn }) => {
    if (turn % 50 === 49) response.destroy();
    else if (turn % 40 === 19) response.writeHead(429, { 'retry-after': '0' }).end();
    else if (turn % 40 === 39) response.writeHead(503).end();
    else send(real, response);
  },
  /** The first call is answered last. */
  'out-of-order': async (real, response, { turn, released }) => {
    if (turn === 0) await released;
    send(real, response);
  },
} satisfies Record<string | number, Misbehaviour>;

function status(code: number, headers: Record<string, string> = {}, body = ''): Misbehaviour {
  return (_, response) => void response.writeHead(code, headers).end(body);
}

function cutAfterLine(body: Buffer): [Buffer, Buffer] {
  const end = body.indexOf('\n') + 1;
  return [body.subarray(0, end), body.subarray(end)];
}

type Body = { data: unknown; meta?: unknown };

function json(change: (body: Body) => unknown): Misbehaviour {
  return (real, response) => {
    const body = JSON.stringify(change(JSON.parse(real.body.toString()) as Body));
    response.writeHead(real.status, { 'content-type': 'application/json' }).end(body);
  };
}

type Row = Record<string, unknown>;

function eachRow(change: (row: Row) => Row): Misbehaviour {
  return json(({ data, meta }) => ({
    data: Array.isArray(data) ? (data as Row[]).map(change) : change(data as Row),
    meta,
  }));
}

function send(answer: Answer, response: ServerResponse): void {
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

export async function startHostileProxy(target: string): Promise<HostileProxy> {
  let rule: { path: RegExp; how: Behaviour; turn: number } | null = null;
  let release = Promise.withResolvers<void>();
  const calls: string[] = [];

  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '/';
    const isCall = /^\/(v1|session)\b/.test(path);
    if (isCall) calls.push(`${incoming.method} ${path}`);
    // Decided when the call arrives: a rule set while an answer is on its way is about later calls.
    const hit = isCall && rule?.path.test(path) ? rule : null;
    const turn = hit === null ? 0 : hit.turn++;
    const { promise: released } = release;
    forward(target, incoming).then(
      (real) => (hit === null ? send(real, response) : behaviours[hit.how](real, response, { turn, released })),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (path, how) => {
      rule = { path, how, turn: 0 };
    },
    calm: () => {
      rule = null;
      release.resolve();
      release = Promise.withResolvers();
    },
    calls,
    close: async () => {
      release.resolve();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function forward(target: string, incoming: IncomingMessage): Promise<Answer> {
  const body = await buffer(incoming);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const outgoing = request(new URL(incoming.url ?? '/', target), {
    method: incoming.method,
    headers: incoming.headers,
  });
  outgoing.on('response', resolve).on('error', reject).end(body);
  const answer = await promise;
  const { 'transfer-encoding': _, ...headers } = answer.headers;
  return { status: answer.statusCode ?? 502, headers, body: await buffer(answer) };
}

/** A test whose browser reaches the service through a proxy that it can turn hostile. */
export const test = base.extend<{ hostile: HostileProxy }>({
  hostile: async ({ sendroom }, provide) => {
    const hostile = await startHostileProxy(sendroom.url);
    await provide(hostile);
    await hostile.close();
  },
  baseURL: async ({ hostile }, provide) => provide(hostile.url),
});
