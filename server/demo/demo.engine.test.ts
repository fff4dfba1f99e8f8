import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Domain } from '#contract/domain.ts';
import type { Event } from '#contract/event.ts';
import type { Page } from '#contract/list.ts';
import { listContactChanges } from '../contacts/changeLog.ts';
import type { LineSummary } from '../database/writeLog.ts';
import { checkChanges } from '../contacts/checkChanges.ts';
import { checkCounters } from '../contacts/checkCounters.ts';
import { listContactEvents } from '../contacts/events.ts';
import { listContacts } from '../contacts/listContacts.ts';
import { findContact } from '../contacts/store.ts';
import { listTables } from '../database/tableDescriptions.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { listAddresses, listDomains } from '../domains/store.ts';
import type { Workspace } from '../database/workspace.ts';
import { findPrincipal, listWorkspaces } from '../workspaces/store.ts';
import { findDemo, makeDemo } from './demo.ts';

// The demo is created twice.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const BUSIEST = 'grace.adeyemi@example.com';

type Demo = NonNullable<Awaited<ReturnType<typeof makeDemo>>>;

let t: TestDatabase;
let workspace: Workspace;
let token: string;
beforeAll(async () => {
  t = await openTestDatabase();
  ({ workspace, token } = (await makeDemo(t.db, NOW)) as Demo);
});
afterAll(() => t[Symbol.asyncDispose]());

test('is the same on every machine, but for what is secret', async () => {
  await using other = await openTestDatabase();
  const again = (await makeDemo(other.db, NOW)) as Demo;
  const tables = listTables(({ holds }) => holds === 'content');
  // They name tokens, which have a random UUID.
  const ofTokens = new Set(['changes', 'change_values', 'unsubscribe_counts']);
  for (const table of tables.filter((name) => !ofTokens.has(name))) {
    const rows = (database: TestDatabase) => database.db.unscoped.kysely.selectFrom(table).selectAll().execute();
    expect(await rows(other)).toEqual(await rows(t));
  }
  expect(await makeDemo(other.db, NOW), 'a second time').toBeNull();
  expect(again.token).not.toBe(token);
  expect(again.workspace.uuid).not.toBe(workspace.uuid);
});

test('can be signed in to', async () => {
  expect(await findPrincipal(t.db, token, Date.now())).toMatchObject({ workspace });
  expect(await findDemo(t.db, Date.now())).toMatchObject({ workspace, token: { name: 'demo' } });
});

test('holds 2,000 contacts, of which many differ in everything', async () => {
  const { data, meta } = await listContacts(workspace, t.db, ALL);
  expect(meta.total).toBe(2000);
  expect(new Set(data.map(({ attributes }) => Object.keys(attributes).length)).size).toBeGreaterThan(4);
  expect((await listContacts(workspace, t.db, { ...ALL, search: '<script>' })).meta.total).toBeGreaterThan(0);
  const unsubscribed = await listContacts(workspace, t.db, { ...ALL, filters: { subscribed: false } });
  expect(unsubscribed.meta.total).toBeGreaterThan(100);
  expect(await findContact(workspace, t.db, 'a+b/c d@x.test')).not.toBeNull();
});

test('holds one contact with 25,000 events of some 25 names, counted rightly', async () => {
  const text = await listContactEvents(workspace, t.db, BUSIEST, {
    ...ALL,
    sorting: [{ id: 'event_name', desc: false }],
  });
  expect((JSON.parse(text ?? '') as Page<Event>).meta.total).toBe(25_000);
  const names = await t.db.unscoped.kysely.selectFrom('event_names').select('event_name').distinct().execute();
  expect(names.length).toBeGreaterThan(20);
  expect(await checkCounters(workspace, t.db)).toEqual([]);
});

test('holds a log of changes that agrees with the contacts, and a mistake that was taken back', async () => {
  expect(await checkChanges(workspace, t.db)).toEqual([]);
  const log = await listContactChanges(workspace, t.db, BUSIEST, ALL);
  expect(log?.data.map(({ action }) => action)).toEqual(['update', 'subscribe', 'unsubscribe', 'update']);
  expect(log?.data[1]?.reason).not.toBeNull();
  const times = (log?.data ?? []).map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted().toReversed());
});

test('is alive: most contacts have events, somebody did something in the last minutes, and nothing is in the future', async () => {
  const counts = await t.db.unscoped.kysely
    .selectFrom('contacts')
    .select('event_count')
    .where('id', '<=', 2000)
    .execute();
  const inFirst = counts.filter(({ event_count }) => event_count > 0);
  expect(inFirst.length / 2000).toBeGreaterThan(0.9);
  const events = await t.db.unscoped.kysely
    .selectFrom('events')
    .select(({ fn }) => [fn.max('created_at').as('newest'), fn.countAll().as('all')])
    .executeTakeFirstOrThrow();
  expect(events.newest).toBeGreaterThan(NOW - 10 * 60_000);
  expect(events.newest).toBeLessThan(NOW);
});

