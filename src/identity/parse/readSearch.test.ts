import { expect, test } from 'vitest';
import { readSearch, searchTermsOf, valuesToTry, searchWordsOf } from './readSearch.ts';

/** The first value of each person in a text; `words` and `fault` where there is none. */
function read(text: string, identityField: string | null | undefined = 'customer_id'): string[] | string {
  const reading = readSearch(text, identityField);
  if (reading.kind === 'people') return reading.people.map(({ identity }) => String(identity.values[0]));
  return reading.kind === 'person' ? [String(reading.identity.values[0])] : reading.kind;
}

const IN_WORDS = ['Grace', 'Grace Adeyemi', 'Łukasz', 'Acme Ltd', 'Unit', '@JaneDoe', '..', ''];
test.each(IN_WORDS)('%j are words of a name', (text) => expect(read(text)).toBe('words'));

test.each([
  ['C-10001', ['C-10001']],
  ['Jane Roe <jane@x.test>', ['jane@x.test']],
  ['Hello, please remove jane@x.test soon', ['jane@x.test']],
  ['jane@x.test\nJANE@x.test', ['jane@x.test']],
  ['mailto:jane@x.test?cc=other@x.test', ['jane@x.test']],
  ['jane@exam', ['jane@exam']],
  ['customer no. C-11554', ['C-11554']],
  ['Customer ID: C-11554', ['C-11554']],
  ['customer_id=C-11554', ['C-11554']],
  ['ID 10042', ['10042']],
  ['a@x.test, b@x.test', ['a@x.test', 'b@x.test']],
  ['From: A <a@x.test>\nTo: b@x.test\nplease', ['a@x.test', 'b@x.test']],
  ['a@x.test or +44 20 7946 0958', ['a@x.test', '+44 20 7946 0958']],
  ['mailto:a@x.test,b@x.test', ['a@x.test', 'b@x.test']],
  ['C-1; C-2', ['C-1', 'C-2']],
])('%j names %j', (text, people) => {
  expect(read(text)).toEqual(people);
});

test.each([
  ['Customer ID: C-11554\nCalled from: +49 30 1001515', ['C-11554', '+49 30 1001515']],
  ['Customer ID: C-11554; Called from: +49 30 1001515', ['+49 30 1001515', 'C-11554']],
  ['C-11554 / +49301001515', ['+49301001515', 'C-11554']],
  ['caller from 0049 30 1001515 asks about C-11554', ['0049 30 1001515', 'C-11554']],
  ['Customer no. 11554 called from +49 30 1001515', ['+49 30 1001515', '11554']],
  ['jane@x.test (ab\u20131234)', ['jane@x.test', 'ab\u20131234']],
  ['C-11554 C-11516', ['C-11554', 'C-11516']],
])('%j names somebody by an ID too', (text, people) => {
  expect(read(text)).toEqual(people);
});

test.each([
  '+49 30 1001515 on 2026-01-01 at 10:30',
  '+49 30 1001515 since 12-Jan-2026, Nov2025, 2026-01-01T10:00:00Z',
  '+49 30 1001515 paid EUR500, 500EUR, €500 and 1200usd',
  '+49 30 1001515 has 1080p, 250ml and the 100th, in A4 and Q3',
  '+49 30 1001515, see https://x.test/T-12345?ref=AB1234',
  '+49 30 1001515 我的号码是12345',
  '+49 30 1001515 ext1234',
])('%j names one person: dates, prices and quantities are no IDs', (text) => {
  expect(read(text)).toEqual(['+49 30 1001515']);
});

