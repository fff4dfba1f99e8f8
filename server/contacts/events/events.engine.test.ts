import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ContactActivity, NAMES_MAX } from '#contract/activity.ts';
import type { Event } from '#contract/event.ts';
import type { CheckedListQuery, Page, Sort } from '#contract/list.ts';
import { verifyWorkspace } from '../../cli/admin/verify.ts';
import { seededRandom } from '../../demo/seededRandom.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../../testing/testDatabase.ts';
import type { Workspace } from '../../database/workspace.ts';
import { getContactActivity, parseActivityQuery } from './activity.ts';
import { listContactEvents } from './events.ts';
import type { ImportedEvent } from './checkEvent.ts';
import { putEvents } from './putEvents.ts';
import { putContacts } from '../store.ts';

// Thousands of events for each random case, each on a real file.
vi.setConfig({ testTimeout: 120_000 });

let t: TestDatabase;
beforeAll(async () => {
  t = await openTestDatabase();
});
afterAll(() => t[Symbol.asyncDispose]());

const DAY = 86_400_000;
const ALL: CheckedListQuery = { page: 1, per_page: 10, search: '', sorting: [], filters: {} };

async function newContact(workspace: Workspace = t.workspace): Promise<string> {
  const uuid = randomUUID();
  await t.db.write(workspace, (scope) => putContacts(scope, [{ uuid, attributes: {} }], NOW));
  return uuid;
}

const put = (events: ImportedEvent[], workspace: Workspace = t.workspace) =>
  t.db.write(workspace, (scope) => putEvents(scope, events, NOW));

async function list(contact: string, query: Partial<CheckedListQuery> = {}) {
  const text = await listContactEvents(t.workspace, t.db, contact, { ...ALL, ...query });
  return text === null ? null : (JSON.parse(text) as Page<Event>);
}

const NAMES = [
  'opened',
  'Opened',
  'clicked',
  '100% off',
  'a_b',
  String.raw`back\slash`,
  'ŽLUTÝ kůň',
  '<b>',
  '購入',
  'rare',
];
type Stored = { uuid: string; event_name: string; created_at: number; attributes: { at: number } };

/** The distribution of the times of a batch, each from a number between 0 and 1. */
const SHAPES = {
  years: (part: number) => NOW - Math.floor(part * 900 * DAY),
  minutes: (part: number) => NOW - 200 * DAY + Math.floor(part * 600_000),
  milliseconds: (part: number) => NOW - 400 * DAY + Math.floor(part * 3),
  before1970: (part: number) => -Math.floor(part * 90 * DAY) - 1,
  farAhead: (part: number) => NOW + Math.floor(part * 40_000 * DAY),
} as const;

const batch = fc.record({
  count: fc.integer({ min: 1, max: 2500 }),
  shape: fc.constantFrom(...(Object.keys(SHAPES) as (keyof typeof SHAPES)[])),
  seed: fc.integer(),
  /** Names beyond those that are counted one by one, or that one statement merges. */
  extraNames: fc.constantFrom(0, 0, 40, 600),
});

const query = fc.record({
  per_page: fc.constantFrom(1, 7, 10, 100),
  /** A share of the way to the last page; beyond 1 is past the end. */
  depth: fc.oneof(fc.constantFrom(0, 1, 1.2), fc.double({ min: 0, max: 1, noNaN: true })),
  search: fc.constantFrom('', '', 'OPENED', 'e', '%', '_', '\\', 'žlutý', '購', 'rare', 'zzz', 'extra', 'extra'),
  /** Exactly this name. */
  name: fc.constantFrom(null, null, 'opened', 'Opened', '購入', 'rar'),
  sorting: fc.uniqueArray(fc.record({ id: fc.constantFrom('created_at', 'event_name'), desc: fc.boolean() }), {
    maxLength: 2,
    selector: (sort) => sort.id,
  }),
});

const iso = (time: number) => new Date(time).toISOString();

const range = fc.record({
  /** Days before now. */
  from: fc.oneof(fc.constant(null), fc.constantFrom(1 / 24, 1, 89, 365, 21_000)),
  length: fc.oneof(fc.constant(null), fc.double({ min: 0.01, max: 1, noNaN: true })),
  zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe'),
  search: fc.constantFrom('', '', 'opened', '%', 'extra', 'zzz', '1'),
  name: fc.constantFrom(undefined, undefined, 'opened', 'Opened', '購入', 'open'),
});

