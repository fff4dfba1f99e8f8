import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GROUPED_CHANGES_MAX, type Overview, OVERVIEW_DAYS, UNSUBSCRIBERS_MAX } from '#contract/overview.ts';
import { SUPPRESSION_REASONS, type SuppressionReason } from '#contract/suppressions/suppression.ts';
import { verifyWorkspace } from '../cli/admin/verify.ts';
import { createWorkspace } from '../workspaces/store.ts';
import type { Workspace } from '../database/workspace.ts';
import { CALLER, NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { getOverview } from './overview.ts';
import { putContacts, subscribeContact, unsubscribeContact, updateContact } from './store.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

const emailOf = (index: number) => `p${index}@example.com`;
const add = (count: number, workspace: Workspace = t.workspace) =>
  t.db.write(workspace, (scope) =>
    putContacts(
      scope,
      Array.from({ length: count }, (_, index) => ({ attributes: { email: emailOf(index), first_name: 'P' } })),
      NOW - 100 * DAY,
    ),
  );
const uuidOf = (name: string) => `the UUID of ${name}`;
const actorNamed = (name: string) => ({ kind: 'token' as const, uuid: uuidOf(name), name, email: null });
const callerNamed = (name: string) => ({ ...CALLER, token: { uuid: uuidOf(name), name } });
const unsubscribe = (index: number, at: number, name = 'support', workspace: Workspace = t.workspace) =>
  unsubscribeContact(workspace, t.db, emailOf(index), callerNamed(name), at);
const read = (zone = 'UTC', now = NOW, workspace: Workspace = t.workspace, since: number | null = null) =>
  getOverview(workspace, t.db, { zone, since, now });

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Kiritimati'];
const FORMATS = new Map(
  ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })]),
);
/** The day of a time in a zone, as 2026-01-31. */
const dayIn = (zone: string, time: number) => FORMATS.get(zone)!.format(time);
const NAMES = ['support', 'crm-sync', 'link', 'spam', 'shop', 'app', 'zapier'];

/** Something that happens to one person, `ago` milliseconds before now; `since` is before that. */
type Step = {
  ago: number;
  name: string;
  kind: 'click' | 'undone' | 'added' | 'addedOld' | 'listed' | 'complained';
  since: number;
};
const step: fc.Arbitrary<Step> = fc.record({
  ago: fc.integer({ min: 0, max: 33 * DAY }),
  name: fc.constantFrom(...NAMES),
  kind: fc.constantFrom('click', 'undone', 'added', 'addedOld', 'listed', 'complained'),
  since: fc.integer({ min: 1, max: 33 * DAY }),
});
type Unsubscribed = { since: number; name: string | null; reason: SuppressionReason | null };

/** Lets the step happen to a person who may be there; gives what is then to be counted. */
async function take({ ago, name, kind, since }: Step, index: number, workspace: Workspace) {
  const at = NOW - ago;
  const [email, caller] = [emailOf(index), callerNamed(name)];
  const put = (row: object) =>
    t.db.write(workspace, (scope) => putContacts(scope, [{ attributes: { email }, subscribed: false, ...row }], at));
  if (kind === 'added') await put({});
  if (kind === 'addedOld') await put({ suppression: { reason: 'complaint', since: at - since } });
  if (kind === 'added') return { since: at, name: null, reason: null };
  if (kind === 'addedOld') return { since: at - since, name: null, reason: 'complaint' as const };
  await t.db.write(workspace, (scope) => putContacts(scope, [{ attributes: { email } }], at));
  if (kind === 'listed') await put({ suppression: { since: at - since } });
  if (kind === 'listed') return { since: at - since, name: null, reason: null };
  await unsubscribeContact(workspace, t.db, email, caller, at, { reason: 'request' });
  if (kind === 'undone') await subscribeContact(workspace, t.db, email, 'asked', CALLER, at);
  if (kind === 'undone') return null;
  if (kind === 'complained') await unsubscribeContact(workspace, t.db, email, caller, at, { reason: 'complaint' });
  return { since: at, name, reason: kind === 'complained' ? ('complaint' as const) : ('request' as const) };
}

