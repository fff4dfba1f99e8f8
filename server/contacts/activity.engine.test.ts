import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ContactActivity, NAMES_MAX, type ActivityParameters } from '#contract/activity.ts';
import type { Event } from '#contract/event.ts';
import type { Page } from '#contract/list.ts';
import { NOW, openTestDatabase, type TestDatabase } from '../testing/testDatabase.ts';
import { getContactActivity, parseActivityQuery } from './activity.ts';
import { listContactEvents } from './events.ts';
import type { ImportedEvent } from './checkEvent.ts';
import { putEvents } from './putEvents.ts';
import { putContacts } from './store.ts';

// Thousands of events for each random case, each on a real file.
vi.setConfig({ testTimeout: 120_000 });

let t: TestDatabase;
beforeEach(async () => {
  t = await openTestDatabase();
});
afterEach(() => t[Symbol.asyncDispose]());

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
    { numRuns: 8, endOnFailure: true },
  );
});

function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('a bucket says at which place of the list its newest event is', async () => {
  const contact = await newContact();
  const names = ['opened', 'clicked', 'sent'];
  const events = Array.from({ length: 50_000 }, (_, at) => ({
    event_name: names[at % 3] ?? '',
    created_at: NOW - Math.floor((at / 50_000) ** 2 * 80 * DAY),
  }));
  await put(contact, events);
  for (const search of ['', 'ed']) {
    const { buckets } = await read(contact, { from: iso(NOW - 89 * DAY), search });
    for (const [at, { from, newer, counts }] of buckets.entries()) {
      if (counts.every((count) => count === 0)) continue;
      const query = { page: newer + 1, per_page: 1, search, sorting: [], filters: {} };
      const page = JSON.parse((await listContactEvents(t.workspace, t.db, contact, query)) ?? '') as Page<Event>;
      const [{ created_at } = { created_at: '' }] = page.data;
      expect(created_at >= from && created_at < (buckets[at + 1]?.from ?? '9')).toBe(true);
    }
  }
});

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
  const all = Array.from({ length: 30_000 }, (_, at) => ({
    event_name: at % 3 === 0 ? 'opened' : 'sent',
    created_at: NOW - Math.floor((at / 30_000) * 80 * DAY),
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

/** The step of the buckets, and when they begin and end. */
async function bounds(parameters: ActivityParameters, first = NOW - 400 * DAY) {
  const contact = await newContact();
  await put(contact, [{ event_name: 'opened', created_at: first }]);
  const { step, buckets, to } = await read(contact, parameters);
  return { step, length: buckets.length, times: [...buckets.map(({ from }) => from), to] };
}

describe('the buckets', () => {
  test('are days of the zone, of 23 hours when clocks go forward and of 25 when they go back', async () => {
    const { step, times } = await bounds({
      from: '2026-03-28T12:00:00.000Z',
      to: '2026-03-30T10:00:00.000Z',
      step: 'day',
      zone: 'Europe/Berlin',
    });
    expect(step).toBe('day');
    expect(times).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      '2026-03-30T22:00:00.000Z',
    ]);
    const autumn = await bounds({
      from: '2026-10-25T00:00:00.000Z',
      to: '2026-10-25T12:00:00.000Z',
      step: 'day',
      zone: 'Europe/Berlin',
    });
    expect(autumn.times).toEqual(['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
  });

  test('are weeks from Monday, months and years', async () => {
    const parameters = { from: '2025-12-31T09:00:00.000Z', to: '2026-01-06T00:00:00.000Z' };
    expect((await bounds({ ...parameters, step: 'week' })).times).toEqual(
      ['2025-12-29', '2026-01-05', '2026-01-12'].map((day) => `${day}T00:00:00.000Z`),
    );
    expect((await bounds({ ...parameters, step: 'month' })).times).toEqual(
      ['2025-12-01', '2026-01-01', '2026-02-01'].map((day) => `${day}T00:00:00.000Z`),
    );
    expect((await bounds({ ...parameters, step: 'year' })).times).toEqual(
      ['2025-01-01', '2026-01-01', '2027-01-01'].map((day) => `${day}T00:00:00.000Z`),
    );
  });

  test('are hours also where clocks are set back by half an hour', async () => {
    const { times } = await bounds({
      from: '2026-04-04T12:00:00.000Z',
      to: '2026-04-04T18:00:00.000Z',
      step: 'hour',
      zone: 'Australia/Lord_Howe',
    });
    expect(times.length).toBeLessThan(9);
    expect(times).toEqual([...new Set(times)].toSorted());
  });

  test.each([
    ['leap over a full hour', '2011-03-13T04:00:00.000Z', 'America/St_Johns', '2011-03-13T03:30:00.000Z'],
    ['leap over a full hour', '2027-09-25T14:20:00.000Z', 'Pacific/Chatham', '2027-09-25T14:15:00.000Z'],
    ['are set back by half an hour', '2026-04-04T15:00:00.000Z', 'Australia/Lord_Howe', '2026-04-04T14:30:00.000Z'],
  ])('the first contains its begin where clocks %s (%s)', async (_, from, zone, expected) => {
    const { times } = await bounds({ from, to: iso(Date.parse(from) + DAY / 4), step: 'hour', zone });
    expect(times[0]).toBe(expected);
  });

  test('are as short as gives few of them where no step is asked for', async () => {
    const stepOf = async (days: number) => (await bounds({ from: iso(NOW - days * DAY) })).step;
    expect([await stepOf(2), await stepOf(89), await stepOf(365), await stepOf(3000), await stepOf(9000)]).toEqual([
      'hour',
      'day',
      'week',
      'month',
      'year',
    ]);
    expect(await bounds({})).toMatchObject({ step: 'week', length: 58 });
  });

  test('reach back from now as far as they may, where no begin is asked for', async () => {
    const { length, times } = await bounds({ step: 'hour' });
    expect(length).toBeGreaterThan(390);
    expect(length).toBeLessThanOrEqual(400);
    expect(Date.parse(times.at(-1) ?? '')).toBeGreaterThan(NOW);
    const old = await bounds({}, Date.parse('0000-01-01T00:00:00.000Z'));
    expect(old.step).toBe('year');
    expect(old.length).toBeLessThanOrEqual(400);
  });

  test('stay within the times that can be told', async () => {
    const { times } = await bounds({
      from: '0000-01-01T00:00:00.000Z',
      to: '0000-01-09T00:00:00.000Z',
      step: 'week',
      zone: 'Asia/Tokyo',
    });
    expect(times[0]).toBe('0000-01-01T00:00:00.000Z');
    expect((await bounds({ from: '9999-12-31T00:00:00.000Z', to: '9999-12-31T23:59:59.999Z' })).times.at(-1)).toBe(
      '9999-12-31T23:59:59.999Z',
    );
  });
});

test.each<[ActivityParameters, string]>([
  [{ from: '2026-02-30T00:00:00.000Z' }, 'from'],
  [{ from: iso(NOW + DAY) }, 'from'],
  [{ from: iso(NOW), to: iso(NOW) }, 'from'],
  [{ to: '2026-13-01T00:00:00.000Z' }, 'to'],
  [{ zone: 'Europe/Atlantis' }, 'zone'],
  [{ zone: '' }, 'zone'],
  [{ zone: '2020-01-01T00:00Z' }, 'zone'],
  [{ from: iso(NOW - 401 * DAY), step: 'day' }, 'step'],
  [{ from: '0000-01-01T00:00:00.000Z', step: 'hour' }, 'step'],
  [{ from: '0000-01-01T00:00:00.000Z' }, 'step'],
])('%j is refused, naming what is wrong', (parameters, field) => {
  expect(() => parseActivityQuery(parameters, NOW)).toThrow(
    expect.objectContaining({ status: 422, errors: [expect.objectContaining({ field })] }),
  );
});
