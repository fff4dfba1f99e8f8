import { describe, expect, test } from 'vitest';
import type { ActivityParameters } from '#contract/activity.ts';
import { must } from '#contract/values/must.ts';
import { parseActivityQuery } from './activity.ts';
import { bucketEdges } from './activityEdges.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const DAY = 86_400_000;
const iso = (time: number) => new Date(time).toISOString();

/** The step of the buckets, and when they begin and end. */
function bounds(parameters: ActivityParameters, first = NOW - 400 * DAY) {
  const { step, edges } = must(bucketEdges(parseActivityQuery(parameters, NOW).range, first));
  return { step, length: edges.length - 1, times: edges.map(iso) };
}
const midnights = (days: readonly string[]) => days.map((day) => `${day}T00:00:00.000Z`);

describe('the buckets', () => {
  test.each<[what: string, parameters: ActivityParameters, times: string[]]>([
    [
      'days of a zone, one of 23 hours because clocks go forward',
      { from: '2026-03-28T12:00:00.000Z', to: '2026-03-30T10:00:00.000Z', step: 'day', zone: 'Europe/Berlin' },
      ['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z', '2026-03-30T22:00:00.000Z'],
    ],
    [
      'a day of 25 hours, because clocks go back',
      { from: '2026-10-25T00:00:00.000Z', to: '2026-10-25T12:00:00.000Z', step: 'day', zone: 'Europe/Berlin' },
      ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ],
    ...(
      [
        ['week', ['2025-12-29', '2026-01-05', '2026-01-12']],
        ['month', ['2025-12-01', '2026-01-01', '2026-02-01']],
        ['year', ['2025-01-01', '2026-01-01', '2027-01-01']],
      ] as const
    ).map(([step, days]): [string, ActivityParameters, string[]] => [
      `a ${step} from its first day (Monday) on`,
      { from: '2025-12-31T09:00:00.000Z', to: '2026-01-06T00:00:00.000Z', step },
      midnights(days),
    ]),
  ])('are %s', (_, parameters, times) => {
    expect(bounds(parameters)).toMatchObject({ step: parameters.step, times });
  });

  test('are hours also where clocks are set back by half an hour', () => {
    const { times } = bounds({
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
  ])('the first contains its begin where clocks %s (%s)', (_, from, zone, expected) => {
    expect(bounds({ from, to: iso(Date.parse(from) + DAY / 4), step: 'hour', zone }).times[0]).toBe(expected);
  });

  test.each([
    [2, 'hour'],
    [89, 'day'],
    [365, 'week'],
    [3000, 'month'],
    [9000, 'year'],
  ])('of %d days are as short as gives few of them: %s', (days, step) => {
    expect(bounds({ from: iso(NOW - days * DAY) }).step).toBe(step);
  });

  test('reach back from now to the first event, or as far as they may', () => {
    expect(bounds({})).toMatchObject({ step: 'week', length: 58 });
    const { length, times } = bounds({ step: 'hour' });
    expect(length).toBeGreaterThan(390);
    expect(length).toBeLessThanOrEqual(400);
    expect(Date.parse(must(times.at(-1)))).toBeGreaterThan(NOW);
    const old = bounds({}, Date.parse('0000-01-01T00:00:00.000Z'));
    expect(old.step).toBe('year');
    expect(old.length).toBeLessThanOrEqual(400);
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
