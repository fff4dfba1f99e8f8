import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Event } from '#contract/event.ts';
import type { Page } from '#contract/list.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { listContactChanges } from '../contacts/changeLog.ts';
import { listContactEvents } from '../contacts/events/events.ts';
import { listContacts } from '../contacts/listContacts.ts';
import { listRuns } from '../contacts/runs/listRuns.ts';
import { findContact } from '../contacts/store.ts';
import { listViews } from '../contacts/views/savedViews.ts';
import { authorOf } from '../database/changeLog/author.ts';
import { listTables } from '../database/schema/tableDescriptions.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { ALL } from '../testing/testList.ts';
import { DOMAIN_STATES } from '#contract/domains/domainState.ts';
import { must } from '#contract/values/must.ts';
import { listAcceptances } from '../domains/history/acceptances.ts';
import { listIncidents } from '../domains/history/listIncidents.ts';
import { getDomainReport, listDomainReports } from '../domains/history/listReports.ts';
import { getDomainHistory, listDomainChanges } from '../domains/history/listSpans.ts';
import { listDomains } from '../domains/store.ts';
import type { Workspace } from '../database/workspace.ts';
import { listDeliveries } from '../notifications/deliveries.ts';
import { listDestinations } from '../notifications/destinations.ts';
import { findPrincipal, listWorkspaces, readAllTokens } from '../workspaces/store.ts';
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
  // They name tokens, which have a random UUID, or have a secret or a random mark.
  const secret = new Set([
    'workspace_heads',
    'changes',
    'change_values',
    'suppression_counts',
    'destinations',
    'runs',
    'saved_views',
  ]);
  for (const table of tables.filter((name) => !secret.has(name))) {
    const rows = async (database: TestDatabase) =>
      (await database.db.unscoped.kysely.selectFrom(table).selectAll().execute())
        // On PostgreSQL the workspace is random; on several machines the order is too.
        .map((row) => JSON.stringify({ ...row, workspace_id: null, suppressed_by: null }))
        .toSorted();
    expect(await rows(other)).toEqual(await rows(t));
  }
  expect(await makeDemo(other.db, NOW), 'a second time').toBeNull();
  expect(again.token).not.toBe(token);
  expect(again.workspace.uuid).not.toBe(workspace.uuid);
});

test('remembers 90 days of its domains', async () => {
  const { data: reports } = await listDomainReports(workspace, t.db, ALL);
  expect(new Set(reports.map(({ state }) => state))).toEqual(new Set(DOMAIN_STATES));
  const times = reports.map(({ checked_at }) => Date.parse(must(checked_at)));
  expect(Math.max(...times)).toBeLessThan(NOW);
  expect(Math.min(...times)).toBeGreaterThan(NOW - 2 * 3_600_000);
  expect(reports.filter(({ state }) => state === 'failing')).toHaveLength(10);
  // Records that broke, policies that got weaker or lost, and an outage of three hours.
  const { data: changes } = await listDomainChanges(workspace, t.db, ALL);
  const words = changes.map(({ domain, before, after }) => `${domain.name} ${before.result} ${after.result}`);
  expect([...new Set(words)]).toEqual([
    'blue-harbour.example ok fail',
    'news.initech.example ok fail',
    'mail.orsted-marine.example ok fail',
    'globex.example ok ok',
    'mail.initech.example ok fail',
    'umbrella-foods.example ok fail',
    'mail.northwind.example fail ok',
    'mail.northwind.example ok fail',
  ]);
  const { data: closed } = await listIncidents(workspace, t.db, { ...ALL, filters: { state: 'closed' } });
  expect(closed).toMatchObject([{ domain: { name: 'mail.northwind.example' }, kind: 'broken' }]);
  expect((await listAcceptances(workspace, t.db, ALL)).data).toHaveLength(1);
  // Each span shows what was asked, when it began.
  const lost = must(reports.find(({ domain }) => domain.name === 'blue-harbour.example'));
  const history = must(await getDomainHistory(workspace, t.db, lost.domain.uuid, ALL)).data;
  const [after, before] = history.filter(({ subject }) => subject === `CNAME ${lost.domain.dns[0]?.name}`);
  expect(before?.finding.evidence[0]?.records).toMatchObject([{ value: lost.domain.dns[0]?.value }]);
  expect(after?.finding.evidence[0]).toMatchObject({ at: after?.started_at, answer: 'NXDOMAIN', records: [] });
  expect(history.every(({ finding }) => finding.evidence.length > 0)).toBe(true);
  // What was told until the channel stopped responding.
  const [channel] = (await listDestinations(workspace, t.db, ALL)).data;
  expect(channel).toMatchObject({ disabled_reason: expect.stringContaining('five days'), waiting: 0 });
  const { data: deliveries } = must(await listDeliveries(workspace, t.db, must(channel).uuid, ALL));
  expect(new Set(deliveries.map(({ state }) => state))).toEqual(new Set(['failed', 'delivered']));
  // The old key of a rotation went a week after the new one came.
  const rotated = must(reports.find(({ domain }) => domain.name === 'news.northwind.example'));
  const { dkim_keys } = must(await getDomainReport(workspace, t.db, rotated.domain.uuid));
  const newest = must(
    dkim_keys
      .map(({ published_since }) => must(published_since))
      .toSorted()
      .at(-1),
  );
  const old = must(dkim_keys.find(({ selector }) => selector === 's2026a'));
  expect(old.is_listed).toBe(false);
  expect(Date.parse(must(old.may_go_at)) - Date.parse(newest)).toBe(14 * 86_400_000);
});

