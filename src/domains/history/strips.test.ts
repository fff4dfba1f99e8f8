import { expect, test } from 'vitest';
import type { Span } from '#contract/domains/domainHistory.ts';
import { createFinding } from '../../testing/testCheck.ts';
import { nearestPart, toStrips } from './strips.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-06-30T00:00:00Z');

/** A span from so many days ago to so many days ago. */
const span = (from: number, to: number, result: Span['result'], found: string[] = []): Span => ({
  subject: 'TXT x.test',
  kind: 'record',
  started_at: new Date(NOW - from * DAY).toISOString(),
  ended_at: new Date(NOW - to * DAY).toISOString(),
  result,
  code: result.toUpperCase(),
  turn: null,
  cause: null,
  finding: createFinding({ result, found }),
});

/** Each part as "result at days, days long", in days since the beginning of the strip. */
const draw = (...spans: Span[]) =>
  toStrips(spans, NOW)[0]?.parts.map(
    ({ span: own, left, width }) => `${own?.result ?? 'nobody'} at ${Math.round(left * 90)}, ${Math.round(width * 90)}`,
  );

test('what was found is a part of the strip, and what nobody looked at another', () => {
  expect(draw(span(90, 0, 'ok'))).toEqual(['ok at 0, 90']);
  expect(draw(span(30, 0, 'ok'))).toEqual(['nobody at 0, 60', 'ok at 60, 30']);
  expect(draw(span(90, 10, 'ok'))).toEqual(['ok at 0, 80', 'nobody at 80, 10']);
  expect(draw(span(90, 50, 'ok'), span(40, 0, 'fail'))).toEqual(['ok at 0, 40', 'nobody at 40, 10', 'fail at 50, 40']);
});

test('what began earlier is cut, and the order of the spans does not matter', () => {
  expect(draw(span(400, 0, 'ok'))).toEqual(['ok at 0, 90']);
  expect(draw(span(20, 0, 'ok'), span(100, 20, 'fail'))).toEqual(['fail at 0, 70', 'ok at 70, 20']);
});

test('a usual pause between two looks is no gap, but the last look stays the last', () => {
  expect(draw(span(90, 21, 'ok'), span(20, 1, 'fail'))).toEqual(['ok at 0, 70', 'fail at 70, 19', 'nobody at 89, 1']);
});

const changes = (...spans: Span[]) => toStrips(spans, NOW)[0]?.changes;

test('looks that are far apart and found the same are no change', () => {
  expect(changes(span(90, 50, 'ok'), span(40, 0, 'ok'))).toBe(0);
  expect(changes(span(90, 50, 'ok', ['a']), span(40, 20, 'ok', ['b']), span(20, 0, 'fail', ['b']))).toBe(2);
});

test('a click is about the nearest part that somebody looked at, of two the later one', () => {
  const parts = toStrips([span(90, 50, 'ok'), span(40, 0, 'fail')], NOW)[0]?.parts ?? [];
  expect([0, 0.43, 0.52, 0.9].map((place) => parts[nearestPart(parts, place)]?.span?.result)).toEqual([
    'ok',
    'ok',
    'fail',
    'fail',
  ]);
  expect(nearestPart([], 0.5)).toBe(-1);
});
