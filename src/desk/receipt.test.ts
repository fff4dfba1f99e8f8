import { expect, test } from 'vitest';
import { type DeskEntry, type UnsubscribeOutcome, countByStatus } from './entry.ts';
import { receiptCsv, receiptText } from './receipt.ts';

const AT = '2026-11-21T12:41:05.123Z';

const entry = (index: number, text: string, rest: Partial<DeskEntry> = {}): DeskEntry => ({
  index,
  line: index + 1,
  text,
  as: `the email ${text}`,
  values: [text],
  repeats: null,
  found: null,
  outcome: null,
  ...rest,
});
const outcome = (state: UnsubscribeOutcome['state'], why: string | null = null): UnsubscribeOutcome => ({
  state,
  uuid: state === 'missing' ? null : 'c-1',
  request_id: state === 'missing' ? null : 'r-1',
  why,
  at: AT,
});

const entries = [
  entry(0, 'jane@example.com', { outcome: outcome('unsubscribed') }),
  entry(1, 'bob@example.com', { outcome: outcome('already') }),
  entry(2, '=cmd()@example.com', { outcome: outcome('missing') }),
  entry(3, 'jane@example.com', { repeats: 1 }),
  entry(4, 'who, "me"?', { values: [], as: 'No identity was found here.' }),
  entry(5, 'eve@example.com', { outcome: outcome('failed', 'The service could not do this (503).') }),
  entry(6, 'late@example.com'),
];
const list = {
  source: 'list.csv',
  workspace: 'w',
  stage: 'ended' as const,
  began_at: AT,
  ended_at: AT,
  is_saved: false,
};

test('the file has a line for each entry, opens right in a spreadsheet, and holds no formula', () => {
  const lines = receiptCsv(entries).join('').split('\r\n');
  expect(lines).toEqual([
    '\uFEFFline,text,read as,result,contact,at (UTC),request id,why',
    `1,jane@example.com,the email jane@example.com,Unsubscribed,c-1,${AT},r-1,`,
    `2,bob@example.com,the email bob@example.com,Was already,c-1,${AT},r-1,`,
    `3,'=cmd()@example.com,the email =cmd()@example.com,Not found,,${AT},,`,
    '4,jane@example.com,the email jane@example.com,Duplicate,,,,names the same as line 1',
    '5,"who, ""me""?",,Unreadable,,,,No identity was found here.',
    `6,eve@example.com,the email eve@example.com,Failed,c-1,${AT},r-1,The service could not do this (503).`,
    '7,late@example.com,the email late@example.com,Not sent,,,,',
    '',
  ]);
});

test('the text for a ticket says who, what, when and under which request', () => {
  expect(receiptText(list, entries, countByStatus(entries), 'Acme'))
    .toBe(`Unsubscribed from Acme: 1 of 7 entries read from list.csv.
Between 2026-11-21 12:41:05 and 2026-11-21 12:41:05 (UTC).

Not sent: 1
Unsubscribed: 1
Was already: 1
Not found: 1
Failed: 1
Duplicate: 1
Unreadable: 1

jane@example.com: unsubscribed, 2026-11-21 12:41:05, request r-1
bob@example.com: was already, 2026-11-21 12:41:05, request r-1
=cmd()@example.com: not found, 2026-11-21 12:41:05
jane@example.com: duplicate
who, "me"?: unreadable
eve@example.com: failed, 2026-11-21 12:41:05, request r-1
late@example.com: not sent
`);
});

test('it is a line for each, whatever the list and the workspace hide', () => {
  const hiding = [entry(0, 'jane@example.com\u202e\nx')];
  const text = receiptText({ ...list, source: 'a\u200b\n.csv' }, hiding, countByStatus(hiding), 'Acme\u202e');
  expect(text).toMatch(/^Unsubscribed from Acme\[U\+202E\]: 0 of 1 entries read from a\[U\+200B\] \.csv\.\n/);
  expect(text).toMatch(/\n\njane@example\.com\[U\+202E\] x: not sent\n$/);
});

test('a long list is counted there, not named', () => {
  const many = Array.from({ length: 60 }, (_, index) => entry(index, `c${index}@example.com`));
  const text = receiptText(list, many, countByStatus(many), 'Acme');
  expect(text).toContain('Not sent: 60');
  expect(text).not.toContain('c0@example.com');
});
