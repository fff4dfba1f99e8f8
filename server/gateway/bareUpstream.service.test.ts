import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callAt } from '../testing/testService.ts';
import { startTestGateway, type TestGateway } from '../testing/testGateway.ts';

// A service with only the five operations, and any response at other addresses.

const CONSOLE = { 'sendroom-console': '1' };
const PAGE = JSON.stringify({
  data: [],
  meta: { current_page: 1, per_page: 1, total: 0, last_page: 1, has_next: false },
});

const asked: string[] = [];
let elsewhere: RequestListener = () => {};
const upstream = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://x.test');
  asked.push(pathname);
  if (pathname !== '/v1/domains') return elsewhere(request, response);
  const status = request.headers.authorization === 'Bearer right' ? 200 : 401;
  response.writeHead(status, { 'content-type': 'application/json' }).end(status === 200 ? PAGE : '{}');
});

let gateway: TestGateway;
beforeAll(async () => {
  await once(upstream.listen(0, '127.0.0.1'), 'listening');
  gateway = await startTestGateway({ upstream: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.closeAllConnections();
  upstream.close();
});
beforeEach(() => void (asked.length = 0));

const says =
  (status: number, type: string, body: string): RequestListener =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': type }).end(body);

test.each([
  ['401', says(401, 'application/json', '{}')],
  ['403', says(403, 'application/json', '{}')],
  ['a web page', says(200, 'text/html', '<h1>Welcome</h1>')],
  ['another shape', says(200, 'application/json', '{"data":{"id":7}}')],
  ['nothing', () => {}],
] as const)('who signs in is not asked for more than that: %s', async (_, answer) => {
  elsewhere = answer;
  const signIn = (token: string) =>
    callAt(gateway.url, '/session', { method: 'POST', json: { token, workspace: 'w' }, headers: CONSOLE });
  expect((await signIn('wrong')).status).toBe(401);
  const signedIn = await signIn('right');
  expect(signedIn.status).toBe(200);
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const session = await callAt(gateway.url, '/session', { headers: { ...CONSOLE, cookie } });
  expect(await session.json()).toMatchObject({ data: { workspace_uuid: 'w', name: null } });
  expect((await callAt(gateway.url, '/v1/domains', { headers: { ...CONSOLE, cookie } })).status).toBe(200);
  expect(new Set(asked)).toEqual(new Set(['/v1/domains']));
});
