import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { test as base } from './fixtures.ts';
import { misbehaviours, type Misbehaving, type ProxiedResponse, type ResponseHandler, send } from './misbehaviours.ts';

/** A proxy that responds badly on request. */
export type HostileProxy = {
  url: string;
  /** Calls to `path` (under /v1 or /session) get this response. A second rule replaces the first. */
  answer: (path: RegExp, how: Behaviour, method?: string) => void;
  calm: () => void;
  calls: string[];
  /** Without those that never end. */
  inFlight: () => number;
  close: () => Promise<void>;
};

export type Behaviour = Misbehaving | keyof typeof inTurns;

const inTurns = {
  /** One line of a stream now, the others after `calm`. */
  'slow-stream': async (real, response, { released }) => {
    const end = real.body.indexOf('\n') + 1;
    response.writeHead(real.status, real.headers);
    response.write(real.body.subarray(0, end));
    await released;
    response.end(real.body.subarray(end));
  },
  /** Every twentieth call gets a 429 or 503; every fiftieth is done and its response lost. */
  flaky: (real, response, call) => {
    const { turn } = call;
    if (turn % 50 === 49) response.destroy();
    else if (turn % 40 === 19) response.writeHead(429, { 'retry-after': '0' }).end();
    else if (turn % 40 === 39) response.writeHead(503).end();
    else return send(real, response, call);
  },
} satisfies Record<string, ResponseHandler>;

const findHandler = (how: Behaviour): ResponseHandler =>
  Object.hasOwn(inTurns, how) ? inTurns[how as keyof typeof inTurns] : misbehaviours[how as Misbehaving].answer;

const WELL = { how: send, turn: 0 };

type Rule = { path: RegExp; method: string | undefined; how: Behaviour; turn: number };

export async function startHostileProxy(target: string): Promise<HostileProxy> {
  let rule: Rule | null = null;
  let release = Promise.withResolvers<void>();
  let inFlight = 0;
  const calls: string[] = [];

  /** Decided when the call arrives: a later rule is for later calls. */
  const decide = (method = '', path = ''): { how: ResponseHandler; turn: number } => {
    const isHit = rule !== null && rule.path.test(path) && (rule.method ?? method) === method;
    return rule === null || !isHit ? WELL : { how: findHandler(rule.how), turn: rule.turn++ };
  };

  const server = createServer((incoming, response) => {
    const { method, url = '/' } = incoming;
    const isCall = /^\/(v1|session)\b/.test(url);
    if (isCall) calls.push(`${method} ${url}`);
    const { how, turn } = isCall ? decide(method, url) : WELL;
    const { promise: released } = release;
    response.on('error', () => undefined);
    inFlight++;
    const work = async () => {
      const real = await forward(target, incoming);
      await how(real, response, { turn, released });
    };
    work()
      .catch(() => response.destroy())
      .finally(() => inFlight--);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (path, how, method) => {
      rule = { path, method, how, turn: 0 };
    },
    calm: () => {
      rule = null;
      release.resolve();
      release = Promise.withResolvers();
    },
    calls,
    inFlight: () => inFlight,
    close: async () => {
      release.resolve();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function forward(target: string, incoming: IncomingMessage): Promise<ProxiedResponse> {
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

export const test = base.extend<{ hostile: HostileProxy }>({
  hostile: async ({ sendroom }, provide) => {
    const hostile = await startHostileProxy(sendroom.url);
    await provide(hostile);
    await hostile.close();
  },
  baseURL: async ({ hostile }, provide) => provide(hostile.url),
});
