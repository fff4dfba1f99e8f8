import { afterAll, beforeAll, expect, test } from 'vitest';
import { additions } from '#contract/openapi/allAdditions.ts';
import { operations } from '#contract/interface.ts';
import { Problem } from '#contract/problem.ts';
import { sendRaw } from '../../testing/processes/rawHttp.ts';
import { createTestFolder, type TestFolder } from '../../testing/testFolder.ts';
import { startTestService, type TestService } from '../../testing/testService.ts';
import { createTwinTenants, type Tenant } from '../../testing/testTenants.ts';

// Compares all headers of every kind of response, so that none is lost or added unnoticed.

const ALWAYS = {
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), clipboard-read=(), geolocation=(), microphone=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'ID',
};
const DATA = {
  ...ALWAYS,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};
const JSON_DATA = { ...DATA, 'content-type': 'application/json' };
const PROBLEM = { ...DATA, 'content-type': 'application/problem+json' };
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; style-src-elem 'self' 'nonce-N'; " +
  "style-src-attr 'none'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; " +
  "base-uri 'none'; object-src 'none'; form-action 'none'; frame-src 'none'; " +
  "require-trusted-types-for 'script'; trusted-types default; frame-ancestors 'none'";
const PAGE = {
  ...ALWAYS,
  'cache-control': 'no-store',
  'content-security-policy': PAGE_POLICY,
  'content-type': 'text/html; charset=utf-8',
};
const ICON = {
  ...ALWAYS,
  ...DATA,
  'accept-ranges': 'bytes',
  etag: 'ETAG',
  'last-modified': 'DATE',
  vary: 'accept-encoding',
  'cache-control': 'no-cache',
};
const ASSET = {
  ...ICON,
  'cache-control': 'public, max-age=31536000, immutable',
  'content-type': 'application/javascript; charset=utf-8',
};

let folder: TestFolder;
let service: TestService;
let broken: TestService;
let own: Tenant;

