import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Attributes } from '#contract/field.ts';
import { formatListQuery, type ListParameters, type ListQuery } from '#contract/list.ts';
import { checkChanges } from '../contacts/checkChanges.ts';
import { checkCounters } from '../contacts/checkCounters.ts';
import { putEvents } from '../contacts/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import type { Scope } from '../database/scope.ts';
import { createFileStorage } from '../testing/testDatabase.ts';
import { putAddresses } from '../domains/putAddresses.ts';
import { putDomains } from '../domains/putDomains.ts';
import { startTestService, type TestService } from '../testing/testService.ts';
import { LISTS } from '../testing/testTenants.ts';
import { checkListTotals } from '../workspaces/checkLists.ts';
import type { Workspace } from '../database/workspace.ts';
import { createToken, createWorkspace } from '../workspaces/store.ts';

// The same operations on SQLite and on PostgreSQL must give the same answers.

const RUNS = Number(process.env.ENGINE_RUNS ?? 20);
vi.setConfig({ testTimeout: 60_000 + RUNS * 10_000 });

/** One engine, with a workspace for one run. */
type EngineRun = { service: TestService; workspace: Workspace; token: string };
/** `about` is shown with a failure. `list` is the id of the list that the step reads. */
type Step = { about: unknown; take: (side: EngineRun) => Promise<unknown>; list?: string };

let services: TestService[];
beforeAll(async () => {
  services = [await startTestService({ place: await createFileStorage() }), await startTestService()];
});
afterAll(async () => {
  for (const service of services) await service[Symbol.asyncDispose]();
});

/** Characters that engines order, fold and escape differently, and some that need a surrogate pair. */
const SIGNS = Array.from('aAbZéÉßİſﬀ\uffff😀%_\\\'" -\n1');
const text = fc.string({ unit: fc.constantFrom(...SIGNS), maxLength: 5 });
const uuids = Array.from({ length: 6 }, (_, index) => `0000000${index}-0000-4000-8000-000000000000`);
const uuid = fc.constantFrom(...uuids);
const email = fc
  .tuple(fc.constantFrom('ann', 'Bob', 'ÉVA', 'eva'), fc.constantFrom('x.test', 'X.test'))
  .map((parts) => parts.join('@'));
const phone = fc.constantFrom('+49 1', '+49 2', ' +49 1', '😀', '\u0000', '');
const value = fc.oneof(email, phone, uuid);
const time = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer({ min: -1e12, max: 2e12 }));

const attributes: fc.Arbitrary<Attributes> = fc
  .tuple(
    fc.record(
      { email, phone, customer_id: fc.oneof(text, fc.integer()), first_name: text, company: text },
      { requiredKeys: [] },
    ),
    fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
  )
  .map(([named, others]) => ({ ...others, ...named }));

/** Imports `given`. */
function put<Row>(
  store: (scope: Scope, rows: Row[], now: number) => Promise<unknown>,
  given: fc.Arbitrary<Row>,
): fc.Arbitrary<Step> {
  return fc.array(given, { minLength: 1, maxLength: 8 }).map((rows) => ({
    about: rows,
    take: ({ service, workspace }) =>
      service.database.write(workspace, (scope) => store(scope, rows, service.clock.now)),
  }));
}

function call(path: string, json?: unknown): Step {
  return {
    about: [path, json],
    async take({ service, workspace, token }) {
      const init = { token, ...(json !== undefined && { method: 'POST', json }) };
      const response = await service.call(path.replace(':workspace', workspace.uuid), init);
      expect(response.status).toBeLessThan(500);
      return `${response.status} ${(await response.text()).replaceAll(NEW_UUID, '').replaceAll(NEW_SECRET, '')}`;
    },
  };
}

async function signIn({ service, token }: EngineRun): Promise<number> {
  const init = { method: 'POST', json: { token }, headers: { 'sendroom-console': '1' } };
  return (await service.call('/session', init)).status;
}

/** Request ids and UUIDs of log rows, which differ. All others are given, or derived from what was given. */
const NEW_UUID = /"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-(?!0{12})[0-9a-f]{12}"/g;

const NEW_SECRET = /"sr_[0-9a-f]{48}"/g;

/** Rows that are equal in what they are sorted by are in the order of their UUIDs, and those of members are new on each engine. */
const withoutTies =
  ({ sortable }: ListParameters) =>
  (sorting: { id: string; desc: boolean }[]) =>
    sorting.length > 0 && sortable.includes('last_seen_at') && !sorting.some(({ id }) => id === 'email')
      ? [...sorting, { id: 'email', desc: false }]
      : sorting;

function query(list: ListParameters): fc.Arbitrary<string> {
  const sorting =
    list.sortable.length === 0
      ? fc.constant([])
      : fc
          .uniqueArray(fc.record({ id: fc.constantFrom(...list.sortable), desc: fc.boolean() }), {
            selector: ({ id }) => id,
            maxLength: 2,
          })
          .map(withoutTies(list));
  const values: Record<string, fc.Arbitrary<boolean | string>> = Object.fromEntries([
    ...(list.filters ?? []).map((name) => [name, fc.boolean()] as const),
    ...Object.entries(list.choices ?? {}).map(([name, words]) => [name, fc.constantFrom(...words)] as const),
  ]);
  const filters = fc.record(values, { requiredKeys: [] });
  return fc
    .record(
      {
        page: fc.integer({ min: 1, max: 4 }),
        per_page: fc.integer({ min: 1, max: 7 }),
        search: text,
        sorting,
        filters,
      },
      { requiredKeys: [] },
    )
    .map((parameters) => formatListQuery(parameters as ListQuery).toString());
}

