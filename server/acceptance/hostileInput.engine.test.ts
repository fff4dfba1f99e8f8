import * as fc from 'fast-check';
import { METHODS } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { additions } from '#contract/openapi/allAdditions.ts';
import type { Endpoint } from '#contract/openapi/endpoint.ts';
import { operations } from '#contract/interface.ts';
import { formatSortDescriptor } from '#contract/list.ts';
import { Problem } from '#contract/problem.ts';
import type { OperationId } from '#contract/roles.ts';
import { signIn } from '#contract/session.ts';
import { OPERATION_CASES } from '../testing/operationCases.ts';
import { sendRawUntilAnswer } from '../testing/processes/rawHttp.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, LISTS, SHARED_IDENTITIES, type Tenant } from '../testing/testTenants.ts';
import { snapshotTenantAccess, snapshotTenantData } from '../testing/testTenants.ts';

// Requests that are mostly right, so that the part that is not right is reached. `HOSTILE_REQUESTS=100000` is the long form.

const REQUESTS = Number(process.env.HOSTILE_REQUESTS ?? 1000);
/** The longest response in milliseconds. While other tests run only a hang is too long, and that fails the test anyway. */
const SLOW = REQUESTS > 1000 ? 1000 : Infinity;
vi.setConfig({ testTimeout: 60_000 + REQUESTS * 20 });

