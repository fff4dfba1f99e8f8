import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sendRaw } from '../testing/processes/rawHttp.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createToken, createWorkspace, setSuspended } from '../workspaces/store.ts';
import { IDLE_TIMEOUT_MS } from './sessionLimits.ts';

// What the page of the console says of the session of its browser.

const CONSOLE = { 'sendroom-console': '1' };
const NAVIGATION = { accept: 'text/html', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' };
/** Would end the element, or be taken for a placeholder of the page. */
const NAME = `</script><script>alert(1)</script><!-- $& $' __CSP_NONCE__ \u2028 "`;

let dist: string;
let service: TestService;
let token: string;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'sendroom-dist-'));
  await writeFile(
    join(dist, 'index.html'),
    `<!doctype html><head><title>Sendroom</title><style nonce="__CSP_NONCE__"></style>
    <link data-page="src/contacts/ContactsPage.tsx" rel="modulepreload" href="/c.js"><link data-page="src/bulk/BulkPage.tsx" rel="modulepreload" href="/b.js"></head>
    <body><div id="frame" hidden><h1><!--title--></h1></div></body>`,
  );
  await writeFile(join(dist, 'shared.html'), '');
  service = await startTestService({ consoleDir: dist });
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

test('a page without a session says nothing of any, begins with nothing of it, and is kept by nobody', async () => {
  const response = await pageOf(null);
  expect([response.headers.get('cache-control'), response.headers.get('etag')]).toEqual(['no-store', null]);
  const text = await response.text();
  expect(elementOf(text)).toBeUndefined();
  expect(text).toContain('<div id="frame" hidden>');
  expect(text).not.toContain('sendroom-reads');
});

/** As a browser does: `fetch` would add a header that asks for a new page, and change some paths. */
function visit(path: string, cookie: string | null, more: Record<string, string> = {}) {
  const headers = { ...NAVIGATION, ...(cookie !== null && { cookie }), ...more };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return sendRaw(service.port, `GET ${path} HTTP/1.1\r\nHost: x\r\n${lines.join('')}Connection: close\r\n\r\n`);
}
const askAgain = (cookie: string | null, tag: string) => visit('/domains', cookie, { 'if-none-match': tag });

test('a page with a session is for its browser alone, which asks each time, and is told that it has not changed with its nonce', async () => {
  const cookie = await signIn();
  const response = await pageOf(cookie);
  expect([response.headers.get('cache-control'), response.headers.get('vary')]).toEqual([
    'private, no-cache',
    'cookie',
  ]);
  const { status, headers, body } = await askAgain(cookie, response.headers.get('etag') ?? '');
  expect([status, body, headers.get('content-security-policy')]).toEqual([304, '', null]);
  expect(headers.get('cache-control')).toBe('private, no-cache');
});

test('no other session is told so: not of the same token, not after the end, not without one', async () => {
  const cookie = await signIn();
  const tag = (await pageOf(cookie)).headers.get('etag') ?? '';
  expect((await askAgain(await signIn(), tag)).status).toBe(200);
  expect((await askAgain(null, tag)).status).toBe(200);
  await service.call('/session', { method: 'DELETE', headers: { ...CONSOLE, cookie } });
  expect((await askAgain(cookie, tag)).status).toBe(200);
});

test.each([
  ['signed out', (cookie: string) => service.call('/session', { method: 'DELETE', headers: { ...CONSOLE, cookie } })],
  ['unused for too long', () => (service.clock.now += IDLE_TIMEOUT_MS)],
  ['of a workspace that was suspended', () => setSuspended(workspace, service.database, true)],
])('one that is %s is told as the end of it', async (_, end) => {
  const cookie = await signIn();
  await end(cookie);
  const response = await pageOf(cookie);
  const sign_in = { token: true, account: null, account_sign_out: null };
  expect(await saidIn(response)).toEqual({ data: null, sign_in });
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

test('the page of who is signed in begins with its frame and its data', async () => {
  const text = await (await pageOf(await signIn())).text();
  expect(text).toContain('<div id="frame"><h1>Domains</h1></div>');
  expect(text).toContain(
    '<meta name="sendroom-reads" content="/v1/domain-reports?page=1&amp;per_page=25&amp;sorting%5B%5D=%7B%22id%22%3A%22urgency%22%2C%22desc%22%3Atrue%7D" data-workspace=""><title>',
  );
});

test.each([
  ['with a query of its own', '/domains?page=2', 'Domains'],
  ['of a workspace that is not that of the session', '/w/00000000-0000-4000-8000-000000000000/domains', 'Domains'],
  ['of which nothing is known', '/domains/x.test', ''],
  ['that names no workspace', '/w/%2e%2e/domains', ''],
])('a path %s reads nothing early', async (_, path, title) => {
  const { body } = await visit(path, await signIn());
  expect(body).toContain(`<div id="frame"><h1>${title}</h1></div>`);
  expect(body).not.toContain('sendroom-reads');
});

async function filesOf(path: string, headers: Record<string, string>): Promise<unknown[]> {
  const response = await service.call(path, { headers: { ...NAVIGATION, ...headers } });
  return Array.from((await response.text()).matchAll(/href="([^"]*)"/g), ([, file]) => file);
}

test('a page names its own files only, and none without a session', async () => {
  const cookie = await signIn();
  expect(await filesOf('/contacts', { cookie })).toEqual(['/c.js']);
  expect(await filesOf(`/w/${workspace.uuid}/desk`, { cookie })).toEqual(['/b.js']);
  for (const path of ['/', '/domains', '/people', '/contacts/x']) expect(await filesOf(path, { cookie })).toEqual([]);
  expect(await filesOf('/contacts', {})).toEqual([]);
});
