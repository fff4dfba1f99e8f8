import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { additions } from '#contract/openapi/allAdditions.ts';
import { buildPath, type Operation } from '#contract/openapi/endpoint.ts';
import { operations } from '#contract/interface.ts';
import { formatSortDescriptor } from '#contract/list.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import { ENGINE } from '../testing/testDatabase.ts';
import { DnsClient } from '../dns/conversation/dnsClient.ts';
import type { Scope } from '../database/scope.ts';
import { putAddresses } from '../domains/putAddresses.ts';
import { putDomains } from '../domains/putDomains.ts';
import { findCase } from '../testing/operationCases.ts';
import { startTestService, type CallInit, type TestService } from '../testing/testService.ts';
import {
  snapshotTenantAccess,
  createTwinTenants,
  LISTS,
  snapshotTenantData,
  WORKSPACE_TABLES,
  SHARED_IDENTITIES,
  type Tenant,
} from '../testing/testTenants.ts';

// Whatever the first does, no byte of the second is returned and no row of it changes.

const CONSOLE = { 'sendroom-console': '1' };

/** Where statements are sent: prepared for SQLite in this thread, passed to a reading thread, or sent to PostgreSQL. */
const statementSpies = [
  vi.spyOn(DatabaseSync.prototype, 'prepare'),
  vi.spyOn(Worker.prototype, 'postMessage'),
  vi.spyOn(Client.prototype, 'query'),
];

let service: TestService;
let own: Tenant;
let twin: Tenant;
let cookie: string;
/** Name servers answer nothing before this. */
let answering = Promise.resolve();

