import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { additions } from '#contract/openapi/allAdditions.ts';
import { buildPath, type Operation } from '#contract/openapi/endpoint.ts';
import { operations } from '#contract/interface.ts';
import { must } from '#contract/values/must.ts';
import { type PostgresServer, startPostgres } from '../../testing/programs/postgres.ts';
import { putEvents } from '../contacts/events/putEvents.ts';
import { putContacts } from '../contacts/store.ts';
import { COMMAND } from '../database/changeLog/author.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/openDatabase.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import { putDomains } from '../domains/putDomains.ts';
import { findCase, successOf } from '../testing/operationCases.ts';
import { NOW } from '../testing/testDatabase.ts';
import { type CallInit, startTestService, type TestService } from '../testing/testService.ts';
import { createTwinTenants, LISTS, listPath, type Tenant } from '../testing/testTenants.ts';
import { deleteWorkspace } from '../workspaces/deleteWorkspace.ts';

// Rows read by each statement, by auto_explain, under row-level security. Plans for an empty database or without policies prove nothing.

const CONTACTS = 20_000;
const EVENTS = 10_000;
const LOG_LINES = 4_000;
const DOMAINS = 1_500;
/** Rows that a statement may read, including filtered ones. */
const READ_MAX = 1_000;
const CHUNK = 5_000;

const LOG_PLANS = {
  shared_preload_libraries: 'auto_explain',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_rotation_size: '0',
  log_min_messages: 'log',
};

let server: PostgresServer;
let superuser: Client;
let database: Database;
let version = '';
let tenants: [Tenant, Tenant];
let tenant: Tenant;
let busy = '';

beforeAll(async () => {
  server = await startPostgres({ fsync: 'off', autovacuum: 'off', ...LOG_PLANS });
  const address = new URL(server.superuserUrl);
  address.pathname = new URL(server.url).pathname;
  superuser = new Client({ connectionString: address.href });
  await superuser.connect();
  version = (await superuser.query<{ server_version: string }>('show server_version')).rows[0]?.server_version ?? '';
  database = await openDatabase(server.url);
  tenants = await createTwinTenants(database, NOW);
  [tenant] = tenants;
  await fill(tenant);
  busy = contactUuid(7);
  await superuser.query('alter role sendroom set auto_explain.log_min_duration = 0');
}, 300_000);
afterAll(async () => {
  await database.close();
  await superuser.end();
  await server.stop();
});

const contactUuid = (number: number) => `${String(10_000_000 + number)}-0000-4000-8000-000000000000`;
const emailOf = (number: number) => `person${number}@${number % 2 === 0 ? 'north' : 'south'}.example`;
/** One who isn't has a line of the log. */
const isSubscribed = (number: number) => number % 50 !== 0;

async function fill({ workspace }: Tenant): Promise<void> {
  const write = async (count: number, put: (scope: Parameters<typeof putEvents>[0], numbers: number[]) => unknown) => {
    for (let first = 0; first < count; first += CHUNK) {
      const numbers = Array.from({ length: Math.min(CHUNK, count - first) }, (_, index) => first + index);
      await database.write(workspace, async (scope) => void (await put(scope, numbers)));
    }
  };
  await write(CONTACTS, (scope, numbers) =>
    putContacts(
      scope,
      numbers.map((number) => ({
        uuid: contactUuid(number),
        subscribed: isSubscribed(number),
        created_at: NOW - number * 1000,
        attributes: {
          email: emailOf(number),
          phone: `+4930${1_000_000 + number}`,
          customer_id: `K-${number}`,
          first_name: `Ann${number % 40}`,
          last_name: `Roe${number % 900}`,
          company: `Firm ${number % 300}`,
        },
      })),
      NOW,
    ),
  );
  await write(EVENTS * 2, (scope, numbers) =>
    putEvents(
      scope,
      numbers.map((number) => ({
        contact: contactUuid(number % 2 === 0 ? 7 : number % CONTACTS),
        event_name: `name ${number % 30}`,
        created_at: NOW - number * 1000,
        attributes: { number },
      })),
      NOW,
    ),
  );
  await write(LOG_LINES, (scope, numbers) =>
    writeLog(
      scope,
      numbers.map((number) => ({
        action: 'update' as const,
        author: COMMAND,
        contact: { uuid: contactUuid(number), number: isSubscribed(number) ? 1 : 2 },
        changes: [{ field: 'company', before: null, after: `Firm ${number}` }],
      })),
      NOW,
    ),
  );
  await write(DOMAINS, (scope, numbers) =>
    putDomains(
      scope,
      numbers.map((number) => ({ name: `d${number}.example`, provider: `P${number % 5}` })),
      NOW,
    ),
  );
}