test('can be signed in to', async () => {
  expect(await findPrincipal(t.db, token, Date.now())).toMatchObject({ workspace });
  expect(await findDemo(t.db, Date.now())).toMatchObject({ workspace, token: { name: 'demo' } });
});

test('is as large as the console says, with every kind of contact and domain', async () => {
  expect((await listContacts(workspace, t.db, ALL)).meta.total).toBe(2000);
  const unsubscribed = await listContacts(workspace, t.db, { ...ALL, filters: { subscribed: false } });
  expect(unsubscribed.meta.total).toBeGreaterThan(100);
  const text = await listContactEvents(workspace, t.db, BUSIEST, ALL);
  expect((JSON.parse(text ?? '') as Page<Event>).meta.total).toBe(25_000);
  const { data: domains } = await listDomains(workspace, t.db, ALL);
  expect(domains).toHaveLength(60);
  expect(new Set(domains.map(({ status }) => status)).size).toBeGreaterThan(4);
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
});

test('holds a log of changes that agrees with the contacts, and a mistake that was taken back', async () => {
  expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
  const log = await listContactChanges(workspace, t.db, BUSIEST, ALL);
  expect(log?.data.map(({ action }) => action)).toEqual(['update', 'subscribe', 'unsubscribe', 'update']);
  expect(log?.data[1]?.reason).not.toBeNull();
  const times = (log?.data ?? []).map(({ created_at }) => created_at);
  expect(times).toEqual(times.toSorted().toReversed());
});

test('is alive: somebody did something in the last minutes, and nothing is in the future', async () => {
  for (const table of ['events', 'changes'] as const) {
    const { newest } = await t.db.unscoped.kysely
      .selectFrom(table)
      .select(({ fn }) => fn.max('created_at').as('newest'))
      .executeTakeFirstOrThrow();
    expect(newest).toBeGreaterThan(NOW - 86_400_000);
    expect(newest).toBeLessThanOrEqual(NOW);
  }
});

test('has the contacts that the console suggests trying', async () => {
  const hana = await findContact(workspace, t.db, 'hana.lindgren@example.com');
  expect(hana?.subscribed).toBe(false);
  const log = await listContactChanges(workspace, t.db, 'hana.lindgren@example.com', ALL);
  expect(log?.data[0]).toMatchObject({ action: 'unsubscribe', actor: { name: 'spam complaints' } });
  const twice = await listContacts(workspace, t.db, { ...ALL, search: 'mateo costa kestrel' });
  expect(twice.data.map(({ attributes }) => attributes['email'])).toEqual(
    expect.arrayContaining(['mateo.costa@example.com', 'm.costa@gmail.com']),
  );
});

test('keeps the run of a ticket, whose contacts it unsubscribed, and a view that all see', async () => {
  const { data: runs } = await listRuns(workspace, t.db, ALL);
  expect(runs).toMatchObject([
    { state: 'finished', ticket: 'T-4711', entries: 6, contacts: 5, missing: 1, unsubscribed: 5, already: 0, left: 0 },
  ]);
  const reader = authorOf({ token: { uuid: must(runs[0]).uuid, name: 'other' }, requestId: null });
  expect(await listViews(workspace, t.db, { author: reader })).toMatchObject([{ name: 'Enterprise', own: false }]);
});

test('has a second workspace that knows the same people and shares nothing with the first', async () => {
  const sister = (await listWorkspaces(t.db)).find(({ name }) => name.startsWith('Acme Labs'));
  const first = await findContact(workspace, t.db, BUSIEST);
  const twin = sister && (await findContact(sister, t.db, BUSIEST));
  expect(twin?.attributes['customer_id']).toBe(first?.attributes['customer_id']);
  expect(twin?.uuid).not.toBe(first?.uuid);
  expect(twin?.attributes['company']).not.toBe(first?.attributes['company']);
});

test('every token that the log names was last used on the day of its last line', async () => {
  const tokens = await readAllTokens(workspace, t.db);
  const used = tokens.filter(({ name }) => name !== 'demo');
  expect(used.length).toBeGreaterThan(2);
  for (const { uuid, name, used_at } of used) {
    const [line] = await t.db.read(workspace, (scope) =>
      scope
        .select('changes')
        .select('created_at')
        .where('actor', '=', uuid)
        .orderBy('number', 'desc')
        .limit(1)
        .execute(),
    );
    expect(new Date(used_at ?? 0).toISOString().slice(0, 10), name).toBe(
      new Date(line?.created_at ?? 0).toISOString().slice(0, 10),
    );
    expect((used_at ?? 1) % 86_400_000).toBe(0);
  }
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
