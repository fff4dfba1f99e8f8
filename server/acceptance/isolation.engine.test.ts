import * as fc from 'fast-check';
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { ACTIONS } from '#contract/change.ts';
import { DOMAIN_STATES } from '#contract/domainState.ts';
import { PER_PAGE_MAX } from '#contract/list.ts';
import { putEvents } from '../contacts/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import { ENGINE, createTestStorage, type TestStorage } from '../testing/testDatabase.ts';
import { DnsClient } from '../dns/dnsClient.ts';
import type { Scope } from '../database/scope.ts';
import { putAddresses } from '../domains/putAddresses.ts';
import { putDomains } from '../domains/putDomains.ts';
import { type Operation, type Parameter, readContract } from '../testing/testContract.ts';
import { startTestService, type CallInit, type TestService } from '../testing/testService.ts';
import {
  snapshotTenantAccess,
  createTwinTenants,
  snapshotTenantData,
  WORKSPACE_TABLES,
  SHARED_IDENTITIES,
  type Tenant,
} from '../testing/testTenants.ts';

// Two workspaces with the same contacts and domains. Whatever the first does, in any order and at once, while the
// second reads, no byte of the second is returned and no row of it changes. The steps are generated from the OpenAPI
// document, so that new operations are included.

const CONSOLE = { 'sendroom-console': '1' };

/** Where statements are sent: prepared for SQLite in this thread, passed to a reading thread, or sent to PostgreSQL. */
const statementSpies = [
  vi.spyOn(DatabaseSync.prototype, 'prepare'),
  vi.spyOn(Worker.prototype, 'postMessage'),
  vi.spyOn(Client.prototype, 'query'),
];

let place: TestStorage;
let service: TestService;
let operations: Operation[];
let own: Tenant;
let twin: Tenant;
let cookie: string;
/** UUIDs of what gives access to the other workspace. */
let twinAccess: { member: string; token: string; session: string };

beforeAll(async () => {
  place = await createTestStorage();
  const dnsClient = new DnsClient({
    resolvers: [{ address: '192.0.2.1', port: 53 }],
    // Slow enough for two requests at once.
    transport: () => delay(100, 'timeout' as const),
  });
  service = await startTestService({ place, dnsClient });
  // Migrations concern all workspaces.
  for (const way of statementSpies) way.mockClear();
  operations = await readContract(service);
  [own, twin] = await createTwinTenants(service.database, service.clock.now);
  for (const tenant of [own, twin]) await fillWith(tenant);
  twinAccess = {
    member: await twin.newMember(),
    token: await twin.newToken(),
    session: await twin.newSession(),
  };
  const init = { method: 'POST', headers: CONSOLE, json: { token: own.token } };
  cookie = (await service.call('/session', init)).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  collectStatements();
});
const statements = new Set<string>();
afterEach(collectStatements);

/** After each test, because the mocks are cleared before the next one. */
function collectStatements(): void {
  for (const [first] of statementSpies.flatMap(({ mock }) => mock.calls as unknown[][])) {
    const { text, sql } = Object(first) as { text?: unknown; sql?: unknown };
    for (const statement of [first, text, sql]) if (typeof statement === 'string') statements.add(statement);
  }
}
afterAll(async () => {
  vi.restoreAllMocks();
  await service[Symbol.asyncDispose]();
});

/** Puts the canary into every other text of a workspace. */
async function fillWith({ workspace, canary, domain, contact, token }: Tenant): Promise<void> {
  const dns = ['TXT', 'MX'].map((type) => ({
    type,
    name: `${canary}.mail.example.com`,
    value: canary,
    is_valid: true,
  }));
  const more = {
    uuid: domain,
    name: SHARED_IDENTITIES.domain,
    domain: canary,
    verification: canary,
    mail_from_domain: canary,
    dns,
  };
  const attributes = { [canary]: { [canary]: [canary] }, last_name: canary, company: canary };
  await service.database.write(workspace, (scope) => putDomains(scope, [more], service.clock.now));
  const init = { method: 'POST', token };
  await service.call(`/v1/contacts/${contact}`, { ...init, json: { attributes } });
  const at = `/v1/workspaces/${workspace.uuid}/contacts/${contact}`;
  await service.call(`${at}/unsubscribe`, init);
  await service.call(`${at}/subscribe`, { ...init, json: { reason: canary } });
}