const contact = fc.record(
  { uuid, subscribed: fc.boolean(), attributes, created_at: time },
  { requiredKeys: ['uuid', 'attributes'] },
);
const event = fc.record({ contact: value, event_name: text, attributes, created_at: time });
const domain = fc.record(
  {
    uuid,
    name: fc.constantFrom('a.test', 'A.test.', 'é.test', 'b.test'),
    provider: text,
    status: text,
    verified: fc.boolean(),
    created_at: time,
    dns: fc.array(fc.record({ type: fc.constantFrom('TXT', 'MX'), name: text, value: text, is_valid: fc.boolean() }), {
      maxLength: 3,
    }),
  },
  { requiredKeys: ['uuid', 'name'] },
);
const address = fc.record({
  uuid,
  domain: fc.oneof(uuid, fc.constantFrom('a.test', 'b.test', '\u0000')),
  address: text,
  created_at: time,
});

const of = (value: fc.Arbitrary<string>, rest: fc.Arbitrary<string>) =>
  fc.tuple(value.map(encodeURIComponent), rest).map((parts) => parts.join(''));
const lists = LISTS.map(({ id, path, list }) =>
  fc.tuple(value, uuid, query(list)).map(([contact, domain, parameters]): Step => {
    const place = path.replace('{contact}', encodeURIComponent(contact)).replace('{domain}', domain);
    return { ...call(`${place}?${parameters}`), list: id };
  }),
);

const activity = fc
  .tuple(value, fc.constantFrom('', '&step=year', '&zone=Asia/Tokyo'), text)
  .map(([to, rest, search]) =>
    call(`/v1/contacts/${encodeURIComponent(to)}/activity?search=${encodeURIComponent(search)}${rest}`),
  );

/** Every list of what the steps made, because few of their own queries find a row. */
const readAll: Step[] = LISTS.flatMap(({ id, path }) =>
  uuids.map((resource) => ({ ...call(path.replace(/\{\w+\}/, resource)), list: id })),
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: put(putContacts, contact) },
  { weight: 3, arbitrary: put(putEvents, event) },
  put(putDomains, domain),
  put(putAddresses, address),
  fc.tuple(value, attributes).map(([to, attributes]) => call(`/v1/contacts/${encodeURIComponent(to)}`, { attributes })),
  of(value, fc.constant('/unsubscribe')).map((path) => call(`/v1/workspaces/:workspace/contacts/${path}`, {})),
  of(value, fc.constant('/subscribe')).map((path) =>
    call(`/v1/workspaces/:workspace/contacts/${path}`, { reason: 'They asked.' }),
  ),
  of(value, fc.constant('')).map((path) => call(`/v1/contacts/${path}`)),
  activity,
  fc
    .record({ email: fc.tuple(text, email).map((parts) => parts.join('')), role: fc.constantFrom('read', 'admin') })
    .map((invitation) => call('/v1/members', invitation)),
  fc.record({ name: text, role: fc.constantFrom('read', 'ingest') }).map((token) => call('/v1/tokens', token)),
  fc.constant({ about: 'a sign-in', take: signIn }),
  ...lists,
);

test('the same steps give the same answers on both', async () => {
  const filled = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 30, maxLength: 60 }), async (steps) => {
      const uuid = randomUUID();
      const sides = await Promise.all(services.map((service) => createEngineRun(service, uuid)));
      for (const { about, take, list } of [...steps, ...readAll]) {
        for (const { service } of sides) service.clock.now += 1000;
        const [one, other] = await Promise.all(sides.map(take));
        expect(other, JSON.stringify(about)).toEqual(one);
        if (list !== undefined && String(one).startsWith('200 {"data":[{')) filled.add(list);
      }
      for (const { service, workspace } of sides) {
        expect(await checkListTotals(workspace, service.database)).toEqual([]);
        expect(await checkCounters(workspace, service.database)).toEqual([]);
        expect(await checkChanges(workspace, service.database)).toEqual([]);
      }
    }),
    { numRuns: RUNS },
  );
  expect([...filled].toSorted()).toEqual(LISTS.map(({ id }) => id).toSorted());
});

/** UUIDs of events are derived from that of the workspace, so both have the same. */
async function createEngineRun(service: TestService, uuid: string): Promise<EngineRun> {
  const { database, clock } = service;
  const made = await createWorkspace(database, { name: 'Acme', identity_field: 'customer_id' }, clock.now);
  await database.unscoped.write((trx) =>
    trx.updateTable('workspaces').set({ uuid }).where('id', '=', made.id).execute(),
  );
  const workspace = { ...made, uuid };
  const { token, uuid: tokenUuid } = await createToken(workspace, database, { name: 'ci', role: 'admin' }, clock.now);
  // That it was used is written beside the requests.
  expect((await service.call('/v1/domains', { token })).status).toBe(200);
  await expect
    .poll(() => database.unscoped.kysely.selectFrom('tokens').select('used_at').where('uuid', '=', tokenUuid).execute())
    .not.toEqual([{ used_at: null }]);
  return { service, workspace, token };
}