test('days, sources, reasons and today count the same: who is unsubscribed, on the day since when', async () => {
  await add(5, t.otherWorkspace);
  for (const index of [2, 1, 0]) await unsubscribe(index, NOW - index * HOUR, 'of another', t.otherWorkspace);
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: DAY }),
      async (given, zone, later) => {
        // Each in a workspace of its own, because a log has its lines in the order of time.
        const workspace = await createWorkspace(t.db, { name: 'Acme', identity_field: null }, NOW);
        const people: Unsubscribed[] = [];
        for (const [index, one] of given.toSorted((a, b) => b.ago - a.ago).entries())
          people.push(...[(await take(one, index, workspace)) ?? []].flat());
        const now = NOW + later;
        const { unsubscribes, today } = await read(zone, now, workspace);
        expect(unsubscribes.days).toHaveLength(OVERVIEW_DAYS);
        const days = unsubscribes.days.map(({ from }) => dayIn(zone, Date.parse(from)));
        expect(days.at(-1)).toBe(dayIn(zone, now));
        expect(new Set(days).size).toBe(OVERVIEW_DAYS);
        const counted = people
          .map((one) => ({ ...one, day: dayIn(zone, one.since) }))
          .filter(({ day }) => days.includes(day));
        for (const [at, one] of days.entries()) {
          const ofDay = counted.filter(({ day }) => day === one);
          expect(unsubscribes.days[at]).toMatchObject({
            total: ofDay.length,
            counts: unsubscribes.by.map(({ actor }) => ofDay.filter(({ name }) => name === actor.name).length),
          });
        }
        expect(unsubscribes.total).toBe(counted.length);
        const soFar = (wanted: readonly Unsubscribed[]) =>
          [0, 7, 14, 21, 28].map((ago) => {
            const [begin, end] = [days.length - 1 - ago, days.length - ago].map((at) => startOf(unsubscribes, at));
            const until = begin! + (now - startOf(unsubscribes, days.length - 1));
            return wanted.filter(({ since }) => since >= begin! && since < end! && since <= until).length;
          });
        expect([today.unsubscribed.today, ...today.unsubscribed.before]).toEqual(soFar(people));
        expect(today.unsubscribed.today).toBe(unsubscribes.days.at(-1)?.total);
        const reasons = (['request', 'complaint', null] as const)
          .map((reason) => ({ reason, counts: soFar(people.filter((one) => one.reason === reason)) }))
          .filter(({ counts }) => counts.some((count) => count > 0));
        expect(
          today.reasons.map(({ reason, today: count, before }) => ({ reason, counts: [count, ...before] })),
        ).toEqual(reasons.toSorted((a, b) => ORDER.indexOf(a.reason) - ORDER.indexOf(b.reason)));
        const by = [...NAMES, null].map((name) => ({
          actor: name === null ? IMPORT : actorNamed(name),
          count: counted.filter((one) => one.name === name).length,
        }));
        expect(unsubscribes.by).toEqual(
          by
            .filter(({ count }) => count > 0)
            .toSorted((one, other) => other.count - one.count || (keyOf(one.actor) < keyOf(other.actor) ? -1 : 1))
            .slice(0, UNSUBSCRIBERS_MAX),
        );
        expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
      },
    ),
    { numRuns: 12 },
  );
});

const ORDER: readonly (SuppressionReason | null)[] = [...SUPPRESSION_REASONS, null];
const IMPORT = { kind: 'command' as const, uuid: null, name: null, email: null };
const keyOf = ({ kind, uuid }: { kind: string; uuid: string | null }) => uuid ?? kind;
/** In milliseconds; after the last day, no end. */
const startOf = ({ days }: Overview['unsubscribes'], at: number) => Date.parse(days[at]?.from ?? '9999-01-01');

const complainer = (index: number, since?: number) => ({
  attributes: { email: emailOf(index) },
  subscribed: false,
  suppression: { reason: 'complaint' as const, since },
});

test('fifty new complainers of an import are today’s, and those of a day in spring are not', async () => {
  const spring = NOW - 200 * DAY;
  const rows = Array.from({ length: 60 }, (_, index) => complainer(index, index < 50 ? undefined : spring));
  await t.db.write(t.workspace, (scope) => putContacts(scope, rows, NOW - MINUTE));
  const { unsubscribes, today, contacts } = await read();
  const fifty = { today: 50, before: [0, 0, 0, 0] };
  expect(today).toEqual({ unsubscribed: fifty, reasons: [{ reason: 'complaint', ...fifty }] });
  expect([unsubscribes.total, unsubscribes.days.at(-1)?.total]).toEqual([50, 50]);
  expect(contacts).toEqual({ total: 60, subscribed: 0 });
});

const lastTwoDays = async (zone: string) => (await read(zone)).unsubscribes.days.slice(-2).map(({ total }) => total);

test('a day ends at midnight of the zone, to the millisecond', async () => {
  await add(2);
  const midnight = Date.parse('2026-11-20T23:00:00.000Z');
  await unsubscribe(0, midnight - 1);
  await unsubscribe(1, midnight);
  expect([await lastTwoDays('Europe/Berlin'), await lastTwoDays('UTC')]).toEqual([
    [1, 1],
    [2, 0],
  ]);
});

