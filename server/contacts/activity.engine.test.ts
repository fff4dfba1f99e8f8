import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ContactActivity, NAMES_MAX, type ActivityParameters } from '#contract/activity.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { getContactActivity, parseActivityQuery } from './activity.ts';
import type { ImportedEvent } from './checkEvent.ts';
import { putEvents } from './putEvents.ts';
import { putContacts } from './store.ts';

// Thousands of events for each random case, each on a real file.
vi.setConfig({ testTimeout: 120_000 });

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

const DAY = 86_400_000;

async function newContact(): Promise<string> {
  const uuid = randomUUID();
  await t.db.write(t.workspace, (scope) => putContacts(scope, [{ uuid, attributes: {} }], NOW));
  return uuid;
}

type Stored = { event_name: string; created_at: number };

async function put(contact: string, events: readonly Stored[]): Promise<void> {
  const rows = events.map((event): ImportedEvent => ({ contact, uuid: randomUUID(), attributes: {}, ...event }));
  await t.db.write(t.workspace, (scope) => putEvents(scope, rows, NOW));
}

async function read(contact: string, parameters: ActivityParameters = {}): Promise<ContactActivity> {
  const query = parseActivityQuery(parameters, NOW);
  return ContactActivity.parse(await getContactActivity(t.workspace, t.db, contact, query));
}

const iso = (time: number) => new Date(time).toISOString();

const NAMES = ['sent', 'opened', 'Opened', 'clicked', '100% off', '購入', 'rare'];
/** The distribution of the times of a batch, each from a number between 0 and 1. */
const SHAPES = {
  years: (part: number) => NOW - Math.floor(part * 900 * DAY),
  days: (part: number) => NOW - 3 * DAY + Math.floor(part * 5 * DAY),
  minutes: (part: number) => NOW - 20 * DAY + Math.floor(part * 600_000),
  milliseconds: (part: number) => NOW - 40 * DAY + Math.floor(part * 3),
  before1970: (part: number) => -Math.floor(part * 90 * DAY) - 1,
} as const;

const batch = fc.record({
  count: fc.integer({ min: 1, max: 2500 }),
  shape: fc.constantFrom(...(Object.keys(SHAPES) as (keyof typeof SHAPES)[])),
  seed: fc.integer(),
  /** Names beyond those that are counted one by one. */
  extraNames: fc.constantFrom(0, 0, 40),
});

const range = fc.record({
  /** Days before now. */
  from: fc.oneof(fc.constant(null), fc.constantFrom(1 / 24, 1, 89, 365, 21_000)),
  length: fc.oneof(fc.constant(null), fc.double({ min: 0.01, max: 1, noNaN: true })),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe'),
  search: fc.constantFrom('', '', 'opened', 'E', '%', '購', 'extra', 'zzz', '1'),
  name: fc.constantFrom(undefined, undefined, 'opened', 'Opened', '購入', 'open'),
});

/** What the answer must say, from all events. */
function naive(
  all: readonly Stored[],
  { search, name }: { search: string; name: string | undefined },
  { buckets, to }: ContactActivity,
): Partial<ContactActivity> {
  const matching = all.filter(
    ({ event_name }) =>
      event_name.toLowerCase().includes(search.toLowerCase()) && (name === undefined || event_name === name),
  );
  const byName = Map.groupBy(matching, ({ event_name }) => event_name);
  const names = [...byName]
    .map(([event_name, events]) => ({
      event_name,
      count: events.length,
      last_at: iso(Math.max(...events.map(({ created_at }) => created_at))),
    }))
    .toSorted(
      (one, other) =>
        other.count - one.count || Buffer.compare(Buffer.from(one.event_name), Buffer.from(other.event_name)),
    );
  const shown = names.slice(0, NAMES_MAX);
  const edges = [...buckets.map(({ from }) => Date.parse(from)), Date.parse(to)];
  return {
    first_at: iso(Math.min(...all.map(({ created_at }) => created_at))),
    last_at: iso(Math.max(...all.map(({ created_at }) => created_at))),
    total: matching.length,
    name_count: names.length,
    names: shown,
    buckets: buckets.map(({ from }, at) => {
      const [low = 0, high = 0] = edges.slice(at, at + 2);
      const within = matching.filter(({ created_at }) => created_at >= low && created_at < high);
      const counts = shown.map(({ event_name }) => within.filter((event) => event.event_name === event_name).length);
      return {
        from,
        counts,
        others: within.length - counts.reduce((sum, count) => sum + count, 0),
        newer: matching.filter(({ created_at }) => created_at >= high).length,
      };
    }),
  };
}

