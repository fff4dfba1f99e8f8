import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../testing/rawHttp.ts';
import { startTestService, type TestService } from '../testing/testService.ts';

const PAGE = '<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>';
const SCRIPT = 'document.title = "console";'.repeat(50);

let dist: string;
let service: TestService;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'sendroom-dist-'));
  await mkdir(join(dist, 'assets'));
  await writeFile(join(dist, 'index.html'), PAGE);
  await writeFile(join(dist, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(dist, '.sources'), 'not for anybody');
  await writeFile(join(dist, 'assets/main-a1b2.js'), SCRIPT);
  await writeFile(join(dist, 'assets/main-a1b2.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(dist, 'assets/main-a1b2.js.gz'), gzipSync(SCRIPT));
  service = await startTestService({ consoleDir: dist });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(dist, { recursive: true });
});

const navigate = (path: string) => service.call(path, { headers: { accept: 'text/html,*/*;q=0.8' } });

test.each(['/', '/domains', '/domains/mail.example.com', '/contacts/x%40y.test?search=a', '/sign-in', '/sessions'])(
  'going to %s gives the page',
  async (path) => {
    const response = await navigate(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
  },
);

test('each page has a nonce of its own, the same in its policy and in its text', async () => {
  const seen = new Set<string>();
  for (let count = 0; count < 3; count++) {
    const response = await navigate('/domains');
    const nonce = /style-src 'self' 'nonce-([^']{22,})'/.exec(
      response.headers.get('content-security-policy') ?? '',
    )?.[1];
    expect(await response.text()).toBe(PAGE.replaceAll('__CSP_NONCE__', nonce ?? ''));
    seen.add(nonce ?? '');
  }
  expect(seen.size).toBe(3);
});

test('the policy allows the script that the page has, and no other', async () => {
  const text = `document.title = "<b>' + $& + '";`;
  // By hand: printf %s "$text" | openssl dgst -sha256 -binary | base64
  const hash = 'EBLyfAHM5r+UOxB/Nhv7mXhk+0M7R3UnZYgzeqxALpk=';
  const page = `${PAGE}<script type="application/json">{}</script><script>${text}</script><script src="/assets/main-a1b2.js"></script>`;
  const folder = await mkdtemp(join(tmpdir(), 'sendroom-dist-'));
  await writeFile(join(folder, 'index.html'), page);
  await using other = await startTestService({ consoleDir: folder });
  const response = await other.call('/', { headers: { accept: 'text/html' } });
  expect(response.headers.get('content-security-policy')).toContain(`; script-src 'self' 'sha256-${hash}'; `);
  expect(await response.text()).toContain(`<script>${text}</script>`);
  await rm(folder, { recursive: true });
});

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['identity', null],
])('an asset for Accept-Encoding: %s comes as %s, for ever', async (accepted, encoding) => {
  const response = await service.call('/assets/main-a1b2.js', { headers: { 'accept-encoding': accepted } });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-encoding')).toBe(encoding);
  expect(response.headers.get('vary')).toBe('accept-encoding');
  expect(response.headers.get('content-type')).toMatch(/javascript/);
  expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(await response.text()).toBe(SCRIPT);
});

test('a file whose name stays is asked about again, and then not sent again', async () => {
  const first = await service.call('/favicon.svg');
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const etag = first.headers.get('etag') ?? '';
  // fetch() would send `cache-control: no-cache`.
  const request = `GET /favicon.svg HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${etag}\r\nConnection: close\r\n\r\n`;
  expect((await sendRaw(service.port, request)).status).toBe(304);
});

test.each([
  '/assets/gone-a1b2.js',
  '/assets/',
  '/assets',
  '/assets/main-a1b2.js.br',
  '/assets/main-a1b2.js.map',
  '/index.html.br',
  '/.sources',
  '/.env',
  '/.git/config',
  '/index.html',
])('%s is nothing for a script to load', async (path) => {
  const response = await service.call(path, { headers: { accept: '*/*' } });
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
});

test.each(['/assets/gone-a1b2.js', '/v1/nothing', '/v1', '/v1/'])('even going to %s gives no page', async (path) => {
  expect((await navigate(path)).status).toBe(404);
});

test.each([
  '/../package.json',
  '/assets/../../package.json',
  '/%2e%2e/package.json',
  '/assets/..%2f..%2fpackage.json',
  '//etc/passwd',
  '/assets/%00',
])('the path %s, sent as it stands, reaches no file', async (path) => {
  const answer = await sendRaw(service.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(answer.status).toBe(404);
  expect(answer.body).not.toContain('dependencies');
});

test.each([
  ['/contacts/50%', '/contacts/50%25'],
  ['/contacts/%E0%A4%A', '/contacts/%25E0%25A4%25A'],
  ['//example.com/%', '/example.com/%25'],
])('a link that was not encoded, %s, is taken as it stands', async (path, location) => {
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nConnection: close\r\n\r\n`;
  const { status, headers } = await sendRaw(service.port, request);
  expect([status, headers.get('location')]).toEqual([302, location]);
});

test('a page is only ever read', async () => {
  expect((await service.call('/domains', { method: 'HEAD', headers: { accept: 'text/html' } })).status).toBe(200);
  expect((await service.call('/domains', { method: 'POST', headers: { accept: 'text/html' } })).status).toBe(404);
  const response = await service.call('/favicon.svg', { method: 'DELETE' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('HEAD, GET');
});
