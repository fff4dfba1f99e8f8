import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../testing/testText.ts';
import { closestTo, diffValues, normalizeValue, type DiffPart } from './valueDiff.ts';

const text = (parts: DiffPart[]) => parts.map((part) => part.text).join('');
/** Differing parts in brackets. */
const marked = (parts: DiffPart[]) => parts.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('');

function shown(type: string, expected: string, found: string): [string, string] {
  const diff = diffValues(type, expected, found);
  return [marked(diff.expected), marked(diff.found)];
}

describe('differing characters', () => {
  test.each([
    ['CNAME', 'k1.dkim.y.test', 'k1.dkim.y.test', 'k1.dkim.y.test', 'k1.dkim.y.test'],
    // Names are the same in any letter case, with and without a final dot.
    ['CNAME', 'K1.dkim.Y.test.', 'k1.DKIM.y.test', 'K1.dkim.Y.test.', 'k1.DKIM.y.test'],
    ['MX', '10 mx.y.test', '10 MX.y.test.', '10 mx.y.test', '10 MX.y.test.'],
    ['NS', 'ns.y.test', 'ns.y.test..', 'ns.y.test', 'ns.y.test[.].'],
    ['AAAA', '2001:db8::A', '2001:db8::a', '2001:db8::A', '2001:db8::a'],
    // Texts are not.
    ['TXT', 'v=spf1 -all', 'V=spf1 -all.', '[v]=spf1 -all', '[V]=spf1 -all[.]'],
    ['CNAME', 'k1.y.test', 'old.k1.y.test', 'k1.y.test', '[old.]k1.y.test'],
    ['CNAME', 'k1.y.test', 'k1.y.test.x.test', 'k1.y.test', 'k1.y.test[.x.test]'],
    ['MX', '10 mx.y.test', '20 mx.y.test', '[1]0 mx.y.test', '[2]0 mx.y.test'],
    ['TXT', 'v=spf1 include:a.test ~all', 'v=spf1 ~all', 'v=spf1 [include:a.test ]~all', 'v=spf1 ~all'],
    ['TXT', 'abc', '"abc"', 'abc', '["]abc["]'],
    ['TXT', 'one two three', 'one TWO three', 'one [two] three', 'one [TWO] three'],
    // Two differences, and what is equal between them.
    ['TXT', 'a=1; keep=yes; b=2', 'a=9; keep=yes; b=8', 'a=[1]; keep=yes; b=[2]', 'a=[9]; keep=yes; b=[8]'],
    // One or two letters that happen to be equal are not useful.
    ['CNAME', 'abcdef', 'xbydzf', '[abcde]f', '[xbydz]f'],
    ['TXT', '', 'a', '', '[a]'],
    ['TXT', 'a', '', '[a]', ''],
    ['TXT', 'p=😀', 'p=😁', 'p=[😀]', 'p=[😁]'],
  ])('%s %j and %j', (type, expected, found, inExpected, inFound) => {
    expect(shown(type, expected, found)).toEqual([inExpected, inFound]);
  });

  test('the parts are the values again, and are equal where they do not differ', () => {
    fc.assert(
      fc.property(fc.constantFrom('TXT', 'CNAME', 'MX'), anyText, anyText, (type, expected, found) => {
        const diff = diffValues(type, expected, found);
        const equal = (parts: DiffPart[]) => normalizeValue(type, text(parts.filter(({ differs }) => !differs)));
        expect(text(diff.expected)).toBe(expected);
        expect(text(diff.found)).toBe(found);
        expect(equal(diff.expected)).toBe(equal(diff.found));
      }),
    );
  });
});

describe('the closest of several values', () => {
  test.each<[string[], number]>([
    [[], -1],
    [['mx.other.test'], 0],
    [['10 mail.other.test', '20 mx.y.test', '10 aspmx.elsewhere.test'], 1],
    [['20 mx.y.test', '10 MX.y.test.'], 1],
  ])('%j is number %d', (values, place) => {
    expect(closestTo('MX', '10 mx.y.test', values)).toBe(place);
  });
});
