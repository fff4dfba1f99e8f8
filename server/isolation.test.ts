import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestService, type CallInit, type TestService } from './testService.ts';
import { createTwins, everythingOf, SHARED, type Tenant } from './testTenants.ts';

// Two workspaces that know the same people and domains. Whatever the first does, in whatever order and all at once,
// no byte of the second comes back and no row of it changes.

vi.setConfig({ testTimeout: 60_000 });

let service: TestService;
let own: Tenant;
let twin: Tenant;

beforeAll(async () => {
  service = await startTestService();
  [own, twin] = await createTwins(service.database, service.clock.now);
});
afterAll(() => service[Symbol.asyncDispose]());

type Step = { path: string; init: CallInit };

// Picked when they run, because the twins are made by then.
const anyContact = fc.constantFrom<(() => string)[]>(
  () => own.contact,
  () => twin.contact,
  () => twin.contact.toUpperCase(),
  () => SHARED.email,
  () => SHARED.phone,
  () => SHARED.custom,
  () => twin.canary,
);
const anyWorkspace = fc.constantFrom<(() => string)[]>(
  () => own.workspace.uuid,
  () => twin.workspace.uuid,
);
const anyDomain = fc.constantFrom<(() => string)[]>(
  () => own.domain,
  () => twin.domain,
);
const anySearch = fc.constantFrom<(() => string)[]>(
  () => '',
  () => '&search=canary',
  () => `&search=${twin.canary}`,
  () => '&search=mail',
);
const anyChange = fc.constantFrom<Record<string, unknown>[]>(
  { company: 'Acme' },
  { company: null },
  { email: 'moved@example.com' },
  { email: SHARED.email },
  { phone: SHARED.phone, customer_id: SHARED.custom },
  { customer_id: null },
);

const anyStep = fc.oneof(
  fc.tuple(anyContact, anyChange).map(([contact, attributes]) => (): Step => {
    return { path: `/v1/contacts/${encodeURIComponent(contact())}`, init: { method: 'POST', json: { attributes } } };
  }),
  fc.tuple(anyWorkspace, anyContact).map(([workspace, contact]) => (): Step => {
    const path = `/v1/workspaces/${workspace()}/contacts/${encodeURIComponent(contact())}/unsubscribe`;
    return { path, init: { method: 'POST' } };
  }),
  fc.tuple(anyWorkspace, anyContact).map(([workspace, contact]) => (): Step => {
    const path = `/v1/workspaces/${workspace()}/contacts/${encodeURIComponent(contact())}/subscribe`;
    return { path, init: { method: 'POST', json: { reason: 'Asked by phone' } } };
  }),
  anyContact.map((contact) => (): Step => {
    return { path: `/v1/contacts/${encodeURIComponent(contact())}/changes?per_page=100`, init: {} };
  }),
  fc.tuple(anyContact, anySearch).map(([contact, search]) => (): Step => {
    return { path: `/v1/contacts/${encodeURIComponent(contact())}/events?per_page=100${search()}`, init: {} };
  }),
  anyContact.map((contact) => (): Step => ({ path: `/v1/contacts/${encodeURIComponent(contact())}`, init: {} })),
  anySearch.map((search) => (): Step => ({ path: `/v1/contacts?per_page=100${search()}`, init: {} })),
  anySearch.map((search) => (): Step => ({ path: `/v1/domains?per_page=100${search()}`, init: {} })),
  anyDomain.map((domain) => (): Step => ({ path: `/v1/domains/${domain()}/addresses`, init: {} })),
  fc.constant((): Step => ({ path: '/v1/workspace', init: {} })),
);

test('nothing of the twin is ever read or written', async () => {
  const before = await everythingOf(twin, service.database);
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 12 }), async (steps) => {
      await Promise.all(
        steps.map(async (step) => {
          const { path, init } = step();
          const response = await service.call(path, { token: own.token, ...init });
          const bytes = JSON.stringify([...response.headers]) + (await response.text());
          for (const secret of [twin.canary, twin.contact, twin.domain, twin.workspace.uuid]) {
            expect(bytes, path).not.toContain(secret);
          }
          expect(response.status, path).toBeLessThan(500);
        }),
      );
      expect(await everythingOf(twin, service.database)).toBe(before);
    }),
    { numRuns: 150 },
  );
  expect(await everythingOf(own, service.database)).not.toContain(twin.canary);
});

test('and the twin still finds everything of its own', async () => {
  const response = await service.call(`/v1/contacts/${SHARED.email}/events?per_page=100`, { token: twin.token });
  expect(await response.json()).toMatchObject({ meta: { total: 12 } });
});