let service: TestService;
let own: Tenant;
let other: Tenant;
beforeAll(async () => {
  service = await startTestService();
  [own, other] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

const words = (text: string) => text.trim().split(/\s+/);

const TEXTS = [
  ...words(String.raw`
    % _ \ $1 $$ /* '/**/or/**/1=1 {"$gt":""} [$ne]=1 (a+)+$ {{7*7}} %p%s%n <script> =1+1 .. ../../etc/passwd %2e%2e%2f
    %c0%af /dev/random -0 1e400 9223372036854775808 9007199254740993 00000000-0000-0000-0000-000000000000
    0000-00-00T00:00:00Z İıſßŉﬀ ａｄｍｉｎ 👩‍👩‍👧‍👦
  `),
  "' or 1=1 --",
  "' || (select pg_sleep(5)) || '",
  '\r\nSet-Cookie: a=b',
  '\u010d\u010aX-Injected: 1',
  'a\u0000b',
  '\u001b[31m\u007f',
  '\udc00\ud800',
  '\ufeff\ufffe\uffff\u202e\u2028\u{10ffff}',
  'a\u0300'.repeat(50),
  '1'.repeat(400),
  'a'.repeat(4000),
  'a@'.repeat(100),
  `"${'\\"'.repeat(100)}`,
];
const NAMES = [
  ...words(`
    __proto__ constructor prototype toString toJSON then length __proto__.polluted 0 uuid id workspace_id subscribed
    created_at email phone customer_id first_name a.b $where
  `),
  '',
  '\u0000',
  '\ud800',
  'k'.repeat(129),
];
const MEDIA_TYPES = [
  'application/json; charset=utf-16',
  'application/json\t;',
  'text/plain',
  'multipart/form-data',
  '',
];
const BOMBS = [
  '['.repeat(250_000),
  `{"attributes":{"a":${'['.repeat(120_000)}${']'.repeat(120_000)}}}`,
  `{"attributes":{${Array.from({ length: 15_000 }, (_, index) => `"k${index}":1`).join()}}}`,
  `{"attributes":{"a":"${'\\u0000'.repeat(40_000)}"}}`,
  `{"attributes":{"a":${'9'.repeat(250_000)}}}`,
  `{"attributes":{"a":"${'x'.repeat(256 * 1024)}"}}`,
];

/** `unusual` in one of `weight` cases. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, unusual: fc.Arbitrary<Value>, weight: number) =>
  fc.oneof({ arbitrary: usual, weight: weight - 1 }, { arbitrary: unusual, weight: 1 });
const anyOf = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
/** MARK is replaced by a text that is nowhere else. */
const anyText = fc.oneof(anyOf(TEXTS), fc.string({ unit: 'binary', maxLength: 40 })).map((text) => `${text}MARK`);
const anyValue = fc.oneof(
  { arbitrary: anyText, weight: 3 },
  fc.jsonValue({ maxDepth: 3 }),
  anyText.map((text) => ({ [text]: [text] })),
);

const escape = (text: string) => encodeURIComponent(text.toWellFormed());
const segment = fc.oneof(
  anyText.map(escape),
  anyText.map((text) => escape(escape(text))),
  fc.uint8Array({ maxLength: 30 }).map((bytes) => Array.from(bytes, (byte) => `%${byte.toString(16)}`).join('')),
  fc.string({ unit: anyOf(Array.from('%2eE/.\\?#&=;[]{}"+-:@a0é')), maxLength: 30 }),
  anyOf(['MARK%', '%ed%a0%80MARK', '%zz', '*']),
);

const SORTS = LISTS.flatMap(({ list }) => list.sortable).map((id) => formatSortDescriptor({ id, desc: true }));
const FILTERS = LISTS.flatMap(({ list }) => [...(list.filters ?? []), ...Object.keys(list.choices ?? {})]);
const parameterNames = anyOf([
  'page',
  'per_page',
  'search',
  'sorting[]',
  'sorting',
  'page[a]',
  'zone',
  'x',
  ...FILTERS,
]);
const parameter = fc.tuple(
  mostly(parameterNames, anyOf(NAMES).map(escape), 5),
  fc.oneof(segment, anyOf(['1', '2', '-1', '1e9', '100', 'true', 'MARK']), anyOf(SORTS), anyValue.map(toJson)),
);
const query = fc.array(parameter, { maxLength: 4 }).map((all) => all.map((pair) => pair.join('=')).join('&'));

function toJson(value: unknown): string {
  return escape(JSON.stringify(value));
}

function objectsIn(value: unknown): object[] {
  return typeof value !== 'object' || value === null ? [] : [value, ...Object.values(value).flatMap(objectsIn)];
}

const NEW_EVENT = { contact: SHARED_IDENTITIES.email, event_name: 'Opened', uuid: '', created_at: '', attributes: {} };
const RIGHT_BODIES: Partial<Record<string, unknown>> = {
  recordEvents: [NEW_EVENT],
  signIn: { token: 'TOKEN', workspace: '' },
  eraseContact: { identity: 'nobody@example.com', reason: 'Asked by letter' },
};

function bodyOf({ id }: Endpoint): fc.Arbitrary<string> {
  const right = RIGHT_BODIES[id] ?? OPERATION_CASES[id as OperationId].body;
  const spoilt = fc.tuple(fc.nat(), fc.option(anyOf(NAMES)), anyValue).map(([pick, name, value]) => {
    const body = structuredClone(right);
    const objects = objectsIn(body).filter((one) => !Array.isArray(one));
    const target = objects[pick % objects.length];
    if (target === undefined) return JSON.stringify(value);
    const key = name ?? Object.keys(target)[pick % Object.keys(target).length] ?? 'x';
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
    return JSON.stringify(body);
  });
  const broken = fc
    .tuple(spoilt, fc.nat())
    .chain(([text, at]) =>
      anyOf([
        text.slice(0, at % text.length),
        `${text}${text}`,
        `\ufeff${text}`,
        Buffer.from(text, 'utf16le').toString('latin1'),
        text.replace(/"[^"]*"(?=[}\]])/, '1e400'),
        text.replace(/"[^"]*"(?=[}\]])/, '-9007199254740993'),
        'a=MARK&b[__proto__]=1',
      ]),
    );
  const usual = right === undefined ? mostly(fc.constant(''), spoilt, 6) : spoilt;
  return mostly(mostly(usual, broken, 6), anyOf(BOMBS), 50);
}

const lines = mostly(
  fc.constant(''),
  anyText.chain((text) => {
    const value = Buffer.from(text.toWellFormed())
      .toString('latin1')
      .replaceAll(/[\r\n\0]/g, ' ');
    const names = ['Host', 'Cookie', 'Origin', 'User-Agent', 'Accept', 'Accept-Encoding', 'X-Forwarded-For', 'Range'];
    return anyOf([
      ...names.map((name) => `${name}: ${value}`),
      `Cookie: sendroom=${value}; __proto__=x; sendroom=MARK`,
      `Content-Encoding: gzip`,
      `Upgrade: ${value}\r\nConnection: Upgrade`,
      `X: ${'x'.repeat(20_000)}`,
      `Bad Name: MARK`,
      ` folded: MARK`,
    ]);
  }),
  6,
);

const request = anyOf<Endpoint>([...operations, ...additions, signIn]).chain((endpoint) =>
  fc.record({
    method: mostly(fc.constant(endpoint.method), anyOf(METHODS.filter((method) => method !== 'CONNECT')), 12),
    path: mostly(
      fc.constant(endpoint.path),
      segment.map((rest) => `/${rest}` as const),
      30,
    ),
    contact: mostly(fc.constant('CONTACT'), segment, 3),
    domain: mostly(fc.constant('DOMAIN'), segment, 3),
    workspace: mostly(fc.constant('WORKSPACE'), segment, 5),
    member: segment,
    query: mostly(fc.constant(''), query, 2),
    body: bodyOf(endpoint),
    lines,
    type: mostly(fc.constant('application/json'), anyOf(MEDIA_TYPES), 15),
    authorization: mostly(fc.constant('TOKEN'), anyOf(['MARK', '', 'TOKEN TOKEN']), 10),
  }),
);

const LEAKS =
  /node_modules|\.ts\b|\bat \w+ \(|\/(home|work|tmp|usr|var)\/|\b(FST|HPE|ERR|SQLITE)_|select .* from|kysely|postgres|sqlite|ECONN/i;

const refused = new Set<string>();
let count = 0;

test('no response is a server error, late, or repeats what was sent', async () => {
  const property = fc.asyncProperty(
    request,
    async ({ method, path, query, body, lines, type, authorization, ...parts }) => {
      const mark = `zq${String(count++).padStart(7, '0')}qz`;
      const filled = path.replaceAll(
        /\{(\w+)\}/g,
        (_, name: string) => parts[name as keyof typeof parts] ?? parts.member,
      );
      const fill = (text: string) =>
        text
          .replaceAll('MARK', mark)
          .replaceAll('TOKEN', own.token)
          .replaceAll('CONTACT', own.contact)
          .replaceAll('DOMAIN', own.domain)
          .replaceAll('WORKSPACE', own.workspace.uuid);
      const content = Buffer.from(fill(body));
      const head = [
        `${method} ${fill(filled)}${query === '' ? '' : `?${fill(query)}`} HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1`,
        // An address may fail only so often.
        `X-Forwarded-For: 10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`,
        `Authorization: Bearer ${fill(authorization)}\r\nContent-Type: ${type}\r\nContent-Length: ${content.length}`,
        ...(lines === '' ? [] : [fill(lines)]),
      ].join('\r\n');
      const bytes = Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), content]);
      const start = performance.now();
      const answer = await sendRawUntilAnswer(service.port, bytes, { isHead: method === 'HEAD' });
      expect(performance.now() - start).toBeLessThan(SLOW);
      const { status, headers } = answer;
      expect(status).toBeGreaterThanOrEqual(200);
      expect(status).toBeLessThan(500);
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.text).not.toContain(other.canary);
      if (status < 400) return;
      refused.add(mark);
      expect(JSON.stringify([...headers])).not.toContain(mark);
      if (method === 'HEAD') return;
      const problem = Problem.parse(JSON.parse(answer.body));
      expect(problem.status).toBe(status);
      expect(JSON.stringify({ ...problem, errors: [] })).not.toMatch(LEAKS);
      // A field is named, its content never repeated.
      for (const text of [problem.detail, ...(problem.errors ?? []).map(({ message }) => message)])
        expect(text).not.toContain(mark);
    },
  );
  await fc.assert(property, { numRuns: REQUESTS });
});

