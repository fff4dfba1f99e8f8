import { expect, test } from 'vitest';
import { ROWS_AT_ONCE } from '#contract/imports.ts';
import { groupLines } from './groupLines.ts';
import { takeBatch } from './importJob.ts';

// Which rows a request has.

const rows = (count: number, attributes: Record<string, string>) =>
  Array.from({ length: count }, (_, number) => ({ number, row: { attributes } }));

test('a request has as many rows as it may: by number, bytes and fields', () => {
  expect(takeBatch(rows(600, { a: '' }), 0)).toHaveLength(ROWS_AT_ONCE);
  expect(takeBatch(rows(600, { a: '' }), 500)).toHaveLength(100);
  const long = takeBatch(rows(600, { a: 'é'.repeat(1000) }), 0);
  expect(new TextEncoder().encode(JSON.stringify({ from: 0, rows: long })).length).toBeLessThan(256 * 1024);
  expect(long.length).toBeGreaterThan(80);
  const wide = Object.fromEntries(Array.from({ length: 190 }, (_, index) => [`a${index}`, '']));
  expect(takeBatch(rows(600, wide), 0)).toHaveLength(76);
  expect(takeBatch(rows(1, { a: 'x'.repeat(250_000) }), 0)).toHaveLength(1);
});

test('lines that may be about the same contact are together, in the order of the file', () => {
  const lines = [
    { email: 'a@x.test' },
    { phone: '+49 1' },
    { customer_id: '7' },
    { email: 'b@x.test', phone: '+49 2' },
    { email: ' A@X.test ', phone: '+49 1' },
    { plan: 'pro' },
    { email: '7', plan: 'pro' },
    { customer_id: '7', email: 'b@x.test' },
  ].map((attributes, number) => ({ number, row: { attributes } }));
  const numbers = (field: string | null) => groupLines(lines, field).map((group) => group.map(({ number }) => number));
  expect(numbers('customer_id')).toEqual([[0, 1, 4], [2, 3, 7], [5], [6]]);
  expect(numbers(null)).toEqual([[0, 1, 4], [2], [3, 7], [5], [6]]);
});