test.each([
  ['please stop texting me on 030 1234567, thanks', ['030 1234567']],
  ['Remove my number, Tel. (0)30 / 123 45 67. Thanks', ['(0)30 / 123 45 67']],
  ['ring 030/1234567 then', ['030/1234567']],
  ['take (415) 555-0132 off', ['(415) 555-0132']],
  ['or phone 7946 0123 first', ['7946 0123']],
  ['0171 5550123 belongs to Ida Roe', ['0171 5550123']],
  ['call 0171 5550123 / 020 7946 0123 please', ['0171 5550123', '020 7946 0123']],
  ['jane@x.test, who calls from 030 1234567', ['jane@x.test', '030 1234567']],
  ['+49 30 1001515 and 030 1234567 are mine', ['+49 30 1001515', '030 1234567']],
  ['C-11554 wrote from 030 1234567', ['030 1234567', 'C-11554']],
  ['Hello,\nmy number is 030 1234567\nIda', ['030 1234567']],
])('%j names %j, by a phone number without country code', (text, people) => {
  expect(read(text)).toEqual(people);
});

test.each([
  ['please text 12345678 back', ['12345678']],
  ['or 555-0123 in town', ['555-0123']],
  ['Customer no. 0123456789 wrote', ['0123456789']],
  ['order 0123456789 of 2026-01-01, invoice no. 12345678, 12345678 EUR, 192.168.10.20', []],
])('%j has %j as a guess: these may be other numbers', (text, guesses) => {
  expect(guessesIn(text, 'customer_id')).toEqual(guesses);
});

test('what may be a part of a number is no guess', () => {
  expect(guessesIn('write to +49 30 1001515 • 171 555 0123 soon', 'customer_id')).toEqual([]);
});

function guessesIn(text: string, field: string | null): string[] | string {
  const reading = readSearch(text, field);
  return reading.kind === 'words' ? reading.guesses.map((guess) => guess.text) : reading.kind;
}

test('an ID in a sentence is a guess, and none where the workspace has no IDs', () => {
  expect(guessesIn('please call C-11554 and Web3000 GmbH back', 'customer_id')).toEqual(['C-11554', 'Web3000']);
  expect(guessesIn('please call C-11554 back', null)).toEqual([]);
});

test.each([
  ['Quinn, Greta', 'Quinn  Greta'],
  ['Quinn,Greta', 'Quinn Greta'],
  ['"Foo, Inc.", Greta', '"Foo, Inc."  Greta'],
  ['"Foo, Inc', '"Foo, Inc'],
  [',', ''],
])('a list is searched for %j as %j', (text, words) => {
  expect(searchWordsOf(text)).toBe(words);
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

test.each([
  ['c-17', ['c-17', 'C-17']],
  ['Ab\u201117', ['Ab\u201117', 'Ab-17', 'AB-17', 'ab-17']],
  ['10042', ['10042']],
])('the ID %s is tried as it is before other cases and dashes', (text, values) => {
  expect(valuesOf(text)).toEqual(values);
});

test.each([
  ['Jane <JANE@x.test>', ['jane@x.test']],
  ['+44 (0)20 7946 0958', ['"+44 (0)20 7946 0958"', '+442079460958']],
  ['+442079460958', ['+442079460958']],
  ['C-17', ['C-17']],
  ['030/100 15 53', ['"30/100 15 53"', '301001553']],
  ['9018-2233', ['9018-2233', '90182233']],
  ['Tel.: 030 9018-2233', ['"30 9018-2233"', '3090182233']],
  ['7b0f3c1e-0f6a-4f0e-9c1d-2a8f4f1e6b5d', ['']],
])('a list is searched for %s as %j', (text, terms) => {
  const reading = readSearch(text, 'customer_id');
  expect(reading.kind === 'person' && searchTermsOf(reading.identity)).toEqual(terms);
});

test.each(['+1 415 555 0132 x204', 'Tel.: +1 415 555 0132 x204'])(
  'a number with an extension is tried as a service may store it, and is one person: %s',
  (text) => {
    const values = ['+1 415 555 0132', '+14155550132', '+1 415 555 0132 x204'];
    expect(readSearch(text, 'customer_id')).toMatchObject({ kind: 'person', identity: { kind: 'phone', values } });
  },
);
