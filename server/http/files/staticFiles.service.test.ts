import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRawUntilAnswer } from '../../testing/processes/rawHttp.ts';
import { createTestFolder, type TestFolder } from '../../testing/testFolder.ts';
import { startTestService, type TestService } from '../../testing/testService.ts';

// Only the files of the console are ever read, and no folder is listed, whatever scanners request.

const SCRIPT = 'document.title = "console";'.repeat(50);
const INLINE = `document.title = "<b>' + $& + '";`;
/** By hand: printf %s "$INLINE" | openssl dgst -sha256 -binary | base64 */
const INLINE_HASH = 'EBLyfAHM5r+UOxB/Nhv7mXhk+0M7R3UnZYgzeqxALpk=';
const PAGE = `<!doctype html><style nonce="__CSP_NONCE__"></style><meta property="csp-nonce" nonce="__CSP_NONCE__">
<script type="application/json">{}</script><script>${INLINE}</script><script src="/assets/main-a1b2.js"></script>`;
const SECRET = 'nobody should read this';

let folder: TestFolder;
let service: TestService;

beforeAll(async () => {
  folder = await createTestFolder({
    'dist/index.html': PAGE,
    'dist/shared.html': PAGE,
    'dist/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'dist/assets/main-a1b2.js': SCRIPT,
    'dist/assets/main-a1b2.js.br': brotliCompressSync(SCRIPT),
    'dist/assets/main-a1b2.js.gz': gzipSync(SCRIPT),
    // What may be in and around the folder of a build.
    'dist/assets/main-a1b2.js.map': SECRET,
    'dist/.sources': SECRET,
    'dist/.env': SECRET,
    'dist/.git/config': SECRET,
    'dist/.vite/manifest.json': SECRET,
    'dist/assets/.DS_Store': SECRET,
    'dist/.well-known/x': SECRET,
    'secret.txt': SECRET,
    '.env': SECRET,
    'data/sendroom.db': SECRET,
  });
  service = await startTestService({ consoleDir: `${folder.path}/dist` });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const navigate = (path: string) => service.call(path, { headers: { accept: 'text/html,*/*;q=0.8' } });

/** Byte for byte, because clients normalise paths. */
function ask(path: string, headers = '', method = 'GET') {
  const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\n${headers}Content-Length: 0\r\n\r\n`;
  return sendRawUntilAnswer(service.port, Buffer.from(request, 'latin1'), { isHead: false });
}

test('each page has a nonce of its own, the same in its policy and in its text', async () => {
  const seen = new Set<string>();
  for (let count = 0; count < 3; count++) {
    const response = await navigate('/domains');
    const policy = response.headers.get('content-security-policy') ?? '';
    const nonce = /style-src 'self' 'nonce-([^']{22,})'/.exec(policy)?.[1] ?? '';
    expect(await response.text()).toBe(PAGE.replaceAll('__CSP_NONCE__', nonce));
    // The script that the page has, and no other.
    expect(policy).toContain(`; script-src 'self' 'sha256-${INLINE_HASH}'; `);
    seen.add(nonce);
  }
  expect(seen.size).toBe(3);
});

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['identity', null],
])('an asset for Accept-Encoding: %s comes as %s', async (accepted, encoding) => {
  const response = await service.call('/assets/main-a1b2.js', { headers: { 'accept-encoding': accepted } });
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, encoding]);
  expect(response.headers.get('vary')).toBe('accept-encoding');
  expect(await response.text()).toBe(SCRIPT);
});

const NAMES = String.raw`
  /.env /.sources /.git/config /.vite/manifest.json /assets/.DS_Store /.well-known/x /assets/main-a1b2.js.map
  /assets/main-a1b2.js.br /assets/main-a1b2.js.gz /index.html.br /assets /assets/ /assets/. /assets/.. /assets//
  /assets/main-a1b2.js/ /assets/main-a1b2.js%00.css /assets/gone-a1b2.js /assets/* /index.html /shared.html /dist/index.html
  /package.json /data/sendroom.db /metrics /v1 /v1/ /v1/nothing /v2/domains /@fs/etc/passwd /proc/self/environ
  //etc/passwd /~root /C:/boot.ini /x?path=../../secret.txt /% /%zz /\..\secret.txt /* http://127.0.0.1:1/ x:443
`;
const UP = String.raw`
  .. %2e%2e ..%2f %2e%2e%2f ..%5c ..\ %252e%252e%252f ..; %c0%ae%c0%ae %e0%80%ae%e0%80%ae .... .%00.
`;
const words = (text: string) => text.trim().split(/\s+/);
const probes = [
  ...words(NAMES),
  ...words(UP).flatMap((up) => [`/${up}/secret.txt`, `/assets/${up}/${up}/secret.txt`]),
  // The space ends the path, and the rest is not a version of HTTP.
  '/a b',
];

test.each(probes)('%s is nothing', async (path) => {
  const answer = await ask(path, 'Accept: */*\r\n');
  expect([400, 404]).toContain(answer.status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  const { status, text, body, headers } = await ask(path, 'Accept: text/html\r\n');
  for (const said of [answer.text, text]) expect(said).not.toMatch(/nobody should|Index of|root:/);
  if (/^\/(v1|assets)(\/[\w-]+\.\w+)?\/?$/.test(path)) expect(status).toBe(404);
  // A browser gets nothing but the page.
  if (status === 200) expect(body).toContain('<!doctype html>');
  else if (status === 302) expect(headers.get('location')).toMatch(/^\/(?![/\\])/);
  else expect([400, 404]).toContain(status);
});

test.each(['/', '/v1/domains', '/assets/main-a1b2.js'])(
  'TRACE of %s gives nothing back of what was sent',
  async (path) => {
    const answer = await ask(path, 'Cookie: sendroom=canary\r\nX-Canary: canary\r\n', 'TRACE');
    expect([404, 405]).toContain(answer.status);
    expect(answer.text).not.toContain('canary');
  },
);

test('a page is only ever read', async () => {
  const headers = { accept: 'text/html' };
  expect((await service.call('/domains', { method: 'HEAD', headers })).status).toBe(200);
  expect((await service.call('/domains', { method: 'POST', headers })).status).toBe(404);
  const response = await service.call('/favicon.svg', { method: 'DELETE' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'HEAD, GET']);
});
