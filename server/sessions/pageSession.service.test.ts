import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { sendRaw } from '../testing/rawHttp.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace, setSuspended } from '../workspaces/store.ts';
import { IDLE_TIMEOUT_MS } from './sessionLimits.ts';

// What the page of the console says of the session of its browser.

const CONSOLE = { 'sendroom-console': '1' };
const NAVIGATION = { accept: 'text/html', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
/** Would end the element, or be taken for something else by whoever puts it into the page. */
const NAME = `</script><script>alert(1)</script><!-- $& $' __CSP_NONCE__ \u2028 "`;

const START = {
  title: 'Domains',
  needs: null,
  reads: '/v1/domains?a&b',
  scripts: ['assets/d.js'],
  styles: ['assets/d.css'],
};

let dist: string;
let metrics: Metrics;
let service: TestService;
let token: string;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'sendroom-dist-'));
  const pages = JSON.stringify({
    '/domains': START,
    '/contacts': { ...START, title: 'Contacts', needs: 'listContacts' },
  });
  await writeFile(
    join(dist, 'index.html'),
    `<!doctype html><head><script type="application/json" id="pages" nonce="__CSP_NONCE__">${pages}</script>
    <title>Sendroom</title><style nonce="__CSP_NONCE__"></style></head>
    <body><div id="frame" hidden><h1><!--title--></h1></div></body>`,
  );
  metrics = createMetrics('test');
  service = await startTestService({ consoleDir: dist, metrics });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(dist, { recursive: true });
});

let workspace: Awaited<ReturnType<typeof createWorkspace>>;
beforeEach(async () => {
  workspace = await createWorkspace(service.database, { name: NAME, identity_field: null }, 0);
  ({ token } = await createToken(workspace, service.database, { name: 'test', role: 'admin' }, 0));
});

async function signIn(): Promise<string> {
  const response = await service.call('/session', { method: 'POST', json: { token }, headers: CONSOLE });
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

const pageOf = (cookie: string | null, headers: Record<string, string> = {}) =>
  service.call('/domains', { headers: { ...NAVIGATION, ...(cookie !== null && { cookie }), ...headers } });
const askedBy = async (cookie: string) =>
  (await service.call('/session', { headers: { ...CONSOLE, cookie } })).json() as Promise<{ data: object }>;

/** The text of the element with the session; undefined where the page has none. */
const elementOf = (page: string) => /<script type="application\/json" id="session">(.*?)<\/script>/s.exec(page)?.[1];
async function saidIn(response: Response): Promise<unknown> {
  const element = elementOf(await response.text());
  return element === undefined ? undefined : JSON.parse(element);
}

test('says what reading the session says, and nothing else', async () => {
  const cookie = await signIn();
  expect(await saidIn(await pageOf(cookie))).toEqual(await askedBy(cookie));
});

test('a name of a workspace cannot break out of it', async () => {
  const text = await (await pageOf(await signIn())).text();
  expect(elementOf(text)).not.toContain('<');
  expect(JSON.parse(elementOf(text) ?? '')).toMatchObject({ data: { name: NAME } });
  expect(text.match(/<\/head>/g)).toHaveLength(1);
  expect(text).toMatch(/<style nonce="[^"_]{24}">/);
});

test('a page without a session says nothing of any, and is kept by nobody', async () => {
  const response = await pageOf(null);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('etag')).toBeNull();
  expect(await saidIn(response)).toBeUndefined();
});

test('a page with a session is for its browser alone, which asks each time whether it still holds', async () => {
  const response = await pageOf(await signIn());
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
  expect(response.headers.get('vary')).toBe('cookie');
});

/** As a browser does: `fetch` would add a header that asks for a new page. */
function askAgain(cookie: string | null, tag: string) {
  const headers = { ...NAVIGATION, ...(cookie !== null && { cookie }), 'if-none-match': tag };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return sendRaw(service.port, `GET /domains HTTP/1.1\r\nHost: x\r\n${lines.join('')}Connection: close\r\n\r\n`);
}

test('the same session is told that its page has not changed, and the policy with the nonce of that page stays', async () => {
  const cookie = await signIn();
  const tag = (await pageOf(cookie)).headers.get('etag') ?? '';
  const { status, headers, body } = await askAgain(cookie, tag);
  expect([status, body, headers.get('content-security-policy')]).toEqual([304, '', null]);
  expect(headers.get('cache-control')).toBe('private, no-cache');
});

test('that it has not changed counts as an answer of the console', async () => {
  const cookie = await signIn();
  const tag = (await pageOf(cookie)).headers.get('etag') ?? '';
  metrics.resetMetrics();
  await askAgain(cookie, tag);
  const counted = async () =>
    (await metrics.getMetricsAsJSON()).find(({ name }) => name === 'sendroom_http_requests_total');
  await expect
    .poll(counted)
    .toMatchObject({ values: [{ labels: { method: 'GET', route: 'console', status: 304 }, value: 1 }] });
});