test('holds unsubscribes of every week of the last month, up to today, each with who did it and why', async () => {
  const lines = await t.db.unscoped.kysely
    .selectFrom('changes')
    .innerJoin('change_values', (join) =>
      join
        .onRef('change_values.workspace_id', '=', 'changes.workspace_id')
        .onRef('change_values.number', '=', 'changes.number'),
    )
    .select(['created_at', 'actor_name', 'summary'])
    .where('action', '=', 'unsubscribe')
    .execute();
  const log = lines.map(({ summary, ...line }) => ({ ...line, ...(JSON.parse(summary) as LineSummary) }));
  const { meta } = await listContacts(workspace, t.db, { ...ALL, filters: { subscribed: false } });
  // A few were imported so, and have no log.
  expect(log.length).toBeGreaterThan(meta.total * 0.9);
  expect(log.length).toBeLessThan(meta.total);
  // One was a mistake, and is subscribed again.
  expect(log.filter(({ reason }) => reason === null)).toHaveLength(1);
  expect(new Set(log.map(({ actor_name }) => actor_name)).size).toBe(4);
  const days = log.map(({ created_at }) => Math.floor((NOW - created_at) / 86_400_000));
  expect(days).toContain(0);
  for (const week of [0, 1, 2, 3]) expect(days.filter((day) => Math.floor(day / 7) === week).length).toBeGreaterThan(5);
  expect(Math.max(...log.map(({ created_at }) => created_at))).toBeLessThan(NOW);
});

test('holds those whom the console proposes to try', async () => {
  const hana = await findContact(workspace, t.db, 'hana.lindgren@example.com');
  expect(hana?.subscribed).toBe(false);
  const log = await listContactChanges(workspace, t.db, 'hana.lindgren@example.com', ALL);
  expect(log?.data[0]).toMatchObject({ action: 'unsubscribe', actor: { name: 'spam complaints' } });
  const twice = await listContacts(workspace, t.db, { ...ALL, search: 'mateo costa kestrel' });
  expect(twice.data.map(({ attributes }) => attributes['email'])).toEqual(
    expect.arrayContaining(['mateo.costa@example.com', 'm.costa@gmail.com']),
  );
});

describe('holds 60 domains', () => {
  let domains: Domain[];
  beforeAll(async () => {
    domains = (await listDomains(workspace, t.db, ALL)).data;
  });

  test('in every state', () => {
    expect(domains).toHaveLength(60);
    expect(new Set(domains.map(validity))).toEqual(new Set(['-', '0', '01', '1']));
    expect(new Set(domains.map(({ status }) => status)).size).toBeGreaterThan(4);
    expect(Math.max(...domains.map(({ dns }) => dns.length))).toBeGreaterThanOrEqual(24);
  });

  test('with 0 to 40 addresses', async () => {
    const totals = [];
    for (const { uuid } of domains) totals.push((await listAddresses(workspace, t.db, uuid, ALL))?.meta.total ?? -1);
    expect([Math.min(...totals), Math.max(...totals)]).toEqual([0, 40]);
  });
});

/** The values of `is_valid` among the records of a domain. */
function validity({ dns }: Domain): string {
  return [...new Set(dns.map(({ is_valid }) => (is_valid ? '1' : '0')))].toSorted().join('') || '-';
}

test('has a second workspace that knows the same people and shares nothing with the first', async () => {
  const sister = (await listWorkspaces(t.db)).find(({ name }) => name.startsWith('Acme Labs'));
  const first = await findContact(workspace, t.db, BUSIEST);
  const twin = sister && (await findContact(sister, t.db, BUSIEST));
  expect(twin?.attributes['customer_id']).toBe(first?.attributes['customer_id']);
  expect(twin?.uuid).not.toBe(first?.uuid);
  expect(twin?.attributes['company']).not.toBe(first?.attributes['company']);
});

test('names nobody who exists: domains are reserved ones or well-known mailbox providers', async () => {
  const { data } = await listDomains(workspace, t.db, ALL);
  const emails = await t.db.unscoped.kysely
    .selectFrom('identities')
    .select('key')
    .where('kind', '=', 'email')
    .execute();
  const hosts = [...data.map(({ name }) => name), ...emails.map(({ key }) => key.split('@').at(-1) ?? '')];
  const reserved = /(^|\.)(example\.(com|net|org)|example|test)$|^(gmail|outlook|yahoo|icloud)\.com$|^proton\.me$/;
  expect(hosts.filter((host) => !reserved.test(host))).toEqual([]);
});