test('an import that unsubscribes has no token; who is subscribed again is not counted', async () => {
  await add(3);
  await t.db.write(t.workspace, (scope) =>
    putContacts(scope, [{ attributes: { email: emailOf(0) }, subscribed: false }], NOW - HOUR),
  );
  await unsubscribe(1, NOW - 2 * HOUR);
  await unsubscribe(1, NOW - HOUR);
  await subscribeContact(t.workspace, t.db, emailOf(1), 'asked', CALLER, NOW - MINUTE);
  const { contacts, unsubscribes } = await read();
  expect(unsubscribes.by).toEqual([{ actor: IMPORT, count: 1 }]);
  expect(contacts).toEqual({ total: 3, subscribed: 2 });
});

test('reasons are counted until the same time of today and of the weeks before, while the contacts are unsubscribed', async () => {
  await add(8);
  const WEEK = 7 * DAY;
  const times: [ago: number, reason: SuppressionReason | null][] = [
    [28 * DAY + HOUR, 'complaint'],
    // Later on that day than now, and on a day that isn't compared.
    [WEEK - HOUR, 'complaint'],
    [6 * DAY, 'bounce'],
    [2 * HOUR, 'complaint'],
    [HOUR, 'complaint'],
    [MINUTE, null],
    [MINUTE, 'bounce'],
  ];
  for (const [index, [ago, reason]] of times.entries())
    await unsubscribeContact(t.workspace, t.db, emailOf(index), CALLER, NOW - ago, { reason });
  await subscribeContact(t.workspace, t.db, emailOf(6), 'asked', CALLER, NOW);
  const { today } = await read();
  expect(today.reasons).toEqual([
    { reason: 'complaint', today: 2, before: [0, 0, 0, 1] },
    { reason: null, today: 1, before: [0, 0, 0, 0] },
  ]);
  expect(today.unsubscribed).toEqual({ today: 3, before: [0, 0, 0, 1] });
});

test('what somebody changed on a day is one line, with names, fields, and no value', async () => {
  await add(15);
  await add(1, t.otherWorkspace);
  for (let index = 14; index >= 0; index--) {
    const changes = { plan: 'secret', seats: index };
    await updateContact(t.workspace, t.db, emailOf(index), changes, CALLER, NOW - index * MINUTE);
  }
  await unsubscribe(0, NOW + MINUTE, 'of another', t.otherWorkspace);
  await unsubscribe(9, NOW + 2, 'link');
  const { changes, has_more_changes } = await read();
  expect(changes).toHaveLength(2);
  expect(changes[0]).toMatchObject({
    action: 'unsubscribe',
    actor: { name: 'link' },
    changes: 1,
    contacts: 1,
    run: null,
  });
  expect(changes[0]?.contact).toMatchObject({ name: 'P', address: emailOf(9) });
  expect(changes[1]).toMatchObject({
    action: 'update',
    changes: 15,
    contacts: 15,
    contact: null,
    fields: ['attributes.plan', 'attributes.seats'],
    last_at: '2026-11-21T09:00:00.000Z',
    first_at: '2026-11-21T08:46:00.000Z',
  });
  expect(has_more_changes).toBe(false);
  expect(JSON.stringify(changes)).not.toContain('secret');

  const since = await read('UTC', NOW, t.workspace, NOW - 3 * MINUTE);
  expect(since.changes.map(({ changes: count }) => count)).toEqual([1, 4]);
  expect((await read('UTC', NOW, t.workspace, NOW + HOUR)).changes).toEqual([]);
});

test('the newest change comes first', async () => {
  await add(2);
  const person = { uuid: uuidOf('Ada'), name: 'Ada', email: 'ada@x.test', subject: 'ada' };
  await unsubscribeContact(t.workspace, t.db, emailOf(0), { person, requestId: null, isSession: true }, NOW - 6 * DAY);
  await unsubscribe(1, NOW - MINUTE, 'link');
  expect((await read()).changes.map(({ actor }) => actor.name)).toEqual(['link', 'Ada']);
});

test('more changes than are read are counted as far as they are, and said to be more', async () => {
  await add(1);
  for (let seats = 0; seats <= GROUPED_CHANGES_MAX; seats++)
    await updateContact(t.workspace, t.db, emailOf(0), { seats }, CALLER, NOW + seats);
  const { changes, has_more_changes } = await read('UTC', NOW + MINUTE);
  expect(changes.map(({ changes: count, contacts }) => [count, contacts])).toEqual([[GROUPED_CHANGES_MAX, 1]]);
  expect(has_more_changes).toBe(true);
  expect((await read('UTC', NOW + MINUTE, t.workspace, NOW + 2)).has_more_changes).toBe(false);
});