/** What the activity must say, from all events. */
function countNaively(
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
    first_at: all.length === 0 ? null : iso(Math.min(...all.map(({ created_at }) => created_at))),
    last_at: all.length === 0 ? null : iso(Math.max(...all.map(({ created_at }) => created_at))),
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

test('a page is what filtering, sorting and slicing all events gives, and the activity what counting them gives, however they arrived', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { maxLength: 5 }),
      fc.array(query, { minLength: 40, maxLength: 40 }),
      fc.array(range, { minLength: 12, maxLength: 12 }),
      async (batches, queries, ranges) => {
        const contact = await newContact();
        const all: Stored[] = [];
        for (const { count, shape, seed, extraNames } of batches) {
          const random = seededRandom(seed).next;
          const names = [...NAMES, ...Array.from({ length: extraNames }, (_, at) => `extra ${at}`)];
          const events = Array.from({ length: count }, (_, at) => ({
            uuid: randomUUID(),
            event_name: names[Math.floor(random() ** 3 * names.length)] ?? '',
            created_at: SHAPES[shape](random()),
            attributes: { at },
          }));
          expect(new Set(await put(events.map((event) => ({ ...event, contact }))))).toEqual(new Set(['added']));
          all.push(...events);
        }
        for (const { depth, name, ...given } of queries) {
          const named = name === null ? all : all.filter(({ event_name }) => event_name === name);
          const found = naive(named, given.search, given.sorting);
          const filters: CheckedListQuery['filters'] = name === null ? {} : { event_name: name };
          const page = 1 + Math.floor((depth * found.length) / given.per_page);
          const first = (page - 1) * given.per_page;
          expect(await list(contact, { ...given, page, filters })).toEqual({
            data: found.slice(first, first + given.per_page),
            meta: expect.objectContaining({ current_page: page, total: found.length }),
          });
        }
        for (const { from, length, zone, search, name } of ranges) {
          const start = from === null ? null : NOW - Math.floor(from * DAY);
          const parameters = {
            ...(start !== null && { from: iso(start) }),
            ...(start !== null && length !== null && { to: iso(start + 1 + Math.floor(length * (NOW - start))) }),
            zone,
            search,
            ...(name !== undefined && { event_name: name }),
          };
          const asked = parseActivityQuery(parameters, NOW);
          const activity = ContactActivity.parse(await getContactActivity(t.workspace, t.db, contact, asked));
          expect(activity).toMatchObject(countNaively(all, { search, name }, activity));
        }
      },
    ),
    { numRuns: 5, endOnFailure: true },
  );
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
});

function naive(all: readonly Stored[], search: string, sorting: readonly Sort[]): Event[] {
  const byName = sorting.find(({ id }) => id === 'event_name');
  const time = sorting.find(({ id }) => id === 'created_at') ?? { id: 'created_at', desc: true };
  const named = (one: Stored, other: Stored) =>
    byName === undefined
      ? 0
      : Buffer.compare(Buffer.from(one.event_name), Buffer.from(other.event_name)) * sign(byName);
  const timed = (one: Stored, other: Stored) => (one.created_at - other.created_at) * sign(time);
  const ordered = sorting[0]?.id === 'event_name' ? [named, timed] : [timed, named];
  return all
    .filter((event) => event.event_name.toLowerCase().includes(search.toLowerCase()))
    .toSorted((one, other) => {
      for (const compare of ordered) if (compare(one, other) !== 0) return compare(one, other);
      return (one.uuid < other.uuid ? -1 : 1) * sign(time);
    })
    .map((event) => ({ ...event, created_at: iso(event.created_at) }));
}

const sign = ({ desc }: Sort) => (desc ? -1 : 1);

test('every edge of an activity can be written as a time', async () => {
  const contact = await newContact();
  const read = async (from: string, to: string) =>
    ContactActivity.parse(
      await getContactActivity(t.workspace, t.db, contact, parseActivityQuery({ from, to, zone: 'Asia/Tokyo' }, NOW)),
    );
  const [first, last] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
  expect((await read(first, '0000-01-09T00:00:00.000Z')).buckets[0]?.from).toBe(first);
  expect((await read('9999-12-31T00:00:00.000Z', last)).to).toBe(last);
});

test('a batch of thousands finds each event that is there already, wherever in its time that lies, and each that it has twice; what differs in anything is another', async () => {
  const contact = await newContact();
  const events: ImportedEvent[] = Array.from({ length: 4000 }, (_, at) => ({
    contact,
    event_name: 'opened',
    attributes: { at, text: 'x'.repeat(60) },
    created_at: NOW - DAY + at * 1000,
  }));
  const there = events.slice(2500, 2510);
  expect(new Set(await put(there))).toEqual(new Set(['added']));
  const added = await put([...events, ...events.slice(3990)]);
  const expected = events.map((event) => (there.includes(event) ? 'unchanged' : 'added'));
  expect(added).toEqual([...expected, ...Array.from({ length: 10 }, () => 'unchanged')]);
  expect(new Set(await put(events))).toEqual(new Set(['unchanged']));
  expect((await list(contact))?.meta.total).toBe(4000);
  const [one] = there as [ImportedEvent];
  const others = [
    { created_at: NOW + 1 },
    { event_name: 'Opened' },
    { attributes: {} },
    { contact: await newContact() },
  ];
  expect(new Set(await put(others.map((other) => ({ ...one, ...other }))))).toEqual(new Set(['added']));
  expect(await verifyWorkspace(t.workspace, t.db)).toEqual([]);
});
