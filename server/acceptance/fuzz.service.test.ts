import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { additions } from '#contract/allAdditions.ts';
import { operations } from '#contract/interface.ts';
import { formatSortDescriptor } from '#contract/list.ts';
import { Problem } from '#contract/problem.ts';
import { sendRaw } from '../testing/rawHttp.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, LISTS, snapshotTenantData, type Tenant } from '../testing/testTenants.ts';

// Whatever is sent, no answer is an internal error, and every refusal is a problem document.

let service: TestService;
let own: Tenant;
let other: Tenant;

beforeAll(async () => {
  service = await startTestService();
  [own, other] = await createTwinTenants(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

/** Bytes for a path or a query. Most are harmless, so that most runs get past the HTTP parser. */
const segment = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).map(escapeText),
  fc
    .uint8Array({ maxLength: 30 })
    .map((bytes) => Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
  fc.string({ unit: fc.constantFrom(...'%2eE/.\\?#&=;[]{}"+-:@a0é'.split('')), maxLength: 30 }),
  fc.constantFrom('..', '%2e%2e', '%00', '%', '', '*', 'anna@example.com', '%F0%9F%98%80', '%C0%AF'),
);

function escapeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const path = fc.oneof(
  ...[...operations, ...additions].map(({ path }) => {
    const parts = path.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? segment : fc.constant(part)));
    return fc.tuple(...parts).map((values) => values.join(''));
  }),
  fc.constantFrom('/session', '/openapi.json', '/readyz'),
  segment.map((rest) => `/${rest}`),
);

const FILTERS = LISTS.flatMap(({ list }) => list.filters ?? []);
const SORTS = LISTS.flatMap(({ list }) => list.sortable).map((id, index) =>
  formatSortDescriptor({ id, desc: index % 2 === 0 }),
);
const parameter = fc.tuple(
  fc.constantFrom('page', 'per_page', 'search', 'sorting[]', 'sorting', '__proto__', 'x', ...FILTERS),
  fc.oneof(
    segment,
    fc.jsonValue().map((value) => escapeText(JSON.stringify(value))),
    fc.constantFrom('1', '2', '-1', '1e9', '100', 'true'),
    fc.constantFrom(...SORTS),
  ),
);
const query = fc
  .array(parameter, { maxLength: 5 })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

const body = fc.oneof(
  fc.constant(new Uint8Array()),
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map((text) => new TextEncoder().encode(text)),
  fc
    .dictionary(
      fc.oneof(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.constantFrom('email', 'phone', 'customer_id', 'constructor', 'toString'),
      ),
      fc.anything({ maxDepth: 3 }),
      { maxKeys: 5 },
    )
    .map((attributes) =>
      new TextEncoder().encode(
        JSON.stringify({ attributes }, (_, value) => (typeof value === 'bigint' ? String(value) : (value as unknown))),
      ),
    ),
);

const method = fc.constantFrom('GET', 'GET', 'POST', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE');
const type = fc.constantFrom(
  'application/json',
  'application/json',
  'application/json; charset=x',
  'text/plain',
  '',
  'application/json\t;',
);

test('a request of the right form with any content is never our fault', async () => {
  await fc.assert(
    fc.asyncProperty(
      method,
      path,
      query,
      body,
      type,
      fc.boolean(),
      async (method, path, query, body, type, withToken) => {
        const head =
          `${method} ${path}${query === '' ? '' : `?${query}`} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
          `Content-Length: ${body.length}\r\nContent-Type: ${type}\r\nSendroom-Console: 1\r\n` +
          `${withToken ? `Authorization: Bearer ${own.token}\r\n` : ''}\r\n`;
        const answer = await sendRaw(service.port, Buffer.concat([Buffer.from(head, 'latin1'), body]));
        expect(answer.status).toBeGreaterThanOrEqual(200);
        expect(answer.status).toBeLessThan(500);
        if (answer.status >= 400 && method !== 'HEAD') {
          expect(Problem.parse(JSON.parse(answer.body)).status).toBe(answer.status);
        }
        expect(answer.text).not.toContain(other.canary);
      },
    ),
    { numRuns: 1000 },
  );
});

test('bytes that are hardly HTTP get a refusal or a closed connection, and the service goes on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
      const answer = await sendRaw(service.port, Buffer.concat([bytes, Buffer.from('\r\n\r\n')]));
      // Empty lines may precede a request. Only empty lines are a request that never came: 408.
      if (answer.text !== '') expect([400, 408]).toContain(answer.status);
    }),
    { numRuns: 300 },
  );
  expect((await service.call('/readyz')).status).toBe(200);
});

test('and all of that reached nothing of the other workspace, nor failed in the log', async () => {
  const mine = await snapshotTenantData(own, service.database);
  expect(mine).not.toContain(other.canary);
  expect(service.log.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
  for (const line of service.log) expect(() => void JSON.parse(line)).not.toThrow();
});
