import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll } from 'vitest';
import { ApiError } from '../api/ApiError.ts';

export type TestServer = {
  /** The requests since the last `answer`, in order. */
  received: { method: string; path: string; headers: IncomingHttpHeaders; body: string }[];
  /** Sets the listener for further requests. */
  answer: (listener: RequestListener) => void;
  listen: () => Promise<void>;
  close: () => Promise<void>;
};

/** Node's own fetch resolves relative addresses against this, as a page does against where it came from. */
const ORIGIN = Symbol.for('undici.globalOrigin.1');

/** A real server for the tests around, which receives the console's requests as if it had served the page. */
export function setUpTestServer(): TestServer {
  let listener = json({}, 500);
  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    void text(request).then((body) => {
      testServer.received.push({ method, path, headers, body });
      listener(request, response);
    });
  });
  const testServer: TestServer = {
    received: [],
    answer: (next) => {
      listener = next;
      testServer.received = [];
    },
    listen: async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      Object.assign(globalThis, { [ORIGIN]: new URL(`http://127.0.0.1:${port}`) });
    },
    close: async () => {
      Reflect.deleteProperty(globalThis, ORIGIN);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  beforeAll(testServer.listen);
  afterAll(testServer.close);
  return testServer;
}

/** Answers with `body` as JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): RequestListener {
  return (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function plain(status: number, type: string, body: string): RequestListener {
  return (_, response) => response.writeHead(status, { 'content-type': type }).end(body);
}

/** The `ApiError` that `call` rejects with. Throws where it resolves, or rejects with another error. */
export async function catchApiError(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    (value) => new Error(`It succeeded with ${JSON.stringify(value)}`),
    (cause: unknown) => cause,
  );
  if (error instanceof ApiError) return error;
  throw error;
}