type Plan = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: Plan[];
} & Partial<Record<(typeof REMOVED)[number], number>>;
const REMOVED = ['Rows Removed by Filter', 'Rows Removed by Index Recheck', 'Rows Removed by Join Filter'] as const;

type Run = { text: string; scans: { scan: string; read: number }[] };

/** Includes rows that joins compared in vain. */
function listScans(plan: Plan): Run['scans'] {
  const inner = (plan.Plans ?? []).flatMap(listScans);
  const removed = REMOVED.reduce((sum, kind) => sum + (plan[kind] ?? 0), 0);
  const table = plan['Relation Name'];
  if (table === undefined && removed === 0) return inner;
  const read = ((table === undefined ? 0 : plan['Actual Rows']) + removed) * plan['Actual Loops'];
  return [{ scan: `${plan['Node Type']} ${table ?? ''}`, read }, ...inner];
}

let readUntil = 0;

async function takeRuns(): Promise<Run[]> {
  const mark = `mark ${randomUUID()}`;
  await superuser.query(`do $$ begin raise log '${mark}'; end $$`);
  const log = async () => {
    const { rows } = await superuser.query<{ text: string }>(
      `select pg_read_file(pg_current_logfile('jsonlog'), $1, 1000000000) as text`,
      [readUntil],
    );
    return must(rows[0]).text;
  };
  await vi.waitFor(async () => expect(await log()).toContain(mark), { timeout: 30_000, interval: 5 });
  const text = await log();
  readUntil += Buffer.byteLength(text);
  return text
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const { user, message } = JSON.parse(line) as { user?: string; message: string };
      const json = /^duration: .* plan:\n(.*)$/s.exec(message)?.[1];
      if (user !== 'sendroom' || json === undefined) return [];
      const { 'Query Text': query, Plan: plan } = JSON.parse(json) as { 'Query Text': string; Plan: Plan };
      return [{ text: query.replaceAll(/\s+/g, ' ').trim(), scans: listScans(plan) }];
    });
}

const findLarge = (runs: readonly Run[]) =>
  runs.flatMap(({ text, scans }) =>
    scans.filter(({ read }) => read > READ_MAX).map(({ scan, read }) => `${scan}: ${read} rows of: ${text}`),
  );

/** These read the whole log, page by page. */
const READ_LOG: ReadonlySet<string> = new Set(['previewErasure', 'eraseContact']);
const isLog = (finding: string) => /^\S.* (changes|change_values): /.test(finding);

type Call = { title: string; path: string; init?: CallInit; status?: number };

function callOf(endpoint: Operation, params: Record<string, string>): Call {
  const { body: json } = findCase(endpoint);
  const init = { method: endpoint.method, ...(json !== undefined && { json }) };
  return { title: endpoint.id, path: buildPath(endpoint, params), init, status: successOf(endpoint) };
}

const sortedBy = (id: string, desc: boolean) =>
  new URLSearchParams({ 'sorting[]': JSON.stringify({ id, desc }) }).toString();

/** A page skips the rows before it (docs/decisions/0002-lists.md). */
const pagesOf = (owner: Pick<Tenant, 'contact' | 'domain' | 'destination' | 'run'>, pages: readonly number[]): Call[] =>
  LISTS.flatMap((endpoint) => {
    const path = listPath(endpoint, owner);
    const orders = ['', ...endpoint.list.sortable.flatMap((id) => [sortedBy(id, false), sortedBy(id, true)])];
    return orders.flatMap((order) =>
      pages.map((page) => ({
        title: `${endpoint.id} ${decodeURIComponent(order)} page ${page}`,
        path: `${path}?page=${page}&${order}`,
      })),
    );
  });

