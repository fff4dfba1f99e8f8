import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRawUntilAnswer } from '../testing/rawHttp.ts';
import { startTestService, type TestService } from '../testing/testService.ts';

// Addresses that scanners request from every server. Only the files of the console are ever read, and no folder is
// listed.

const SECRET = 'nobody should read this';
/** Files that may be in the folder of a build, and beside it. */
const FILES = {
  'dist/index.html': '<!doctype html><title>Console</title>',
  'dist/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'dist/assets/main-a1b2.js': 'document.title = "console";',
  'dist/assets/main-a1b2.js.map': SECRET,
  'dist/assets/style-a1b2.css.map': SECRET,
  'dist/.env': SECRET,
  'dist/.git/config': SECRET,
  'dist/.vite/manifest.json': SECRET,
  'dist/assets/.DS_Store': SECRET,
  'dist/.well-known/x': SECRET,
  'secret.txt': SECRET,
  '.env': SECRET,
  'data/sendroom.db': SECRET,
};

let folder: string;
let service: TestService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sendroom-probes-'));
  for (const [name, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  service = await startTestService({ consoleDir: join(folder, 'dist') });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** Byte for byte, because clients normalise paths. `accept` decides whether it is a navigation. */
async function ask(method: string, path: string, accept: string) {
  const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nContent-Length: 0\r\n\r\n`;
  return sendRawUntilAnswer(service.port, Buffer.from(request, 'latin1'), { isHead: method === 'HEAD' });
}

const UP = [
  '..',
  '%2e%2e',
  '..%2f',
  '%2e%2e%2f',
  '..%5c',
  '..\\',
  '%252e%252e%252f',
  '..;',
  '%c0%ae%c0%ae',
  '%e0%80%ae%e0%80%ae',
  '....',
  '.%00.',
];
const NAMES = String.raw`
  /.env /.env.local /.git/config /.git/HEAD /.gitignore /.npmrc /.vite/manifest.json /.DS_Store /assets/.DS_Store /.well-known/x
  /.ssh/id_rsa /.aws/credentials /.htaccess /.svn/entries /assets/main-a1b2.js.map /assets/style-a1b2.css.map
  /assets/main-a1b2.js.br /assets/main-a1b2.js.gz /assets /assets/ /assets/. /assets/.. /assets// /assets/main-a1b2.js/
  /assets/main-a1b2.js%00.css /assets/* /package.json /package-lock.json /node_modules/fastify/package.json
  /server/main.ts /src/main.tsx /vite.config.ts /data /data/sendroom.db /sendroom.db /backup.sql /dump.sql /db.sqlite
  /index.html /dist/index.html /server-status /phpinfo.php /wp-login.php /actuator/env /console /debug/pprof/
  /cgi-bin/test /web.config /metrics /admin /graphql /swagger.json /v1 /v1/ /v2/domains /api/v1/domains /robots.txt~
  /crossdomain.xml /@fs/etc/passwd /@vite/client /__vite_ping /proc/self/environ //etc/passwd /etc/passwd /~root
  /C:/boot.ini /x?path=../../secret.txt /assets/?file=../secret.txt /% /%zz /\..\secret.txt /*
`;
const probes = [
  ...NAMES.trim().split(/\s+/),
  ...UP.flatMap((up) => [
    `/${up}/secret.txt`,
    `/assets/${up}/${up}/secret.txt`,
    `/${up}/.env`,
    `/assets/${up}/.env`,
    `/${up}/${up}/${up}/etc/passwd`,
  ]),
  // The space ends the path, and the rest is not a version of HTTP.
  '/a b',
];

test.each(probes)('%s is nothing', async (path) => {
  const answer = await ask('GET', path, '*/*');
  expect([400, 404]).toContain(answer.status);
  expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
  expect(answer.text).not.toMatch(/nobody should|Index of|root:/);
});

test.each(probes)('%s gives a browser nothing but the page', async (path) => {
  const answer = await ask('GET', path, 'text/html');
  expect(answer.text).not.toMatch(/nobody should|Index of|root:/);
  if (answer.status === 200) expect(answer.body).toBe(FILES['dist/index.html']);
  else if (answer.status === 302) expect(answer.headers.get('location')).toMatch(/^\/(?![/\\])/);
  else expect([400, 404]).toContain(answer.status);
});

describe('TRACE', () => {
  test.each(['/', '/v1/domains', '/session', '/healthz', '/assets/main-a1b2.js', '/nothing'])(
    'of %s gives nothing back of what was sent',
    async (path) => {
      const request = `TRACE ${path} HTTP/1.1\r\nHost: x\r\nCookie: sendroom=canary\r\nX-Canary: canary\r\n\r\n`;
      const answer = await sendRawUntilAnswer(service.port, Buffer.from(request), { isHead: false });
      expect([404, 405]).toContain(answer.status);
      expect(answer.text).not.toContain('canary');
    },
  );
});

test('an address in the form for a proxy, or a star, leads nowhere else', async () => {
  for (const target of [
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:1/',
    'https://x/',
    '*',
    'x:443',
    '@127.0.0.1/',
  ]) {
    const answer = await ask('GET', target, '*/*');
    expect([400, 404], target).toContain(answer.status);
    expect(answer.text).not.toMatch(/nobody should|meta-data/);
  }
});