/** The identities and names that both workspaces have. */
const PARAMS: Record<string, (() => string)[]> = {
  contact: [
    () => own.contact,
    () => twin.contact,
    () => twin.contact.toUpperCase(),
    () => SHARED_IDENTITIES.email,
    () => ` ${SHARED_IDENTITIES.email.toUpperCase()}`,
    () => SHARED_IDENTITIES.phone,
    () => SHARED_IDENTITIES.custom,
    () => twin.canary,
  ],
  workspace: [() => own.workspace.uuid, () => twin.workspace.uuid, () => twin.workspace.uuid.toUpperCase()],
  domain: [() => own.domain, () => twin.domain, () => SHARED_IDENTITIES.domain],
  member: [() => twinAccess.member, () => twinAccess.member.toUpperCase()],
  token: [() => twinAccess.token, () => twinAccess.token.toUpperCase()],
  session: [() => twinAccess.session, () => twinAccess.session.toUpperCase()],
};

/** Events that are sent again, to other contacts too. */
const anyEventUuid = fc.constantFrom('11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222');

const BODIES: Record<string, () => fc.Arbitrary<unknown>> = {
  ContactChange: () =>
    fc.record({
      attributes: fc.constantFrom<Record<string, unknown>[]>(
        { company: 'Acme' },
        { company: null },
        { email: 'moved@example.com' },
        { email: SHARED_IDENTITIES.email },
        { phone: SHARED_IDENTITIES.phone, customer_id: SHARED_IDENTITIES.custom },
        { customer_id: null },
        { customer_id: twin.canary.slice(6) },
      ),
    }),
  Resubscription: () => fc.constant({ reason: 'Asked by phone' }),
  Export: () => fc.constant({ operation: 'listDomains', format: 'csv', of: own.domain }),
  Invitation: () => fc.constant({ email: 'new@example.com', role: 'read' }),
  MemberChange: () => fc.constant({ role: 'admin' }),
  ErasureRequest: () =>
    fc.record({ identity: fc.constantFrom('new@example.com', SHARED_IDENTITIES.custom, twin.canary) }),
  LiftRequest: () =>
    fc.record({
      identity: fc.constantFrom('new@example.com', SHARED_IDENTITIES.email, twin.canary),
      reason: fc.constant('A mistake'),
    }),
  NewToken: () => fc.constant({ name: 'new', role: 'read' }),
  NewContact: () =>
    fc.record(
      {
        attributes: fc.constantFrom<Record<string, unknown>[]>(
          { email: SHARED_IDENTITIES.email, city: 'Ulm' },
          { phone: SHARED_IDENTITIES.phone },
          { email: 'new@example.com' },
        ),
        uuid: fc.constantFrom(own.contact, '33333333-3333-4333-8333-333333333333'),
        subscribed: fc.boolean(),
      },
      { requiredKeys: ['attributes'] },
    ),
  NewEvent: () =>
    fc.record({ event_name: fc.constant('Opened'), uuid: anyEventUuid }, { requiredKeys: ['event_name'] }),
  NewEvents: () =>
    fc.array(
      fc.record({
        contact: fc.constantFrom(twin.contact, own.contact, SHARED_IDENTITIES.phone),
        event_name: fc.constant('Opened'),
        uuid: anyEventUuid,
      }),
      { maxLength: 3 },
    ),
  Credentials: () =>
    fc.record(
      {
        token: fc.constantFrom(own.token, `${twin.token}0`),
        workspace: fc.constantFrom(own.workspace.uuid, twin.workspace.uuid, ''),
      },
      { requiredKeys: ['token'] },
    ),
};

function known<Value>(from: Record<string, Value>, name: string): Value {
  const value = from[name];
  if (value === undefined) throw new Error(`This file knows nothing to say for ${name}.`);
  return value;
}

type Step = { path: string; init: CallInit };

function stepOf({ method, path, params, query, body }: Operation): fc.Arbitrary<Step> {
  const values = fc.tuple(...params.map((name) => fc.constantFrom(...known(PARAMS, name))));
  const asked = fc.tuple(...query.map((parameter) => fc.option(valueOf(parameter), { freq: 1, nil: '' })));
  const json = body === null ? fc.constant(undefined) : known(BODIES, body)();
  return fc.tuple(values, asked, json).map(([values, asked, json]) => {
    const filled = params.reduce(
      (text, name, index) => text.replace(`{${name}}`, encodeURIComponent(values[index]?.() ?? '')),
      path,
    );
    return { path: `${filled}?${asked.filter((part) => part !== '').join('&')}`, init: { method, json } };
  });
}

