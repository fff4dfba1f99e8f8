import { expect, test } from 'vitest';
import type { ReadableChange } from '#contract/change.ts';
import type { ReadableEvent } from '#contract/event.ts';
import { mergeStory, needsOlder, type EventPage } from './story.ts';

const at = (second: number) => new Date(Date.UTC(2026, 2, 4) + second * 1000).toISOString();
const event = (uuid: string, created_at: string | null): ReadableEvent => ({
  uuid,
  created_at,
  event_name: 'opened',
  attributes: {},
});
const change = (uuid: string, created_at: string | null): ReadableChange => ({
  uuid,
  created_at,
  action: 'update',
  actor: null,
  request_id: null,
  run: null,
  reason: null,
  suppression: null,
  changes: [],
});

/** As the service sends them: `events` in the order of the list, in pages of `size`. */
function pagesOf(events: readonly ReadableEvent[], size: number, newestFirst: boolean): EventPage[] {
  const count = Math.max(1, Math.ceil(events.length / size));
  return Array.from({ length: count }, (_, page) => ({
    events: events.slice(page * size, (page + 1) * size),
    newestFirst,
    isFirst: page === 0,
    next: events[(page + 1) * size] ?? null,
  }));
}

const names = (page: EventPage, changes: readonly ReadableChange[]) =>
  mergeStory(page, changes).map((row) => (row.event ?? row.change).uuid);

test('changes are at their time, and those between two pages are on the first of them', () => {
  const events = [50, 40, 30, 20].map((second) => event(`e${second}`, at(second)));
  const changes = [60, 45, 35, 25, 10].map((second) => change(`c${second}`, at(second)));
  const newest = pagesOf(events, 2, true);
  expect(newest.map((page) => names(page, changes))).toEqual([
    ['c60', 'e50', 'c45', 'e40', 'c35'],
    ['e30', 'c25', 'e20', 'c10'],
  ]);
  const oldest = pagesOf(events.toReversed(), 2, false);
  expect(oldest.map((page) => names(page, changes))).toEqual([
    ['c10', 'e20', 'c25', 'e30', 'c35'],
    ['e40', 'c45', 'e50', 'c60'],
  ]);
});

test('of equal times the event is earlier, also where a page ends within them', () => {
  const events = ['a', 'b', 'c', 'd'].map((name) => event(name, at(1)));
  const changes = [change('later', at(1)), change('earlier', at(1))];
  expect(pagesOf(events, 2, true).map((page) => names(page, changes))).toEqual([
    ['later', 'earlier', 'a', 'b'],
    ['c', 'd'],
  ]);
  expect(pagesOf(events, 2, false).map((page) => names(page, changes))).toEqual([
    ['a', 'b'],
    ['c', 'd', 'earlier', 'later'],
  ]);
});

test('without events, all changes are on the one page', () => {
  const changes = [change('c2', at(2)), change('c1', at(1)), change('no time', null)];
  expect(names(pagesOf([], 25, true)[0]!, changes)).toEqual(['c2', 'c1', 'no time']);
  // A page past the end.
  expect(names({ events: [], newestFirst: true, isFirst: false, next: null }, changes)).toEqual([]);
});

test('until the next page is known, the last event ends the page', () => {
  const page = { events: [event('e5', at(5))], newestFirst: true, isFirst: true, next: undefined };
  expect(names(page, [change('c6', at(6)), change('c4', at(4))])).toEqual(['c6', 'e5']);
});

/** A small generator of random numbers (mulberry32). */
function random(seed: number) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let bits = Math.imul(seed ^ (seed >>> 15), seed | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

test.each([true, false])('all pages together are one sorted list, newest first %s', (newestFirst) => {
  for (let seed = 0; seed < 300; seed++) {
    const next = random(seed);
    const times = (count: number) => Array.from({ length: count }, () => Math.floor(next() * 12));
    const events = times(Math.floor(next() * 20)).toSorted((one, other) => other - one);
    const changes = times(Math.floor(next() * 8)).toSorted((one, other) => other - one);
    // The naive model: one list, oldest first, of equal times the events first.
    const all = [
      ...events.map((second, place) => ({ second, kind: 0, place, uuid: `e${place}` })),
      ...changes.map((second, place) => ({ second, kind: 1, place, uuid: `c${place}` })),
    ].toSorted((one, other) => one.second - other.second || one.kind - other.kind || other.place - one.place);
    const list = events.map((second, place) => event(`e${place}`, at(second)));
    const pages = pagesOf(newestFirst ? list : list.toReversed(), 1 + Math.floor(next() * 5), newestFirst);
    const sent = changes.map((second, place) => change(`c${place}`, at(second)));
    const shown = pages.flatMap((page) => {
      // Only as many changes as are asked for.
      let loaded = 1;
      while (loaded < sent.length && needsOlder(page, sent.slice(0, loaded))) loaded++;
      return names(page, sent.slice(0, loaded));
    });
    const expected = (newestFirst ? all.toReversed() : all).map(({ uuid }) => uuid);
    expect(shown, `seed ${seed}`).toEqual(expected);
  }
});
