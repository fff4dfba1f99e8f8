import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '#contract/problem.ts';
import { exchange } from './rawHttp.ts';
import { startTestService, type TestService } from './testService.ts';

const ALWAYS = {
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), clipboard-read=(), geolocation=(), microphone=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
const DATA = {
  ...ALWAYS,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-N'; style-src-elem 'self' 'nonce-N'; " +
  "style-src-attr 'none'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; " +
  "base-uri 'none'; object-src 'none'; form-action 'none'; frame-src 'none'; " +
  "require-trusted-types-for 'script'; trusted-types default; frame-ancestors 'none'";

let dist: string;
let service: TestService;

beforeAll(async () => {
  dist = await mkdtemp(join(tmpdir(), 'sendroom-dist-'));
  await writeFile(join(dist, 'index.html'), '<!doctype html>');
  service = await startTestService({ consoleDir: dist });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await rm(dist, { recursive: true });
});

/** What a browser acts on; the rest differs from answer to answer. */
function policies(headers: Headers): Record<string, string> {
  const names = Object.keys({
    ...DATA,
    'strict-transport-security': '',
    'access-control-allow-origin': '',
    server: '',
  });
  return Object.fromEntries([...headers].filter(([name]) => names.includes(name)));
}

test('the page', async () => {
  const { headers } = await service.call('/', { headers: { accept: 'text/html' } });
  const nonce = /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? '';
  expect(policies(headers)).toEqual({
    ...ALWAYS,
    'cache-control': 'no-store',
    'content-security-policy': PAGE_POLICY.replaceAll("'nonce-N'", `'nonce-${nonce}'`),
  });
});

const requests: [status: number, name: string, request: string][] = [
  [200, 'data', 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'],
  [200, 'an expectation nobody knows', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n'],
  [200, 'no host, before there were any', 'GET /healthz HTTP/1.0\r\n\r\n'],
  [200, 'the description', 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'],
  [204, 'nothing to say', 'DELETE /session HTTP/1.1\r\nHost: x\r\nsendroom-console: 1\r\n\r\n'],
  [400, 'broken percent-encoding', 'GET /v1/contacts/%zz HTTP/1.1\r\nHost: x\r\n\r\n'],
  [400, 'no host', 'GET /v1/domains HTTP/1.1\r\n\r\n'],
  [400, 'no HTTP', 'HELO mail.example.com\r\n\r\n'],
  [400, 'two lengths', 'POST /session HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
  [
    400,
    'length and chunks',
    'POST /session HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}',
  ],
  [401, 'no token', 'GET /v1/domains HTTP/1.1\r\nHost: x\r\n\r\n'],
  [403, 'not our console', 'DELETE /session HTTP/1.1\r\nHost: x\r\n\r\n'],
  [404, 'no such address', 'GET /v1/nothing HTTP/1.1\r\nHost: x\r\n\r\n'],
  [405, 'another method', 'PUT /v1/domains HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'],
  [405, 'TRACE', 'TRACE /v1/domains HTTP/1.1\r\nHost: x\r\n\r\n'],
  [405, 'a method few have heard of', 'PROPFIND /v1/domains HTTP/1.1\r\nHost: x\r\n\r\n'],
  [
    413,
    'a large body',
    `POST /session HTTP/1.1\r\nHost: x\r\nsendroom-console: 1\r\nContent-Type: application/json\r\nContent-Length: 262145\r\n\r\n`,
  ],
  [414, 'a long address', `GET /v1/domains?${'a'.repeat(8200)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  [414, 'a long identity', `GET /v1/contacts/${'a'.repeat(8200)} HTTP/1.1\r\nHost: x\r\n\r\n`],
  [
    415,
    'another media type',
    'POST /session HTTP/1.1\r\nHost: x\r\nsendroom-console: 1\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}',
  ],
  [
    422,
    'a wrong body',
    'POST /session HTTP/1.1\r\nHost: x\r\nsendroom-console: 1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
  ],
  [431, 'large headers', `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`],
];

describe.each(requests)('%i, %s', (status, _, request) => {
  test('has the headers of data, and a problem document when it is an error', async () => {
    const answer = await exchange(service.port, request.replace('\r\n', '\r\nConnection: close\r\n'));
    expect(answer.status).toBe(status);
    expect(policies(answer.headers)).toEqual(DATA);
    const id = answer.headers.get('x-request-id');
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    if (status < 400) return;
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const problem = Problem.parse(JSON.parse(answer.body));
    expect(problem).toMatchObject({ status, request_id: id, type: 'about:blank' });
    expect(problem.detail).toMatch(/ .*\.$/);
    expect(answer.text).not.toMatch(/node_modules|\bat \/|FST_|HPE_|server\//);
  });
});

test('over TLS every answer asks for TLS from then on', async () => {
  await using secure = await startTestService({ settings: { PUBLIC_URL: 'https://console.example.com' } });
  for (const path of ['/healthz', '/v1/domains', '/nothing']) {
    expect((await secure.call(path)).headers.get('strict-transport-security')).toBe('max-age=31536000');
  }
});