test('the counts are what counting all events gives, however they arrived', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 1, maxLength: 4 }),
      fc.array(range, { minLength: 12, maxLength: 12 }),
      async (batches, ranges) => {
        const contact = await newContact();
        const all: Stored[] = [];
        for (const { count, shape, seed, extraNames } of batches) {
          const random = randomNumbers(seed);
          const names = [...NAMES, ...Array.from({ length: extraNames }, (_, at) => `extra ${at}`)];
          const events = Array.from({ length: count }, () => ({
            event_name: names[Math.floor(random() ** 2 * names.length)] ?? '',
            created_at: SHAPES[shape](random()),
          }));
          await put(contact, events);
          all.push(...events);
        }
        for (const { from, length, zone, search, name } of ranges) {
          const start = from === null ? null : NOW - Math.floor(from * DAY);
          const activity = await read(contact, {
            ...(start !== null && { from: iso(start) }),
            ...(start !== null && length !== null && { to: iso(start + 1 + Math.floor(length * (NOW - start))) }),
            zone,
            search,
            ...(name !== undefined && { event_name: name }),
          });
          expect(activity).toMatchObject(naive(all, { search, name }, activity));
        }
      },
    ),
    { numRuns: 5, endOnFailure: true },
  );
});

function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('ten thousand names make a small answer with the most frequent, and the rest as one', async () => {
  const contact = await newContact();
  const events = Array.from({ length: 20_000 }, (_, at) => ({
    event_name: at % 2 === 0 ? 'opened' : `name ${at}`,
    created_at: NOW - at * 60_000,
  }));
  await put(contact, events);
  const activity = await read(contact, { from: iso(NOW - 89 * DAY) });
  expect(activity).toMatchObject({ total: 20_000, name_count: 10_001 });
  expect(activity.names).toHaveLength(NAMES_MAX);
  expect(activity.names[0]).toMatchObject({ event_name: 'opened', count: 10_000 });
  expect(activity.buckets.reduce((sum, { counts, others }) => sum + others + counts.reduce((a, b) => a + b), 0)).toBe(
    20_000,
  );
  expect(JSON.stringify(activity).length).toBeLessThan(20_000);
});

test('more events take no more statements', async () => {
  const spies = [vi.spyOn(DatabaseSync.prototype, 'prepare'), vi.spyOn(Client.prototype, 'query')];
  const countStatements = async (contact: string) => {
    for (const spy of spies) spy.mockClear();
    await read(contact, { from: iso(NOW - 89 * DAY), search: 'e' });
    return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  };
  const [few, many] = [await newContact(), await newContact()];
  await put(few, [{ event_name: 'opened', created_at: NOW }]);
  const all = Array.from({ length: 10_000 }, (_, at) => ({
    event_name: at % 3 === 0 ? 'opened' : 'sent',
    created_at: NOW - Math.floor((at / 10_000) * 80 * DAY),
  }));
  await put(many, all);
  // A level of counters is a statement.
  expect((await countStatements(many)) - (await countStatements(few))).toBeLessThanOrEqual(10);
  for (const spy of spies) spy.mockRestore();
});

test('a contact without events has buckets without any, and one that is not there has none', async () => {
  const contact = await newContact();
  const { first_at, last_at, total, names, buckets } = await read(contact, { from: iso(NOW - 6 * DAY) });
  expect({ first_at, last_at, total, names }).toEqual({ first_at: null, last_at: null, total: 0, names: [] });
  expect(buckets.every(({ counts, others, newer }) => counts.length + others + newer === 0)).toBe(true);
  expect(await getContactActivity(t.workspace, t.db, randomUUID(), parseActivityQuery({}, NOW))).toBeNull();
  expect(await getContactActivity(t.otherWorkspace, t.db, contact, parseActivityQuery({}, NOW))).toBeNull();
  expect(await getContactActivity(t.workspace, t.db, 'a\u0000', parseActivityQuery({}, NOW))).toBeNull();
});

test('the edges of a step stay within the times that can be told', async () => {
  const contact = await newContact();
  const first = {
    from: '0000-01-01T00:00:00.000Z',
    to: '0000-01-09T00:00:00.000Z',
    step: 'week',
    zone: 'Asia/Tokyo',
  } as const;
  expect((await read(contact, first)).buckets[0]?.from).toBe(first.from);
  const last = { from: '9999-12-31T00:00:00.000Z', to: '9999-12-31T23:59:59.999Z' };
  expect((await read(contact, last)).to).toBe(last.to);
});
