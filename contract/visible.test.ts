import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { visible, visibleJson } from './visible.ts';

// What the Unicode Character Database calls these, and one of each end of a range.
const INVISIBLE: [name: string, code: number][] = [
  ['null', 0x00],
  ['character tabulation', 0x09],
  ['line feed', 0x0a],
  ['escape', 0x1b],
  ['delete', 0x7f],
  ['next line', 0x85],
  ['control sequence introducer', 0x9b],
  ['no-break space', 0xa0],
  ['soft hyphen', 0xad],
  ['combining grapheme joiner', 0x34f],
  ['arabic letter mark', 0x61c],
  ['hangul choseong filler', 0x115f],
  ['hangul jungseong filler', 0x1160],
  ['ogham space mark', 0x1680],
  ['khmer vowel inherent aq', 0x17b4],
  ['mongolian free variation selector one', 0x180b],
  ['mongolian vowel separator', 0x180e],
  ['en quad', 0x2000],
  ['hair space', 0x200a],
  ['zero width space', 0x200b],
  ['zero width non-joiner', 0x200c],
  ['zero width joiner', 0x200d],
  ['left-to-right mark', 0x200e],
  ['right-to-left mark', 0x200f],
  ['line separator', 0x2028],
  ['paragraph separator', 0x2029],
  ['left-to-right embedding', 0x202a],
  ['right-to-left override', 0x202e],
  ['narrow no-break space', 0x202f],
  ['medium mathematical space', 0x205f],
  ['word joiner', 0x2060],
  ['invisible plus', 0x2064],
  ['left-to-right isolate', 0x2066],
  ['pop directional isolate', 0x2069],
  ['braille pattern blank', 0x2800],
  ['ideographic space', 0x3000],
  ['hangul filler', 0x3164],
  ['a lone high surrogate', 0xd800],
  ['a lone low surrogate', 0xdfff],
  ['variation selector-1', 0xfe00],
  ['variation selector-16', 0xfe0f],
  ['byte order mark', 0xfeff],
  ['halfwidth hangul filler', 0xffa0],
  ['interlinear annotation anchor', 0xfff9],
  ['a noncharacter', 0xffff],
  ['language tag', 0xe0001],
  ['tag latin small letter a', 0xe0061],
  ['cancel tag', 0xe007f],
  ['variation selector-256', 0xe01ef],
];

const nameOf = (code: number) => `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;

describe.each(INVISIBLE)('%s', (_, code) => {
  const char = String.fromCodePoint(code);

  test('is named where it stands', () => {
    expect(visible(`a${char}b`)).toBe(`a[${nameOf(code)}]b`);
  });

  test('is an escape in JSON, which reads as it was', () => {
    const json = visibleJson(JSON.stringify({ [char]: `a${char}b` }));
    expect(json).toMatch(/^[ -~]+$/);
    expect(JSON.parse(json)).toEqual({ [char]: `a${char}b` });
  });
});

test.each([
  'v=spf1 include:x.test ~all',
  'é ü 日本 العربية 😀',
  'n\u0303 is a letter with a tilde',
  '<img src=x onerror=alert(1)>',
  '',
])('%j is shown as it is', (text) => {
  expect(visible(text)).toBe(text);
  expect(visibleJson(JSON.stringify(text))).toBe(JSON.stringify(text));
});

test('two in a row are both named, in their order', () => {
  expect(visible('pay\u200b\ufeffpal')).toBe('pay[U+200B][U+FEFF]pal');
});

/** Any text, half characters too. */
const anyText = fc
  .array(fc.oneof(fc.nat(0xffff), fc.constantFrom(...INVISIBLE.map(([, code]) => code))), { maxLength: 30 })
  .map((codes) => String.fromCodePoint(...codes));

test('whatever is given, nothing unseen is left, and it is left alone the second time', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = visible(text);
      expect(shown).not.toMatch(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|(?! )\p{Zs}|\ufe0f|\u3164/u);
      expect(shown.isWellFormed()).toBe(true);
      expect(visible(shown)).toBe(shown);
      expect(JSON.parse(visibleJson(JSON.stringify(text)))).toBe(text);
    }),
  );
});
