import { expect, test } from 'vitest';
import { findIdentities } from './findIdentities.ts';
import { readSearch } from './readSearch.ts';

// An address is taken whole, or not at all: a part of it may be the address of somebody else.

/** All values that would be looked up, of all that was found in a line. */
const valuesIn = (line: string) =>
  findIdentities(line, 'customer_id', false).flatMap(({ reading }) => (reading.ok ? reading.values : []));

test.each([
  ['o’brien@dublin.example', 'o’brien@dublin.example'],
  ['Siobhán O’Brien ‹o’brien@dublin.example>', 'o’brien@dublin.example'],
  ['please remove oʼbrien@dublin.example, thanks', 'oʼbrien@dublin.example'],
  ['o‘brien@dublin.example', 'o‘brien@dublin.example'],
  ['o´brien@dublin.example', 'o´brien@dublin.example'],
  ['o&#8217;brien@dublin.example', 'o’brien@dublin.example'],
  ['https://console.example/contacts/o%E2%80%99brien%40dublin.example', 'o’brien@dublin.example'],
  ['https://shop.example/u?email=o%E2%80%99brien%40dublin.example&x=1', 'o’brien@dublin.example'],
])('%s is tried as it is written, then with a plain apostrophe', (line, written) => {
  expect(valuesIn(line).slice(0, 2)).toEqual([written, "o'brien@dublin.example"]);
  expect(valuesIn(line).some((value) => value.startsWith('brien'))).toBe(false);
  expect(findIdentities(line, null, false)).toMatchObject([
    { reading: { as: `the email ${written}; will also try o'brien@dublin.example` } },
  ]);
  expect(readSearch(line, 'customer_id')).toMatchObject({
    kind: 'person',
    identity: { values: expect.arrayContaining([written, "o'brien@dublin.example"]) as string[] },
  });
});

test.each([
  ['ольга.ivanova@rus.example', 'ольга.ivanova@rus.example'],
  ['Пишите ольга.ivanova@rus.example сегодня же', 'ольга.ivanova@rus.example'],
  ['Ольга <ольга@пример.рф>, спасибо вам', 'ольга@пример.рф'],
  ['mail to anna–maria@x.test, please', 'anna–maria@x.test'],
  ['mail to jane@mail.my–shop.example, please', 'jane@mail.my–shop.example'],
  [String.raw`{"to":"o\'brien@x.test","n":1}`, "o'brien@x.test"],
  ["Please remove o&#39;brien@x.test or I'll sue", "o'brien@x.test"],
])('in %j the whole address is found', (line, address) => {
  expect(valuesIn(line)[0]).toBe(address);
});

test.each([
  ['brien@dublin.example', 'x o\ufffdbrien@dublin.example and more words of it'],
  ['brien@dublin.example', 'x o\u0092brien@dublin.example and more words of it'],
  ['jane@x.test', String.raw`see SHOP\jane@x.test and more words`],
  [`${'a'.repeat(59)}.jane@x.test`, `see ${'a'.repeat(70)}.jane@x.test and more words`],
  ['jane@shop.co', 'see jane@shop.co-op and more words of it'],
  ['jane@shop.co', 'see jane@shop.co1 and more words of it'],
  ['jane@x.testbob', 'see jane@x.testbob@x.test and more words of it'],
  ['bob@x.test', 'see jane@x.testbob@x.test and more words of it'],
])('%s is not found in %j', (part, line) => {
  for (const text of [line, `${line} ${'.'.repeat(120)}`]) expect(valuesIn(text)).not.toContain(part);
});

test.each(['jane@x.test/bob@x.test', '+49 30 1234567/jane@x.test and bob@x.test', "'jane@x.test','bob@x.test'"])(
  'both addresses are found in %s',
  (line) => {
    expect(valuesIn(line)).toEqual(expect.arrayContaining(['jane@x.test', 'bob@x.test']));
  },
);

test('words without a blank before an address may be of it: both readings are offered', () => {
  const line = '请退订jane@example.com谢谢';
  expect(findIdentities(line, null, false)).toMatchObject([
    { text: '请退订jane@example.com', isDoubtful: true },
    { text: 'jane@example.com', isDoubtful: true },
  ]);
  expect(readSearch(line, null)).toMatchObject({ kind: 'people', people: [{ isGuess: false }, { isGuess: false }] });
});

test('a long row of signs takes linear time', () => {
  for (const piece of ['a', 'a@', '@', "'", '.a', 'a.a@', '谢', 'ü@ü.', '+49 30 1234567/', '&#39;', '’']) {
    const line = piece.repeat(Math.floor(190_000 / piece.length));
    expect(findIdentities(line, 'customer_id', false).length).toBeGreaterThan(0);
  }
});
