import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  hasVisibleText,
  splitHidden,
  escapeHidden,
  escapeInvisible,
  escapeInvisibleInJson,
} from './invisibleCharacters.ts';

/** The characters of known attacks, and both ends of each range. */
const HIDDEN = [
  0x00, 0x07, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e,
  0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069,
  0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xd800, 0xdfff, 0xe0001, 0xe0061, 0xe007f, 0xe01ef,
];
/** With those that belong to the text of people. */
const INVISIBLE = [...HIDDEN, 0x09, 0x0a, 0xa0, 0x1680, 0x17b4, 0x180b, 0x2000, 0x200a, 0x202f, 0x205f, 0x3000, 0xffff];

const nameOf = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

test.each(INVISIBLE.map((code) => [nameOf(code), code] as const))('%s is named where it stands', (name, code) => {
  const char = String.fromCodePoint(code);
  expect(escapeInvisible(`a${char}b`)).toBe(`a[${name}]b`);
  const json = escapeInvisibleInJson(JSON.stringify({ [char]: `a${char}b` }));
  expect(json).toMatch(/^[ -~]+$/);
  expect(JSON.parse(json)).toEqual({ [char]: `a${char}b` });
});

test.each([
  'v=spf1 include:x.test ~all',
  'é ü 日本 العربية 😀',
  'n\u0303 is a letter with a tilde',
  '<img src=x onerror=alert(1)>',
  '',
])('%j is shown as it is', (text) => {
  expect(escapeInvisible(text)).toBe(text);
  expect(escapeInvisibleInJson(JSON.stringify(text))).toBe(JSON.stringify(text));
});

/** Any text, with lone surrogates too. */
const anyText = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(...INVISIBLE)), { maxLength: 30 })
  .map((codes) => String.fromCodePoint(...codes));

test('whatever is given, nothing unseen is left, and it is left alone the second time', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = escapeInvisible(text);
      expect(shown).not.toMatch(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\ufe0f|\u3164/u);
      expect(shown.isWellFormed()).toBe(true);
      expect(escapeInvisible(shown)).toBe(shown);
      expect(JSON.parse(escapeInvisibleInJson(JSON.stringify(text)))).toBe(text);
    }),
  );
});

/** Hidden characters in text written by people, by their codes. */
const hiddenIn = (text: string) =>
  splitHidden(text).flatMap((piece) => (piece.isHidden ? [nameOf(piece.text.codePointAt(0) ?? 0)] : []));

describe('text of people', () => {
  test.each(HIDDEN.map((code) => [nameOf(code), code] as const))('shows %s, which cannot be seen', (name, code) => {
    const char = String.fromCodePoint(code);
    for (const text of [`a${char}b`, char, `${char}b`, `a${char}`, `ж${char}ж`, `1${char}1`]) {
      expect(hiddenIn(text)).toEqual([name]);
      expect(escapeHidden(text)).toBe(text.replace(char, `[${name}]`));
    }
  });

  test.each([
    ['Arabic', 'مرحبا بالعالم، كيف حالك؟'],
    ['Hebrew with points', 'שָׁלוֹם'],
    ['Persian with its non-joiners', 'می\u200cخواهم کتاب\u200cها را'],
    ['Urdu with a joiner', 'ہ\u200dم'],
    ['Hindi with both', 'क्\u200dष क्\u200cष'],
    ['Bengali, Malayalam, Sinhala', 'র‍্যা ന്‍ ශ්‍රී'],
    ['a family and a doctor', '👩‍👩‍👧‍👦 🧑🏽‍⚕️'],
    ['hearts, a keycap, flags', '❤️ ☺︎ 2️⃣ 🏳️‍🌈 🏴‍☠️ 🇩🇪'],
    ['the flag of Wales, in tags', '🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
    ['a Japanese name in its own form', '葛\u{e0100}城 辻\ufe00'],
    ['Mongolian with a form of a letter', 'ᠠ\u180b'],
    ['blanks of other scripts', 'Société\u00a0: 10\u202f% 日本\u3000語'],
    ['lines and columns', 'one\ntwo\r\n\tthree'],
    ['numbers in Arabic script', '\u0600١٢'],
  ])('leaves %s as it is', (_, text) => {
    expect(hiddenIn(text)).toEqual([]);
    expect(escapeHidden(text)).toBe(text);
  });

  test.each([
    ['a joiner between words', 'pay\u200dpal', ['U+200D']],
    ['a non-joiner at the end of a Persian word', 'کتاب\u200c', ['U+200C']],
    ['two joiners between emoji', '👩\u200d\u200d👧', ['U+200D', 'U+200D']],
    ['tags that are no flag', 'ok\u{e0061}\u{e0062}', ['U+E0061', 'U+E0062']],
    ['tags behind a flag without their end', '🏴\u{e0067}\u{e0062}x', ['U+E0067', 'U+E0062']],
    [
      'a text in tags that begins like a flag',
      `🏴${'\u{e0061}'.repeat(7)}\u{e007f}`,
      [...Array.from({ length: 7 }, () => 'U+E0061'), 'U+E007F'],
    ],
    ['a variation selector behind a letter', 'a\ufe0fb', ['U+FE0F']],
    ['a line that is overwritten', 'good\rbad', ['U+000D']],
    ['an override in Hebrew', 'שלום\u202eabc', ['U+202E']],
  ])('shows %s', (_, text, codes) => {
    expect(hiddenIn(text)).toEqual(codes);
  });

  test('is never changed: its pieces are the text, and what `shown` leaves is nothing to hide', () => {
    const pieces = fc.array(fc.oneof(anyText, fc.constantFrom('👩', '‍', '️', '🏴', 'م', '\u200c', 'क्', '葛', '1')), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        expect(
          splitHidden(text)
            .map((piece) => piece.text)
            .join(''),
        ).toBe(text);
        expect(escapeHidden(text).isWellFormed()).toBe(true);
        expect(escapeHidden(text)).not.toMatch(
          /[\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\u3164\u2800]|(?![\n\t\r])\p{Cc}/u,
        );
      }),
      { numRuns: 500 },
    );
  });

  test.each(['', ' ', '\u200b', '\u202e\u00ad', '\u3164\u2800', '\u00a0\n'])('%j holds nothing to see', (text) => {
    expect(hasVisibleText(text)).toBe(false);
  });

  test('is looked through once, however long it is', () => {
    for (const part of ['\u0301', 'م\u0651', 'م\u0651\u200c', '👩\u200d', '🏴\u{e0067}', '\u200d', '葛\u{e0100}']) {
      expect(escapeHidden(part.repeat(200_000)).length).toBeGreaterThan(100_000);
    }
  });
});
