import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Event } from '#contract/event.ts';
import type { CheckedListQuery, Page, Sort } from '#contract/list.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import type { Workspace } from '../database/workspace.ts';
import { checkCounters } from './checkCounters.ts';
import { listContactEvents } from './events.ts';
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
});

const query = fc.record({
  per_page: fc.constantFrom(1, 7, 10, 100),
  /** A share of the way to the last page; beyond 1 is past the end. */
  depth: fc.oneof(fc.constantFrom(0, 1, 1.2), fc.double({ min: 0, max: 1, noNaN: true })),
  search: fc.constantFrom('', '', 'OPENED', 'e', '%', '_', '\\', 'žlutý', '購', 'rare', 'zzz', 'o'),
  /** Exactly this name. */
  name: fc.constantFrom(null, null, 'opened', 'Opened', '購入', 'rar'),
  sorting: fc.uniqueArray(fc.record({ id: fc.constantFrom('created_at', 'event_name'), desc: fc.boolean() }), {
    maxLength: 2,
    selector: (sort) => sort.id,
  }),
});

test('a page is what filtering, sorting and slicing all events gives, however they arrived', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { minLength: 1, maxLength: 5 }),
      fc.array(query, { minLength: 40, maxLength: 40 }),
      async (batches, queries) => {
        const contact = await newContact();
        const all: Stored[] = [];
        for (const { count, shape, seed } of batches) {
          const random = randomNumbers(seed);
          const events = Array.from({ length: count }, (_, at) => ({
            uuid: randomUUID(),
            event_name: NAMES[Math.floor(random() ** 3 * NAMES.length)] ?? '',
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
      },
    ),
    { numRuns: 5, endOnFailure: true },
  );
  expect(await checkCounters(t.workspace, t.db)).toEqual([]);
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
    .map((event) => ({ ...event, created_at: new Date(event.created_at).toISOString() }));
}

const sign = ({ desc }: Sort) => (desc ? -1 : 1);

function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('a contact with more names than one statement merges is read all the same', async () => {
  const contact = await newContact();
  const all = Array.from({ length: 3000 }, (_, at) => ({
    uuid: randomUUID(),
    event_name: at % 4 === 0 ? 'opened' : `order_${at % 600} paid`,
    created_at: NOW - at * 3_600_000,
    attributes: { at },
  }));
  await put(all.map((event) => ({ ...event, contact })));
  for (const sorting of [[], [{ id: 'event_name', desc: false }]]) {
    for (const page of [1, 80, 224, 225, 226]) {
      const found = naive(all, 'order', sorting);
      expect(await list(contact, { search: 'order', sorting, page })).toMatchObject({
        data: found.slice(page * 10 - 10, page * 10),
        meta: { total: 2250 },
      });
    }
  }
});

describe('importing', () => {
  test('attributes come back as they are, whatever they hold', async () => {
    const contact = await newContact();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: 'grapheme' }), async (value) => {
        const uuid = randomUUID();
        const [outcome] = await put([{ contact, uuid, event_name: 'e', attributes: { value } }]);
        const { data } = (await list(contact, { per_page: 100 })) ?? { data: [] };
        const event = data.find((candidate) => candidate.uuid === uuid);
        if (outcome === 'added') expect(event?.attributes).toEqual(JSON.parse(JSON.stringify({ value })));
        else expect(event).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  test('a repeat changes nothing, with and without a uuid; what differs in anything is another event', async () => {
    const contact = await newContact();
    const plain = { contact, event_name: 'opened', attributes: { a: 1 }, created_at: NOW };
    const events = [plain, { ...plain, uuid: randomUUID().toUpperCase() }];
    expect(await put(events)).toEqual(['added', 'added']);
    expect(await put([...events, ...events])).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged']);
    expect(
      await put([
        { ...plain, created_at: NOW + 1 },
        { ...plain, event_name: 'Opened' },
        { ...plain, attributes: { a: 2 } },
        { ...plain, contact: await newContact() },
      ]),
    ).toEqual(['added', 'added', 'added', 'added']);
    expect((await list(contact))?.meta.total).toBe(5);
    expect(await checkCounters(t.workspace, t.db)).toEqual([]);
  });

  test('a batch of thousands finds each event that is there already, wherever in its time that lies, and each that it has twice', async () => {
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
    expect(await checkCounters(t.workspace, t.db)).toEqual([]);
  });

  test('a bad row is told and leaves nothing; the rows around it go in', async () => {
    const contact = await newContact();
    const good = { contact, event_name: 'opened', attributes: {} };
    const wrong: [Partial<ImportedEvent>, field: string][] = [
      [{ event_name: ' ' }, 'event_name'],
      [{ event_name: 'n'.repeat(256) }, 'event_name'],
      [{ event_name: 'a\u0000' }, 'event_name'],
      [{ uuid: '7' }, 'uuid'],
      [{ attributes: { a: '\ud800' } }, 'attributes.a'],
      [{ contact: 'nobody@example.com' }, 'contact'],
    ];
    expect(await put([good, ...wrong.map(([event]) => ({ ...good, ...event })), good])).toEqual([
      'added',
      ...wrong.map(([, field]) => [expect.objectContaining({ field })]),
      'added',
    ]);
    expect((await list(contact))?.meta.total).toBe(2);
  });
});

test('counters that are wrong are told', async () => {
  const workspace = t.otherWorkspace;
  const contact = await newContact(workspace);
  const events = Array.from({ length: 1500 }, (_, at) => ({
    contact,
    event_name: 'e',
    attributes: {},
    created_at: NOW + at,
  }));
  await put(events, workspace);
  await t.db.write(workspace, async (scope) => {
    await scope.update('contacts').set({ event_count: 1499 }).execute();
    await scope.update('event_names').set({ count: 1 }).execute();
    await scope.update('event_periods').set({ c0: 1 }).where('level', '=', 12).execute();
  });
  expect(await checkCounters(workspace, t.db)).toEqual([
    `Contact ${contact}: it has 1500 events, and 1499 are counted.`,
    `Contact ${contact}: its events are counted wrongly by name.`,
    `Contact ${contact}: its events are counted wrongly by period of 2^12 milliseconds.`,
  ]);
});