const searchOf = (path: string, search: string, more = ''): Call => ({
  title: `${path} for ${search} ${more}`,
  path: `${path}?search=${encodeURIComponent(search)}${more}`,
});

const SEARCHES = [
  emailOf(12_345),
  `"${emailOf(12_345)}"`,
  'person12345',
  'roe345 ann25',
  `+4930${1_000_000 + 12_345}`,
  'K-12345',
  'nobodyhasthis',
].flatMap((search) => [
  searchOf('/v1/contacts', search),
  searchOf('/v1/contacts', search, '&subscribed=true'),
  searchOf('/v1/contacts', search, `&${sortedBy('last_name', true)}`),
]);

const lookUps = ['email', 'UUID', 'phone', 'customer ID', 'nobody'].map((kind, index): Call => {
  const contact = [emailOf(4321), contactUuid(4321), '+49301004321', 'K-4321', 'nobody@example.org'][index] ?? '';
  return {
    title: `look-up by ${kind}`,
    path: `/v1/contacts/${encodeURIComponent(contact)}`,
    status: kind === 'nobody' ? 404 : 200,
  };
});

// Without statistics, as after an import, and with.
describe.each([
  { state: 'without statistics', number: 101 },
  { state: 'with statistics', number: 102 },
])('$state', ({ state, number }) => {
  let service: TestService;
  beforeAll(async () => {
    if (state === 'with statistics') await superuser.query('analyze');
    service = await startTestService({ place: { url: server.url, folder: '', async [Symbol.asyncDispose]() {} } });
    await takeRuns();
  });
  afterAll(() => service[Symbol.asyncDispose]());

  async function runsOf(calls: readonly Call[]): Promise<{ title: string; large: string[] }[]> {
    const results: { title: string; large: string[] }[] = [];
    for (const { title, path, init, status = 200 } of calls) {
      const response = await service.call(path, { token: tenant.token, ...init });
      expect([title, response.status]).toEqual([title, status]);
      await response.text();
      const runs = await takeRuns();
      expect(runs.length, title).toBeGreaterThan(0);
      results.push({ title, large: findLarge(runs).filter((finding) => !(READ_LOG.has(title) && isLog(finding))) });
    }
    return results.filter(({ large }) => large.length > 0);
  }

  test('a search with few hits', async () => {
    expect(await runsOf(SEARCHES), version).toEqual([]);
  });

  test('a look-up of a contact', async () => {
    expect(await runsOf(lookUps), version).toEqual([]);
  });

  test('a page of a list, in each order', async () => {
    // Until there are statistics, which an import makes at its end and PostgreSQL within a minute, a deep page may sort all rows.
    const pages = state === 'with statistics' ? [1, 60] : [1];
    expect(await runsOf(pagesOf({ ...tenant, contact: busy }, pages)), version).toEqual([]);
  });

  test.each([...operations, ...additions].map((endpoint) => ({ endpoint, id: endpoint.id })))(
    '$id',
    async ({ endpoint }) => {
      const { params, isLast } = findCase(endpoint);
      // What is gone after one round.
      const last = async () => ({
        contact: contactUuid(number),
        destination: await tenant.newDestination(),
        rule: await tenant.newRule(),
        view: await tenant.newView(),
      });
      const call = callOf(endpoint, isLast ? await last() : await params(tenant));
      if (isLast) call.init = { ...call.init, json: { ...Object(call.init?.json), identity: emailOf(number) } };
      expect(await runsOf([call]), version).toEqual([]);
    },
  );
});

test('deleting a workspace, also a small one next to a large one', async () => {
  const deleting = await openDatabase(server.url);
  await takeRuns();
  for (const { workspace } of tenants.toReversed()) await deleteWorkspace(workspace, deleting, () => {});
  await deleting.close();
  const runs = await takeRuns();
  expect(runs.length, version).toBeGreaterThan((CONTACTS + EVENTS * 2) / 250);
  expect([...new Set(findLarge(runs))].slice(0, 10), version).toEqual([]);
}, 300_000);
