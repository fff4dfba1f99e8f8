import { expect, test } from 'vitest';
import { changedParam, changedSince } from './changed.ts';

const NOW = new Date('2026-03-02T10:30:00.000Z');
const VISIT = '2026-02-27T08:00:00.000Z';

test.each([
  ['yesterday', '2026-03-01T00:00:00.000Z'],
  ['7d', '2026-02-23T00:00:00.000Z'],
  ['2026-02-10', '2026-02-10T00:00:00.000Z'],
  ['visit', VISIT],
])('changed since %s begins at %s', (changed, since) => {
  expect(changedSince(changed, { now: NOW, visit: VISIT, isUtc: true })).toBe(since);
});

test('days begin at midnight of the browser', () => {
  const expected = new Date(2026, 2, 1).toISOString();
  const now = new Date(2026, 2, 2, 23, 30);
  expect(changedSince('yesterday', { now, visit: null, isUtc: false })).toBe(expected);
  expect(changedSince('2026-03-01', { now, visit: null, isUtc: false })).toBe(expected);
});

test('without a visit before, nothing is left out', () => {
  expect(changedSince('visit', { now: NOW, visit: null, isUtc: true })).toBeNull();
});

test.each(['2026-13-45', '2026-02-30', '2026-2-1', '2026-02-30x', 'today', 'constructor', ''])(
  '%j is no time of a change',
  (text) => {
    expect(changedParam.parse(text)).toBeUndefined();
  },
);
