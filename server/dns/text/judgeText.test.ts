import { expect, test } from 'vitest';
import { judgeText } from './judgeText.ts';

const TOKEN = 'provider-verification=Ab12-Cd34 Ef56';
const LONG = `provider-verification=${'x'.repeat(300)}`;

// Each row: what an expert says, the published texts, the code, and some facts of it.
test.each<[string, string[], string, object?]>([
  ['It is there.', [TOKEN], 'MATCH'],
  ['It is there, among others.', ['v=spf1 -all', '', TOKEN], 'MATCH'],
  ['Services leave out blanks around a token.', [` ${TOKEN} `], 'MATCH'],
  ['Nothing of the kind is there.', ['v=spf1 -all', 'other=1'], 'TEXT_MISSING', { count: 2, another: null }],
  [
    'The token of another account is there.',
    ['provider-verification=zz', 'v=spf1 -all'],
    'TEXT_MISSING',
    { count: 2, another: 'provider-verification=zz' },
  ],
  ['Quotation marks were typed in.', [`"${TOKEN}"`], 'QUOTES_IN_VALUE'],
  ['Quotation marks were typed in, escaped.', [String.raw`\"${TOKEN}\"`], 'QUOTES_IN_VALUE'],
  ['The two strings of a zone file were typed in.', ['"provider-verification=Ab12" "-Cd34 Ef56"'], 'QUOTES_IN_VALUE'],
  ['A blank was lost where strings meet.', [TOKEN.replace(' ', '')], 'SPACE_LOST_AT_SPLIT'],
  ['A blank came in where a line ended.', [TOKEN.replace('Cd34', 'Cd 34')], 'SPACES_INSIDE'],
  ['Smart quotes.', [`\u201c${TOKEN}\u201d`], 'SPOILT_CHARACTERS', { characters: ['U+201C', 'U+201D'] }],
  [
    'A no-break space for a blank.',
    [TOKEN.replace(' ', '\u00a0')],
    'SPOILT_CHARACTERS',
    { characters: ['U+00A0'], after: TOKEN.split(' ')[0]?.slice(-24) },
  ],
  ['A no-break space around it is not left out.', [`${TOKEN}\u00a0`], 'SPOILT_CHARACTERS', { characters: ['U+00A0'] }],
  ['A zero-width space.', [TOKEN.replace('=', '=\u200b')], 'SPOILT_CHARACTERS', { characters: ['U+200B'] }],
  ['A line feed at its end.', [`${TOKEN}\r\n`], 'SPOILT_CHARACTERS', { characters: ['U+000D', 'U+000A'] }],
  ['A dash for a hyphen.', [TOKEN.replace('12-C', '12\u2013C')], 'SPOILT_CHARACTERS', { characters: ['U+2013'] }],
  ['A mark that turns the order around.', [`\u202e${TOKEN}`], 'SPOILT_CHARACTERS', { characters: ['U+202E'] }],
  ['Another token with smart quotes is another token.', ['\u201cother=1\u201d'], 'TEXT_MISSING'],
])('%s', (_, texts, code, facts = {}) => {
  expect(judgeText({ texts, expected: TOKEN })).toMatchObject({ code, facts });
});

test('the fix for a spoilt token is the listed one', () => {
  expect(judgeText({ texts: [`\u201c${TOKEN}\u201d`], expected: TOKEN }).offer).toBeUndefined();
});

test('a DNS host that knows one string only cuts the rest', () => {
  expect(judgeText({ texts: [LONG.slice(0, 255)], expected: LONG })).toMatchObject({
    code: 'VALUE_CUT',
    facts: { before: 255, missing: 67, of: 322, strings: 2 },
  });
  expect(judgeText({ texts: [LONG.slice(0, 100)], expected: LONG }).code).toBe('TEXT_MISSING');
});

test('strings in the wrong order are the whole text all the same', () => {
  expect(judgeText({ texts: [LONG.slice(255) + LONG.slice(0, 255)], expected: LONG }).code).toBe('STRINGS_SWAPPED');
});