beforeAll(async () => {
  const resolvers = [{ address: '192.0.2.1', port: 53 }];
  const dnsClient = new DnsClient({ resolvers, transport: () => answering.then(() => 'timeout' as const) });
  service = await startTestService({ dnsClient });
  // Migrations concern all workspaces.
  for (const way of statementSpies) way.mockClear();
  [own, twin] = await createTwinTenants(service.database, service.clock.now);
  for (const tenant of [own, twin]) await fillWith(tenant);
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

type Call = { path: string; init: CallInit };

const bodiesOf = ({ id, body }: Operation): unknown[] => {
  const { email, phone, custom } = SHARED_IDENTITIES;
  const uuid = '11111111-1111-4111-8111-111111111111';
  const more: Partial<Record<string, unknown[]>> = {
    updateContact: [{ phone, customer_id: custom }, { email }, { customer_id: twin.canary.slice(6) }].map(
      (attributes) => ({ attributes }),
    ),
    createContact: [{ attributes: { email, city: 'Ulm' }, uuid: own.contact }, { attributes: { phone } }],
    recordEvents: [[twin.contact, own.contact, phone].map((contact) => ({ contact, event_name: 'Opened', uuid }))],
    liftErasure: [email, twin.canary].map((identity) => ({ identity, reason: 'A mistake' })),
    recordExport: [{ operation: 'listDomains', format: 'csv', of: twin.domain }],
  };
  return body === undefined ? [undefined] : [findCase({ id }).body, ...(more[id] ?? [])];
};

function queriesOf({ id }: Operation): string[] {
  const list = LISTS.find((one) => one.id === id)?.list;
  if (list === undefined) return [''];
  return [
    '?per_page=100',
    ...(list.search ? ['canary', twin.canary, own.canary].map((word) => `?search=${word}`) : []),
    ...list.sortable.map((column) => `?sorting[]=${formatSortDescriptor({ id: column, desc: true })}`),
    ...(id === 'listChanges' ? [twin.contact, SHARED_IDENTITIES.email].map((contact) => `?contact=${contact}`) : []),
  ];
}

async function callsOf(operation: Operation): Promise<Call[]> {
  const { params } = findCase(operation);
  const ours = await params(own);
  const all = [ours, await params(twin)];
  const { email, phone, custom, domain } = SHARED_IDENTITIES;
  if ('contact' in ours) for (const contact of [email, phone, custom, twin.canary]) all.push({ ...ours, contact });
  if ('domain' in ours) all.push({ ...ours, domain });
  const call = (values: Record<string, string>, query: string, json: unknown): Call => ({
    path: buildPath(operation, values) + query,
    init: { method: operation.method, json },
  });
  const [query = '', ...queries] = queriesOf(operation);
  const [body, ...bodies] = bodiesOf(operation);
  return [
    ...all.map((values) => call(values, query, body)),
    ...queries.map((more) => call(ours, more, body)),
    ...bodies.map((json) => call(ours, query, json)),
  ];
}

const imports: (() => Promise<unknown>)[] = [
  () => put((scope) => putContacts(scope, [{ attributes: { email: SHARED_IDENTITIES.email } }], service.clock.now)),
  () =>
    put((scope) =>
      putEvents(scope, [{ contact: twin.contact, event_name: 'Opened', attributes: {} }], service.clock.now),
    ),
  () => put((scope) => putDomains(scope, [{ name: SHARED_IDENTITIES.domain, status: 'verified' }], service.clock.now)),
  () => put((scope) => putAddresses(scope, [{ domain: twin.domain, address: 'news' }], service.clock.now)),
];

const put = (store: Parameters<TestService['database']['write']>[1]) => service.database.write(own.workspace, store);

const isLast = (operation: Operation) => Number(findCase(operation).isLast === true);

test('neither workspace reads or writes anything of its twin', async () => {
  const all = [...operations, ...additions].toSorted((a, b) => isLast(a) - isLast(b));
  const made = await Promise.all(all.map(callsOf));
  const data = await snapshotTenantData(twin, service.database);
  const access = await snapshotTenantAccess(twin, service.database);
  const uuids = `${data}${access}`.match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
  // Not those that the two have in common, by which nobody is identified.
  const secrets = [...new Set(uuids), twin.canary, twin.token];
  for (const [at, calls] of made.entries()) {
    service.clock.now += 1000;
    // That a person was exported is in the log.
    const isRead = all[at]?.method === 'GET' && all[at].isFile === undefined;
    await Promise.all([
      ...calls.map((call) => unseen(call, { token: own.token }, secrets)),
      ...calls.map((call) => unseen(call, { headers: { ...CONSOLE, cookie } }, secrets)),
      ...(isRead ? calls.map((call) => unseen(call, { token: twin.token }, [own.canary, own.token])) : []),
      imports[at % imports.length]?.(),
    ]);
    expect(await snapshotTenantData(twin, service.database), all[at]?.id).toBe(data);
    expect(await snapshotTenantAccess(twin, service.database), all[at]?.id).toBe(access);
  }
  expect(await snapshotTenantData(own, service.database)).not.toContain(twin.canary);
});

async function unseen({ path, init }: Call, as: CallInit, secrets: readonly string[]): Promise<void> {
  const response = await service.call(path, { ...init, ...as });
  const bytes = JSON.stringify([...response.headers]) + (await response.text());
  expect(
    secrets.filter((secret) => bytes.includes(secret)),
    path,
  ).toEqual([]);
  // Too much at once is refused.
  if (response.status !== 503) expect(response.status, path).toBeLessThan(500);
}

test('two workspaces that check the same domain at once each have their own check', async () => {
  const uuid = randomUUID();
  const gate = Promise.withResolvers<void>();
  answering = gate.promise;
  const answers = [own, twin].map(async ({ workspace, canary, token }) => {
    const domain = { uuid, name: 'same.example.com', status: canary };
    await service.database.write(workspace, (scope) => putDomains(scope, [domain], service.clock.now));
    return (await service.call(`/v1/domains/${uuid}/check`, { method: 'POST', token })).text();
  });
  // Both have arrived when what was sent after them is answered.
  for (const { token } of [own, twin]) await service.call('/v1/workspace', { token });
  gate.resolve();
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
])("an import of %s with the twin's UUID changes nothing there", async (_, importBoth) => {
  const before = await snapshotTenantData(twin, service.database);
  expect(await put((scope) => importBoth(scope, service.clock.now))).toEqual([['added'], ['added']]);
  expect(await snapshotTenantData(twin, service.database)).toBe(before);
});

test('every row has a workspace', async () => {
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
const BY_SECRET =
  /^(select|update|delete) .*\b(sessions|shared_links|sign_in_codes|tokens)\b.*(hash (=|in) |expires_at <= )/;

test('every statement on rows of a workspace names it', () => {
  const tables = WORKSPACE_TABLES.join('|');
  const about = new RegExp(`\\b(from|join|into|update|copy) (${tables})\\b`);
  const plain = [...statements]
    .map((sql) => sql.toLowerCase().replaceAll('"', '').replaceAll(/\s+/g, ' ').trim())
    .filter((sql) => about.test(sql) && !/^(create|alter|drop) /.test(sql));
  expect(plain.length).toBeGreaterThan(30);
  const names = /\bworkspace_id\b( =|,| in| from)|^insert into \w+ \([^)]*\bworkspace_id\b/;
  expect(plain.filter((sql) => !names.test(sql) && !BY_SECRET.test(sql))).toEqual([]);
});
