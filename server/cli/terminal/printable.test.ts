import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { toPrintable } from './printable.ts';

test.each([
  ['v=spf1 include:x.test ~all', 'v=spf1 include:x.test ~all'],
  ['\u001b[2Jgone', '[U+001B][2Jgone'],
  ['two\nlines', 'two[U+000A]lines'],
  ['v=spf1\u00a0-all\u200b', 'v=spf1[U+00A0]-all[U+200B]'],
])('%j is printed as %s', (text, printed) => {
  expect(toPrintable(text)).toBe(printed);
});

test('what is too long is cut where a character ends, and is no longer than allowed', () => {
  expect(toPrintable('abcdef', 5)).toBe('abcd…');
  expect(toPrintable('abcde', 5)).toBe('abcde');
  // The cut would be in the middle of a surrogate pair.
  expect(toPrintable('abc😀def', 5)).toBe('abc…');
  expect(toPrintable('ab\u200bcd', 9)).toBe('ab[U+200…');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 30 }), (text, max) => {
      expect(toPrintable(text, max).length).toBeLessThanOrEqual(max);
    }),
  );
});