test("bytes that aren't HTTP get a 4xx or a closed connection", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
      const sent = Buffer.concat([bytes, Buffer.from('\r\n\r\n')]);
      const answer = await sendRawUntilAnswer(service.port, sent, { isHead: false });
      // Empty lines alone are a request that never came: 408.
      if (answer.text !== '') expect([400, 408]).toContain(answer.status);
    }),
    { numRuns: 200 },
  );
});

test('refused data is neither stored nor logged, and each log line is one JSON object', async () => {
  expect((await service.call('/readyz')).status).toBe(200);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  // A refused sign-in with a token of another workspace is logged.
  const access = await snapshotTenantAccess(own, service.database, 'sign_in_refused');
  const stored = (await snapshotTenantData(own, service.database)) + access;
  const marks = [...new Set(stored.match(/zq\d{7}qz/g))];
  expect(marks).not.toEqual([]);
  expect(marks.filter((mark) => refused.has(mark))).toEqual([]);
  expect(stored).not.toContain(other.canary);
  expect(service.log.length).toBeGreaterThanOrEqual(REQUESTS);
  for (const line of service.log) {
    expect(line.endsWith('\n') && !line.slice(0, -1).includes('\n')).toBe(true);
    expect(JSON.parse(line), line).toMatchObject({ msg: expect.any(String) as string });
    expect(line).not.toMatch(/zq\d{7}qz|"level":"(error|fatal)"/);
  }
});
