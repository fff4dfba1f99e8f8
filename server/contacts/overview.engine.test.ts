import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LAST_CHANGES_MAX, OVERVIEW_DAYS, UNSUBSCRIBERS_MAX } from '#contract/overview.ts';
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
const read = (zone = 'UTC', now = NOW, workspace: Workspace = t.workspace) => getOverview(workspace, t.db, zone, now);

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Kiritimati'];
const FORMATS = new Map(
  ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })]),
);
/** The day of a time in a zone, as 2026-01-31. */
const dayIn = (zone: string, time: number) => FORMATS.get(zone)!.format(time);
const NAMES = ['support', 'crm-sync', 'link', 'spam', 'shop', 'app', 'zapier'];

test('days and actors are what counting every unsubscribe gives, in any time zone, at any time of the day', async () => {
  await add(5, t.otherWorkspace);
  for (const index of [2, 1, 0]) await unsubscribe(index, NOW - index * HOUR, 'of another', t.otherWorkspace);
  const moment = fc.integer({ min: 0, max: 33 * DAY });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ ago: moment, name: fc.constantFrom(...NAMES) }), { maxLength: 40 }),
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: DAY }),
      async (given, zone, later) => {
        // Each in a workspace of its own, because a log has its lines in the order of time.
        const workspace = await createWorkspace(t.db, { name: 'Acme', identity_field: null }, NOW);
        await add(given.length, workspace);
        const made = given
          .map(({ ago, name }) => ({ time: NOW - ago, name }))
          .toSorted((one, other) => one.time - other.time);
        for (const [index, { time, name }] of made.entries()) await unsubscribe(index, time, name, workspace);
        const now = NOW + later;
        const { unsubscribes } = await read(zone, now, workspace);
        expect(unsubscribes.days).toHaveLength(OVERVIEW_DAYS);
        const days = unsubscribes.days.map(({ from }) => dayIn(zone, Date.parse(from)));
        expect(days.at(-1)).toBe(dayIn(zone, now));
        expect(new Set(days).size).toBe(OVERVIEW_DAYS);
        const counted = made
          .map((one) => ({ ...one, day: dayIn(zone, one.time) }))
          .filter(({ day }) => days.includes(day));
        for (const [at, one] of days.entries()) {
          const ofDay = counted.filter(({ day }) => day === one);
          expect(unsubscribes.days[at]).toMatchObject({
            total: ofDay.length,
            counts: unsubscribes.by.map(({ actor }) => ofDay.filter(({ name }) => name === actor.name).length),
          });
        }
        expect(unsubscribes.total).toBe(counted.length);
        const by = NAMES.map((name) => ({
          actor: actorNamed(name),
          count: counted.filter((one) => one.name === name).length,
        }))
          .filter(({ count }) => count > 0)
          .toSorted(
            (one, other) => other.count - one.count || (uuidOf(one.actor.name) < uuidOf(other.actor.name) ? -1 : 1),
          );
        expect(unsubscribes.by).toEqual(by.slice(0, UNSUBSCRIBERS_MAX));
        expect(await verifyWorkspace(workspace, t.db)).toEqual([]);
      },
    ),
    { numRuns: 12 },
  );
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

test('an import that unsubscribes has no token; who is subscribed again, or unsubscribed twice, is counted once', async () => {
  await add(3);
  await t.db.write(t.workspace, (scope) =>
    putContacts(scope, [{ attributes: { email: emailOf(0) }, subscribed: false }], NOW - HOUR),
  );
  await unsubscribe(1, NOW - 2 * HOUR);
  await unsubscribe(1, NOW - HOUR);
  await subscribeContact(t.workspace, t.db, emailOf(1), 'asked', CALLER, NOW - MINUTE);
  const { contacts, unsubscribes } = await read();
  expect(unsubscribes.by).toEqual([
    { actor: { kind: 'command', uuid: null, name: null, email: null }, count: 1 },
    { actor: actorNamed('support'), count: 1 },
  ]);
  expect(contacts).toEqual({ total: 3, subscribed: 2 });
});

test('the last changes are the newest of all contacts, each with who it was and what changed, and no value', async () => {
  await add(15);
  await add(1, t.otherWorkspace);
  for (let index = 14; index >= 0; index--) {
    const changes = { plan: 'secret', seats: index };
    await updateContact(t.workspace, t.db, emailOf(index), changes, CALLER, NOW - index * HOUR);
  }
  await unsubscribe(0, NOW + MINUTE, 'of another', t.otherWorkspace);
  await unsubscribe(9, NOW + 2, 'link');
  const { changes } = await read();
  expect(changes).toHaveLength(LAST_CHANGES_MAX);
  expect(changes.map(({ contact }) => contact.address)).toEqual([9, 0, 1, 2, 3, 4, 5, 6, 7, 8].map(emailOf));
  expect(changes[0]).toMatchObject({ action: 'unsubscribe', actor: { name: 'link' }, fields: ['subscribed'] });
  expect(changes[1]).toMatchObject({ action: 'update', fields: ['attributes.plan', 'attributes.seats'] });
  expect(changes[1]?.contact).toMatchObject({ name: 'P', address: emailOf(0) });
  expect(JSON.stringify(changes)).not.toContain('secret');
});
