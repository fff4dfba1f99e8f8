import { describe, expect, test } from 'vitest';
import { readSearch, searchTermOf, valuesToTry } from './readSearch.ts';

/** The first value of each person in a text; `words` and `fault` where there is none. */
function read(text: string, identityField: string | null | undefined = 'customer_id'): string[] | string {
  const reading = readSearch(text, identityField);
  if (reading.kind === 'people') return reading.people.map(({ identity }) => String(identity.values[0]));
  return reading.kind === 'person' ? [String(reading.identity.values[0])] : reading.kind;
}

test.each(['Grace', 'Grace Adeyemi', 'Łukasz', 'Acme Ltd', 'Unit', '@JaneDoe', '..', ''])(
  '%j are words of a name',
  (text) => {
    expect(read(text)).toBe('words');
  },
);

test.each([
  ['C-10001', ['C-10001']],
  ['Jane Roe <jane@x.test>', ['jane@x.test']],
  ['Hello, please remove jane@x.test soon', ['jane@x.test']],
  ['jane@x.test\nJANE@x.test', ['jane@x.test']],
  ['mailto:jane@x.test?cc=other@x.test', ['jane@x.test']],
  ['jane@exam', ['jane@exam']],
])('%j names one person', (text, people) => {
  expect(read(text)).toEqual(people);
});

test.each([
  ['a@x.test, b@x.test', ['a@x.test', 'b@x.test']],
  ['From: A <a@x.test>\nTo: b@x.test\nplease', ['a@x.test', 'b@x.test']],
  ['a@x.test or +44 20 7946 0958', ['a@x.test', '+44 20 7946 0958']],
  ['mailto:a@x.test,b@x.test', ['a@x.test', 'b@x.test']],
  ['C-1; C-2', ['C-1', 'C-2']],
])('%j names several people', (text, people) => {
  expect(read(text)).toEqual(people);
});

test('an ID is a word where the workspace has none of its own', () => {
  expect(read('C-10001', null)).toBe('words');
  expect(read('C-10001', undefined)).toEqual(['C-10001']);
});

test('two addresses without anything between them are not one', () => {
  expect(read('a@x.testb@x.test')).toBe('fault');
});

test('a text that would hold up the page is refused', () => {
  expect(read('x '.repeat(50_001))).toBe('fault');
  expect(read('a@x.test '.repeat(11_000))).toEqual(['a@x.test']);
});

function valuesOf(text: string) {
  const reading = readSearch(text, 'customer_id');
  return reading.kind === 'person' ? valuesToTry(reading.identity) : reading.kind;
}

describe('a custom identity', () => {
  test('is tried as it is before other cases and dashes', () => {
    expect(valuesOf('c-17')).toEqual(['c-17', 'C-17']);
    expect(valuesOf('Ab\u201117')).toEqual(['Ab\u201117', 'Ab-17', 'AB-17', 'ab-17']);
  });

  test('no other case is tried of what has none', () => {
    expect(valuesOf('10042')).toEqual(['10042']);
  });
});

test.each([
  ['Jane <JANE@x.test>', 'jane@x.test'],
  ['+44 (0)20 7946 0958', '+442079460958'],
  ['C-17', 'C-17'],
  ['7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d', ''],
])('a list is searched for %s as %j', (text, term) => {
  const reading = readSearch(text, 'customer_id');
  expect(reading.kind === 'person' && searchTermOf(reading.identity)).toBe(term);
});
