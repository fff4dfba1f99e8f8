import { isUtf8 } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseTxtBytes, escapeInvalidBytes, parseTxtText, decodeTxtBytes } from './characterStrings.ts';

test.each([
  ['a text', ' v=spf1 -all ', 'v=spf1 -all'],
  ['text in quotes', '"v=DKIM1; " "p=abc"', 'v=DKIM1; p=abc'],
  ['escapes in quotes', '"a\\; \\"b\\" \\195\\169"', 'a; "b" é'],
  ['a number that is no byte, which is three digits', '"\\300"', '300'],
  ['escapes without quotes, which are none', 'a\\;', 'a\\;'],
  ['quotes that do not close', '"a" b"', '"a" b"'],
])('%s is published as it is read', (_, value, text) => {
  expect(parseTxtText(value)).toBe(text);
});

describe('a text of 5 MB', () => {
  const MB_5 = 5_000_000;
  test.each([
    ['in one pair of quotes', `"${'x'.repeat(MB_5)}"`, 'x'.repeat(MB_5)],
    ['in a million pairs of quotes', '"abc" '.repeat(MB_5 / 6), 'abc'.repeat(MB_5 / 6)],
    ['of escaped bytes', `"${'\\065'.repeat(MB_5 / 4)}"`, 'A'.repeat(MB_5 / 4)],
    ['of escaped backslashes', `"${'\\\\'.repeat(MB_5 / 2)}"`, '\\'.repeat(MB_5 / 2)],
    ['whose quotes do not close', `"a" "${'x'.repeat(MB_5)}`, `"a" "${'x'.repeat(MB_5)}`],
    ['of quotes that do not close', '"'.repeat(MB_5 + 1), '"'.repeat(MB_5 + 1)],
    ['without quotes', 'é'.repeat(MB_5 / 2), 'é'.repeat(MB_5 / 2)],
  ])('%s is read like a short one', (_, value, text) => {
    // Compared here: a difference of this size takes minutes to print.
    expect(parseTxtText(value) === text).toBe(true);
  });

  test('of bytes that are no text is read like a short one', () => {
    const text = parseTxtText(`"${'\\255'.repeat(MB_5 / 4)}"`);
    expect(text.length).toBe(MB_5 / 4);
    expect(escapeInvalidBytes(text) === '\\255'.repeat(MB_5 / 4)).toBe(true);
  });
});

test('bytes that are no text are recognized, and shown as zone files have them', () => {
  const text = parseTxtText('"a\\233\\195\\169\\255"');
  expect(escapeInvalidBytes(text)).toBe('a\\233é\\255');
  expect(text).not.toBe(parseTxtText('"a\\233\\195\\169\\254"'));
});

test('what is text is that text, and no two others are alike', () => {
  const byte = fc.oneof(fc.nat(255), fc.constantFrom(0x41, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xef, 0xbf, 0xbd, 0xf0, 0x9f));
  const bytes = fc.array(byte, { maxLength: 12 }).map((list) => Buffer.from(list));
  fc.assert(
    fc.property(bytes, bytes, (one, other) => {
      const text = decodeTxtBytes(one);
      if (isUtf8(one)) expect(text).toBe(one.toString());
      else expect(text.isWellFormed()).toBe(false);
      expect(text === decodeTxtBytes(other)).toBe(one.equals(other));
      const escaped = [...one].map((value) => `\\${String(value).padStart(3, '0')}`).join('');
      expect(Buffer.from(parseTxtBytes(`"${escaped}"`))).toEqual(one);
    }),
    { numRuns: 1000 },
  );
});