function valueOf({ name, schema }: Parameter): fc.Arbitrary<string> {
  const values =
    schema.type === 'array'
      ? (schema.items?.contentSchema.properties.id.enum ?? []).flatMap((id) =>
          [true, false].map((desc) => JSON.stringify({ id, desc })),
        )
      : {
          page: ['1', '2'],
          per_page: ['1', String(PER_PAGE_MAX)],
          event_name: ['canary', twin.canary, own.canary],
          search: ['canary', twin.canary, 'mail', '@', own.canary],
          subscribed: ['true', 'false'],
          state: [...DOMAIN_STATES],
          action: [...ACTIONS],
          actor: ['command', twin.contact],
          contact: [SHARED_IDENTITIES.email, twin.contact, own.contact],
          from: ['2020-01-01T00:00:00.000Z'],
          to: ['2030-01-01T00:00:00.000Z'],
          step: ['day', 'year'],
          zone: ['Asia/Tokyo'],
          format: ['json', 'html'],
          upsert: ['true', 'false'],
        }[name];
  if (values === undefined) throw new Error(`This file knows nothing to ask for ${name}.`);
  return fc.constantFrom(...values).map((value) => `${name}=${encodeURIComponent(value)}`);
}

/** What an import of our own does while the service runs. */
const anyImport = fc.constantFrom<(() => Promise<unknown>)[]>(
  () =>
    put((scope) =>
      putContacts(scope, [{ attributes: { email: SHARED_IDENTITIES.email, city: 'Ulm' } }], service.clock.now),
    ),
  () => put((scope) => putContacts(scope, [{ attributes: { customer_id: 'C-9' } }], service.clock.now)),
  () =>
    put((scope) =>
      putEvents(scope, [{ contact: SHARED_IDENTITIES.phone, event_name: 'Opened', attributes: {} }], service.clock.now),
    ),
  () =>
    put((scope) =>
      putEvents(scope, [{ contact: twin.contact, event_name: 'Opened', attributes: {} }], service.clock.now),
    ),
  () => put((scope) => putDomains(scope, [{ name: SHARED_IDENTITIES.domain, status: 'verified' }], service.clock.now)),
  () => put((scope) => putAddresses(scope, [{ domain: SHARED_IDENTITIES.domain, address: 'news' }], service.clock.now)),
  () => put((scope) => putAddresses(scope, [{ domain: twin.domain, address: 'news' }], service.clock.now)),
);

const put = (store: Parameters<TestService['database']['write']>[1]) => service.database.write(own.workspace, store);

/** The texts that identify the other workspace: its canary, its token, and every UUID of it. */
async function secretsOf(tenant: Tenant): Promise<string[]> {
  const rows =
    (await snapshotTenantData(tenant, service.database)) + (await snapshotTenantAccess(tenant, service.database));
  return [...new Set(rows.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)), tenant.canary, tenant.token];
}

test('nothing of the twin is ever read or written, and it reads nothing of ours', async () => {
  const rows = await snapshotTenantData(twin, service.database);
  const accesses = await snapshotTenantAccess(twin, service.database);
  const secrets = await secretsOf(twin);
  const anyStep = fc.oneof(...operations.map(stepOf));
  // A sign-in or a sign-out would end the session of the cookie.
  const inSession = fc.oneof(...operations.filter(({ path }) => path.startsWith('/v1/')).map(stepOf));
  // That a person was exported is in the log.
  const reading = operations.filter(
    ({ id, method, path }) => method === 'GET' && path.startsWith('/v1/') && id !== 'exportPerson',
  );
  const anyCall = fc.oneof(
    { weight: 8, arbitrary: anyStep.map((step) => async () => unseen(step, { token: own.token }, secrets)) },
    {
      weight: 3,
      arbitrary: inSession.map((step) => async () => unseen(step, { headers: { ...CONSOLE, cookie } }, secrets)),
    },
    {
      weight: 3,
      arbitrary: fc
        .oneof(...reading.map(stepOf))
        .map((step) => async () => unseen(step, { token: twin.token }, [own.canary, own.token])),
    },
    { weight: 1, arbitrary: anyImport },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyCall, { minLength: 1, maxLength: 30, size: 'max' }), async (calls) => {
      service.clock.now += 1000;
      await Promise.all(calls.map((call) => call()));
      expect(await snapshotTenantData(twin, service.database)).toBe(rows);
      expect(await snapshotTenantAccess(twin, service.database)).toBe(accesses);
    }),
    { numRuns: 60 },
  );
  expect(await snapshotTenantData(own, service.database)).not.toContain(twin.canary);
});