test('no other session is told so: not of the same token, not after the end, not without one', async () => {
  const cookie = await signIn();
  const tag = (await pageOf(cookie)).headers.get('etag') ?? '';
  expect((await askAgain(await signIn(), tag)).status).toBe(200);
  expect((await askAgain(null, tag)).status).toBe(200);
  await service.call('/session', { method: 'DELETE', headers: { ...CONSOLE, cookie } });
  expect((await askAgain(cookie, tag)).status).toBe(200);
});

const ended = { data: null, sign_in: { token: true, account: null, account_sign_out: null } };

test.each([
  [
    'signed out',
    async (cookie: string) =>
      void (await service.call('/session', { method: 'DELETE', headers: { ...CONSOLE, cookie } })),
  ],
  ['unused for too long', async () => void (service.clock.now += IDLE_TIMEOUT_MS)],
  ['of a workspace that was suspended', () => setSuspended(workspace, service.database, true)],
  ['made up', async () => {}],
])('one that is %s is told as the end of it', async (how, end) => {
  const cookie = how === 'made up' ? 'sendroom=x' : await signIn();
  await end(cookie);
  const response = await pageOf(cookie);
  expect(await saidIn(response)).toEqual(ended);
  expect(response.headers.get('cache-control')).toBe('no-store');
});

test('a script that fetches the page is told nothing, nor is a frame', async () => {
  const cookie = await signIn();
  for (const dest of ['empty', 'iframe', 'script', 'image'])
    expect(await saidIn(await pageOf(cookie, { 'sec-fetch-dest': dest }))).toBeUndefined();
});

test('who guesses by asking for pages is counted as who guesses otherwise, and then told nothing', async () => {
  const address = { 'x-forwarded-for': '192.0.2.77' };
  for (let count = 0; count < 60; count++) await pageOf('sendroom=x', address);
  expect(await saidIn(await pageOf('sendroom=x', address))).toBeUndefined();
  const asked = await service.call('/session', { headers: { ...CONSOLE, ...address, cookie: 'sendroom=x' } });
  expect(asked.status).toBe(429);
  // A session that there is goes on.
  expect(await saidIn(await pageOf(await signIn(), address))).toMatchObject({ data: { name: NAME } });
});

test('the page of who is signed in begins with its frame, its code and its data', async () => {
  const text = await (await pageOf(await signIn())).text();
  expect(text).toContain('<div id="frame"><h1>Domains</h1></div>');
  expect(text).toContain('<meta name="sendroom-reads" content="/v1/domains?a&amp;b" data-workspace=""><title>');
  expect(text).toContain(
    '</style><link rel="stylesheet" crossorigin href="/assets/d.css"><link rel="modulepreload" crossorigin href="/assets/d.js"></head>',
  );
  expect(text).not.toContain('id="pages"');
});

test('any other page has none of it', async () => {
  const text = await (await pageOf(null)).text();
  expect(text).toContain('<div id="frame" hidden>');
  expect(text).not.toMatch(/sendroom-reads|d\.js|d\.css|id="pages"/);
});

test.each([
  ['a query of its own', '/domains?page=2', 'Domains'],
  ['a workspace that is not that of the session', '/w/00000000-0000-4000-8000-000000000000/domains', 'Domains'],
  ['a path of which nothing is known', '/domains/x.test', ''],
])('with %s nothing is read early', async (_, path, title) => {
  const cookie = await signIn();
  const text = await (await service.call(path, { headers: { ...NAVIGATION, cookie } })).text();
  expect(text).toContain(`<div id="frame"><h1>${title}</h1></div>`);
  expect(text).not.toContain('sendroom-reads');
});

test.each(['/w/a.b/domains', '/w/%2e%2e/domains', '/w/%20/domains'])(
  'at %s, which names no workspace and is no page, nothing begins early',
  async (path) => {
    const cookie = await signIn();
    const { body } = await sendRaw(
      service.port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    );
    expect(body).toContain('<div id="frame"><h1></h1></div>');
    expect(body).not.toMatch(/sendroom-reads|d\.js/);
  },
);

test('a page that the service does not have begins with its frame alone', async () => {
  await using bare = await startTestService({ consoleDir: dist, settings: { ADDITIONS: 'off' } });
  const own = await createWorkspace(bare.database, { name: 'Own', identity_field: null }, 0);
  const { token: ownToken } = await createToken(own, bare.database, { name: 'test', role: 'admin' }, 0);
  const signedIn = await bare.call('/session', { method: 'POST', json: { token: ownToken }, headers: CONSOLE });
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const text = await (await bare.call('/contacts', { headers: { ...NAVIGATION, cookie } })).text();
  expect(text).toContain('<div id="frame"><h1></h1></div>');
  expect(text).not.toContain('sendroom-reads');
});