beforeAll(async () => {
  folder = await createTestFolder({
    'index.html': '<!doctype html><style nonce="__CSP_NONCE__"></style>',
    'shared.html': '<!doctype html><style nonce="__CSP_NONCE__"></style>',
    'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'worker.js': '',
    'assets/main-a1b2.js': 'export {}',
  });
  service = await startTestService({ consoleDir: folder.path });
  [own] = await createTwinTenants(service.database, service.clock.now);
  broken = await startTestService({ settings: { RATE_LIMIT: '1' } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await broken[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

function allOf(headers: Headers): Record<string, string> {
  const about = new Set(['connection', 'keep-alive', 'date', 'content-length', 'transfer-encoding']);
  const shown: Record<string, (value: string) => string> = {
    // JSON is UTF-8 with or without a charset.
    'content-type': (value) => value.replace(/^(application\/(?:problem\+)?json); charset=utf-8$/, '$1'),
    'x-request-id': (value) => value.replace(/^[0-9a-f-]{36}$/, 'ID'),
    'content-security-policy': (value) => value.replaceAll(/'nonce-[A-Za-z0-9+/]{22}=='/g, "'nonce-N'"),
    'set-cookie': (value) => value.replace(/^sendroom=[\w-]{43};/, 'sendroom=SECRET;'),
    etag: () => 'ETAG',
    'last-modified': () => 'DATE',
    'retry-after': (value) => value.replace(/^[1-5]?\d$|^60$/, 'SECONDS'),
  };
  const entries = [...headers].filter(([name]) => !about.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, shown[name]?.(value) ?? value]));
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
const post = (path: string, body: string, length = body.length) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
const FROM_BROWSER = 'Accept: text/html\r\n';
const COOKIE = 'Path=/; HttpOnly; SameSite=Strict';

/** One of each way in which an answer is made. TOKEN and DOMAIN stand for those of the tenant. */
const headerCases: [status: number, name: string, request: string, headers: Record<string, string>][] = [
  [200, 'the page', get('/', FROM_BROWSER), PAGE],
  [200, 'the page of shared links', get('/shared', FROM_BROWSER), { ...PAGE, 'x-robots-tag': 'noindex' }],
  [404, 'a shared link that does not work', get('/shared/domain'), { ...PROBLEM, 'x-robots-tag': 'noindex' }],
  [200, 'a file whose name stays', get('/favicon.svg'), { ...ICON, 'content-type': 'image/svg+xml' }],
  [
    200,
    'the worker',
    get('/worker.js'),
    {
      ...ICON,
      'content-type': ASSET['content-type'],
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    },
  ],
  [200, 'an asset', get('/assets/main-a1b2.js'), ASSET],
  [200, 'health', get('/healthz'), JSON_DATA],
  [
    200,
    'the description',
    get('/openapi.json'),
    { ...JSON_DATA, 'cache-control': 'no-cache', etag: 'ETAG', vary: 'accept-encoding' },
  ],
  [200, 'no host, before there were any', 'GET /healthz HTTP/1.0\r\n\r\n', JSON_DATA],
  [200, 'a list', get('/v1/domains', 'Authorization: Bearer TOKEN\r\n'), JSON_DATA],
  [
    200,
    'a check, line by line',
    'POST /v1/domains/DOMAIN/check HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer TOKEN\r\n\r\n',
    { ...DATA, 'content-type': 'application/x-ndjson', 'x-accel-buffering': 'no' },
  ],
  [
    204,
    'a sign-out',
    'DELETE /session HTTP/1.1\r\nHost: x\r\nsendroom-console: 1\r\n\r\n',
    {
      ...DATA,
      'clear-site-data': '"cache", "storage"',
      'set-cookie': `sendroom=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict`,
    },
  ],
  [302, 'a link that nobody encoded', get('/contacts/50%', FROM_BROWSER), { ...DATA, location: '/contacts/50%25' }],
  [400, 'no HTTP', 'HELO mail.example.com\r\n\r\n', PROBLEM],
  [400, 'no JSON', post('/session', '{'), PROBLEM],
  [401, 'no token', get('/v1/domains'), { ...PROBLEM, 'www-authenticate': 'Bearer' }],
  [
    401,
    'a wrong token',
    get('/v1/domains', 'Authorization: Bearer x\r\n'),
    { ...PROBLEM, 'www-authenticate': 'Bearer error="invalid_token"' },
  ],
  [
    401,
    'a session that is over',
    get('/session', 'Sendroom-Console: 1\r\nCookie: sendroom=x\r\n'),
    { ...PROBLEM, 'www-authenticate': 'Bearer' },
  ],
  [403, 'not our console', 'DELETE /session HTTP/1.1\r\nHost: x\r\n\r\n', PROBLEM],
  [405, 'another method', 'PUT /v1/domains HTTP/1.1\r\nHost: x\r\n\r\n', { ...PROBLEM, allow: 'GET, HEAD' }],
  [413, 'a large body', post('/session', '', 262_145), PROBLEM],
  [414, 'a long address', get(`/v1/domains?${'a'.repeat(8200)}`), PROBLEM],
  [422, 'a wrong body', post('/session', '{}'), PROBLEM],
  [431, 'large headers', get('/healthz', `X: ${'a'.repeat(17_000)}\r\n`), PROBLEM],
];

function expectProblem(status: number, { headers, body, text }: Awaited<ReturnType<typeof sendRaw>>): void {
  const problem = Problem.parse(JSON.parse(body));
  expect(problem).toMatchObject({ status, request_id: headers.get('x-request-id'), type: 'about:blank' });
  expect(problem.detail).toMatch(/ .*\.$/);
  expect(text).not.toMatch(/node_modules|\bat \/|FST_|HPE_|server\//);
}

const closing = (request: string) => request.replace('\r\n', '\r\nConnection: close\r\n');

test.each(headerCases)('%i, %s', async (status, _, request, headers) => {
  const sent = closing(request).replace('TOKEN', own.token).replace('DOMAIN', own.domain);
  const answer = await sendRaw(service.port, sent);
  expect(answer.status).toBe(status);
  expect(allOf(answer.headers)).toEqual(headers);
  if (status >= 400) expectProblem(status, answer);
});

test('200, a sign-in', async () => {
  const answer = await sendRaw(service.port, closing(post('/session', JSON.stringify({ token: own.token }))));
  expect(answer.status).toBe(200);
  expect(allOf(answer.headers)).toEqual({ ...JSON_DATA, 'set-cookie': `sendroom=SECRET; Max-Age=43200; ${COOKIE}` });
});

test('304, a file that somebody has already', async () => {
  const { headers } = await service.call('/favicon.svg');
  const answer = await sendRaw(service.port, closing(get('/favicon.svg', `If-None-Match: ${headers.get('etag')}\r\n`)));
  expect(answer.status).toBe(304);
  expect(allOf(answer.headers)).toEqual(ICON);
});

test('429, 500 and 503, without its data', async () => {
  const [{ token }] = await createTwinTenants(broken.database, broken.clock.now);
  const expectAnswer = async (path: string, status: number, headers: Record<string, string>) => {
    const answer = await sendRaw(broken.port, closing(get(path, `Authorization: Bearer ${token}\r\n`)));
    expect(answer.status).toBe(status);
    expect(allOf(answer.headers)).toEqual(headers);
    if (status >= 400) expectProblem(status, answer);
  };
  await expectAnswer('/v1/workspace', 200, JSON_DATA);
  await expectAnswer('/v1/workspace', 429, { ...PROBLEM, 'retry-after': 'SECONDS' });
  await broken.database.unscoped.write((trx) => trx.schema.alterTable('tokens').renameTo('gone').execute());
  await expectAnswer('/v1/domains', 500, PROBLEM);
  const failed = broken.log.filter((line) => line.includes('request failed'));
  expect(failed.map((line) => JSON.parse(line) as object)).toMatchObject([{ level: 'error', err: expect.anything() }]);
  await broken.database.unscoped.write((trx) => trx.schema.alterTable('schema_versions').renameTo('away').execute());
  await expectAnswer('/readyz', 503, { ...PROBLEM, 'retry-after': 'SECONDS' });
});

test('every operation that is described answers with the headers of data, with a token and without', async () => {
  for (const { method, path, id } of [...operations, ...additions]) {
    const params: Record<string, string> = { contact: own.contact, workspace: own.workspace.uuid, domain: own.domain };
    const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
    for (const token of [undefined, own.token]) {
      const { headers } = await service.call(url, { method, ...(token !== undefined && { token }) });
      expect(allOf(headers), id).toMatchObject(DATA);
      expect(headers.has('server') || headers.has('x-powered-by'), id).toBe(false);
    }
  }
});

test('over TLS every answer asks for TLS from then on', async () => {
  await using secure = await startTestService({
    consoleDir: folder.path,
    settings: { PUBLIC_URL: 'https://console.example.com' },
  });
  for (const request of [get('/healthz'), get('/nothing'), get('/', FROM_BROWSER), get('/%zz'), 'HELO x\r\n\r\n']) {
    const answer = await sendRaw(secure.port, closing(request));
    expect(answer.headers.get('strict-transport-security'), request).toBe('max-age=31536000');
  }
});