/** Runs a step, and searches everything that is returned. */
async function unseen({ path, init }: Step, as: CallInit, secrets: readonly string[]): Promise<void> {
  const headers = path.startsWith('/session') ? CONSOLE : {};
  const response = await service.call(path, { ...init, ...as, headers: { ...headers, ...as.headers } });
  const bytes = JSON.stringify([...response.headers]) + (await response.text());
  expect(
    secrets.filter((secret) => bytes.includes(secret)),
    path,
  ).toEqual([]);
  // Too much at once is refused.
  if (response.status !== 503) expect(response.status, path).toBeLessThan(500);
}

test('a check that both ask for at once, of a domain that is the same in all that is asked, is one for each', async () => {
  const uuid = randomUUID();
  const answers = [own, twin].map(async ({ workspace, canary, token }) => {
    const domain = { uuid, name: 'same.example.com', status: canary };
    await service.database.write(workspace, (scope) => putDomains(scope, [domain], service.clock.now));
    return (await service.call(`/v1/domains/${uuid}/check`, { method: 'POST', token })).text();
  });
  const [ofOwn = '', ofTwin = ''] = await Promise.all(answers);
  expect([ofOwn.includes(own.canary), ofOwn.includes(twin.canary)]).toEqual([true, false]);
  expect([ofTwin.includes(own.canary), ofTwin.includes(twin.canary)]).toEqual([false, true]);
});

test.each<[resources: string, importBoth: (scope: Scope, now: number) => Promise<unknown[][]>]>([
  [
    'contacts and events',
    async (scope, now) => [
      await putContacts(scope, [{ uuid: twin.contact, attributes: { first_name: 'Ours' } }], now),
      await putEvents(scope, [{ contact: twin.contact, event_name: 'Ours', attributes: {} }], now),
    ],
  ],
  [
    'domains and addresses',
    async (scope, now) => [
      await putDomains(scope, [{ uuid: twin.domain, name: 'ours.example.com' }], now),
      await putAddresses(scope, [{ domain: twin.domain, address: 'ours' }], now),
    ],
  ],
])('an import of %s under a UUID of the twin is ours and changes nothing there', async (_, importBoth) => {
  const before = await snapshotTenantData(twin, service.database);
  expect(await put((scope) => importBoth(scope, service.clock.now))).toEqual([['added'], ['added']]);
  expect(await snapshotTenantData(twin, service.database)).toBe(before);
});

test('and the twin still finds everything of its own', async () => {
  const response = await service.call(`/v1/contacts/${SHARED_IDENTITIES.email}/events?per_page=100`, {
    token: twin.token,
  });
  expect(await response.json()).toMatchObject({ meta: { total: 12 } });
});

test('no row can be stored without its workspace', async () => {
  const onSqlite = sql<{ name: string }>`
    select tables.name from sqlite_schema as tables, pragma_table_info(tables.name) as columns
    where columns.name = 'workspace_id' and columns."notnull" = 1`;
  const onPostgres = sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = current_schema() and column_name = 'workspace_id' and is_nullable = 'NO'`;
  const { rows } = await (ENGINE === 'sqlite' ? onSqlite : onPostgres).execute(service.database.unscoped.kysely);
  // The index of a search on PostgreSQL is no content (rowSecurity.postgres.test.ts).
  const tables = rows.map(({ name }) => name).filter((name) => name !== 'contact_search');
  // A session of a person is of no one workspace; a constraint has it be of a token else.
  const owned = WORKSPACE_TABLES.filter((name) => name !== 'sessions');
  expect(tables.toSorted()).toEqual(owned.toSorted());
});

/** Found by the hash of a secret, or expired for everybody. */
const BY_SECRET = /^(select|update|delete) .*\b(sessions|sign_in_codes|tokens)\b.*(hash = |expires_at <= )/;

test('no statement of all this reads or changes rows of a workspace without naming it', () => {
  const tables = WORKSPACE_TABLES.join('|');
  const about = new RegExp(`\\b(from|join|into|update|copy) (${tables})\\b`);
  const plain = [...statements]
    .map((sql) => sql.toLowerCase().replaceAll('"', '').replaceAll(/\s+/g, ' ').trim())
    .filter((sql) => about.test(sql) && !/^(create|alter|drop) /.test(sql));
  expect(plain.length).toBeGreaterThan(30);
  const names = /\bworkspace_id\b( =|,| in)|^insert into \w+ \([^)]*\bworkspace_id\b/;
  expect(plain.filter((sql) => !names.test(sql) && !BY_SECRET.test(sql))).toEqual([]);
});
