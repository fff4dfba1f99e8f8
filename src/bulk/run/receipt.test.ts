import { expect, test } from 'vitest';
import { entryAt } from '../../testing/testEntry.ts';
import type { BulkEntry, EndedList, UnsubscribeOutcome } from '../bulkState.ts';
import { receiptCsv, receiptText } from './receipt.ts';

const AT = '2026-11-21T12:41:05.123Z';
const LATER = '2026-11-21T12:50:00.000Z';

const entry = (index: number, text: string, rest: Partial<BulkEntry> = {}) =>
  entryAt(index, { text, as: `the email ${text}`, values: [text], ...rest });
const outcome = (state: UnsubscribeOutcome['state'], why: string | null = null): UnsubscribeOutcome => ({
  state,
  uuid: state === 'missing' ? null : 'c-1',
  request_id: state === 'missing' ? null : 'r-1',
  why,
  at: AT,
  wasLost: false,
});

const jane = { name: 'Jane Roe', email: 'jane@example.com', company: 'Acme, Inc.' };
const entries = [
  entry(0, 'jane@example.com', { person: jane, outcome: outcome('unsubscribed') }),
  entry(1, 'bob@example.com', { outcome: outcome('already') }),
  entry(2, '=cmd()@example.com', { outcome: outcome('missing') }),
  entry(3, 'jane@example.com', { repeats: 1 }),
  entry(4, 'who, "me"?', { values: [], as: 'No identity was found here.' }),
  entry(5, 'eve@example.com', { outcome: outcome('failed', 'The service could not do this (503).') }),
  entry(6, 'late@example.com'),
  entry(7, 'agent@acme.test', { isSelected: false, leftOut: 'One of your own addresses' }),
];
const list: EndedList = {
  source: 'list.csv',
  workspace: 'w',
  author: 'Sam Roe',
  run: '1f0c',
  stage: 'ended',
  began_at: AT,
  ended_at: AT,
  is_saved: false,
  undo: null,
};

const said = { reason: 'request', ticket: 'ZD 4711' } as const;

test('the file has a line for each entry, opens right in a spreadsheet, and holds no formula', () => {
  const lines = receiptCsv({ ...list, said }, entries, 'Acme')
    .join('')
    .split('\r\n');
  expect(lines).toEqual([
    '\uFEFFline,text,read as,result,name,email,company,contact,at (UTC),request id,why,workspace,run,started by,reason,ticket',
    `1,jane@example.com,the email jane@example.com,Unsubscribed,Jane Roe,jane@example.com,"Acme, Inc.",c-1,${AT},r-1,,Acme,1f0c,Sam Roe,Asked for it,ZD 4711`,
    `2,bob@example.com,the email bob@example.com,Already unsubscribed,,,,c-1,${AT},r-1,,Acme,1f0c,Sam Roe,Asked for it,ZD 4711`,
    `3,'=cmd()@example.com,the email =cmd()@example.com,Not found,,,,,${AT},,,Acme,1f0c,Sam Roe,Asked for it,ZD 4711`,
    '4,jane@example.com,the email jane@example.com,Duplicate,,,,,,,same contact as line 1,Acme,1f0c,Sam Roe,Asked for it,ZD 4711',
    '5,"who, ""me""?",,Unreadable,,,,,,,No identity was found here.,Acme,1f0c,Sam Roe,Asked for it,ZD 4711',
    `6,eve@example.com,the email eve@example.com,Failed,,,,c-1,${AT},r-1,The service could not do this (503).,Acme,1f0c,Sam Roe,Asked for it,ZD 4711`,
    '7,late@example.com,the email late@example.com,Not sent,,,,,,,,Acme,1f0c,Sam Roe,Asked for it,ZD 4711',
    '8,agent@acme.test,the email agent@acme.test,Left out,,,,,,,One of your own addresses,Acme,1f0c,Sam Roe,Asked for it,ZD 4711',
    '',
  ]);
});

test('the text for a ticket says by whom, why, in which ticket and under which name in the log', () => {
  expect(receiptText({ ...list, said: { ...said, ticket: 'ZD\n4711' } }, entries, 'Acme')).toContain(
    '(UTC), started by "Sam Roe", run 1f0c.\nReason: Asked for it, ticket ZD 4711.\n',
  );
  const unknown = { ...list, author: null, run: undefined };
  expect(receiptText(unknown, entries, 'Acme')).toContain('(UTC).\n\n');
});

test('the text for a ticket says who, what, when and under which request', () => {
  expect(receiptText(list, entries, 'Acme')).toBe(`Unsubscribed from Acme: 1 of 8 entries read from list.csv.
Between 2026-11-21 12:41:05 and 2026-11-21 12:41:05 (UTC), started by "Sam Roe", run 1f0c.

Unsubscribed: 1
Already unsubscribed: 1
Not found: 1
Duplicate: 1
Unreadable: 1
Failed: 1
Not sent: 1
Left out: 1

jane@example.com (Jane Roe): unsubscribed, 2026-11-21 12:41:05, request r-1
bob@example.com: already unsubscribed, 2026-11-21 12:41:05, request r-1
=cmd()@example.com: not found, 2026-11-21 12:41:05
jane@example.com: duplicate
who, "me"?: unreadable
eve@example.com: failed, 2026-11-21 12:41:05, request r-1
late@example.com: not sent
agent@acme.test: left out
`);
});

test('after an undo, the file has what the run did and what the undo did', () => {
  const undone: EndedList = {
    ...list,
    undo: { reason: 'Wrong list', author: 'Kim', began_at: LATER, ended_at: LATER },
  };
  const rows = [
    entry(0, 'jane@example.com', {
      outcome: outcome('unsubscribed'),
      undo: { state: 'resubscribed', request_id: 'r-2', why: null, at: LATER },
    }),
    entry(1, 'bob@example.com', {
      outcome: outcome('unsubscribed'),
      undo: { state: 'changed', request_id: null, why: 'Changed again.', at: LATER },
    }),
    entry(2, 'eve@example.com', { outcome: outcome('already') }),
  ];
  const [head, first, second, third] = receiptCsv(undone, rows, 'Acme').join('').split('\r\n');
  expect(head).toMatch(/,ticket,undo,undone at \(UTC\),undo request id,undo why$/);
  expect(first).toBe(
    `1,jane@example.com,the email jane@example.com,Unsubscribed,,,,c-1,${AT},r-1,,Acme,1f0c,Sam Roe,,,Subscribed again,${LATER},r-2,`,
  );
  expect(second).toMatch(/,Unsubscribed,.*,Changed since,2026-11-21T12:50:00\.000Z,,Changed again\.$/);
  expect(third).toMatch(/,Already unsubscribed,.*,r-1,,Acme,1f0c,Sam Roe,,,,,,$/);
  const text = receiptText(undone, rows, 'Acme');
  expect(text).toContain('Unsubscribed from Acme: 2 of 3');
  expect(text).toContain(
    'Undone between 2026-11-21 12:50:00 and 2026-11-21 12:50:00 (UTC), by "Kim". Reason: Wrong list\n',
  );
  expect(text).toContain('jane@example.com: subscribed again, 2026-11-21 12:50:00, request r-2\n');
});

test('a run that a colleague undid says what it did, who undid it, and which entries the service does not list', () => {
  const kept = { entries: 8, missing: 1, duplicate: 1, erased: 0 };
  const rows = [
    entry(0, 'jane@example.com', {
      outcome: outcome('unsubscribed'),
      undo: { state: 'already', request_id: 'r-2', why: null, at: LATER },
    }),
    entry(1, 'bob@example.com', { outcome: { ...outcome('already'), at: '', request_id: null } }),
  ];
  expect(receiptText({ ...list, source: null, kept }, rows, 'Acme')).toBe(`Unsubscribed from Acme: 1 of 8 entries read.
Between 2026-11-21 12:41:05 and 2026-11-21 12:41:05 (UTC), started by "Sam Roe", run 1f0c.
1 subscribed again by another undo between 2026-11-21 12:50:00 and 2026-11-21 12:50:00 (UTC).

Not found: 1
Duplicate: 1
Already subscribed again: 1
Already unsubscribed: 1

jane@example.com: already subscribed again, 2026-11-21 12:50:00, request r-2
bob@example.com: already unsubscribed
`);
  const lines = receiptCsv({ ...list, kept }, rows, 'Acme')
    .join('')
    .split('\r\n');
  expect(lines.slice(3)).toEqual([
    ',1 of the list,,Not found,,,,,,,The service keeps only how many,Acme,1f0c,Sam Roe,,',
    ',1 of the list,,Duplicate,,,,,,,The service keeps only how many,Acme,1f0c,Sam Roe,,',
    '',
  ]);
  expect(receiptText(list, rows, 'Acme', false)).toContain('\nCouldn’t check whether others have undone it since.\n');
});

test('it is a line for each, whatever the list and the workspace hide', () => {
  const hiding = [entry(0, 'jane@example.com\u202e\nx')];
  const text = receiptText({ ...list, source: 'a\u200b\n.csv' }, hiding, 'Acme\u202e');
  expect(text).toMatch(/^Unsubscribed from Acme\[U\+202E\]: 0 of 1 entries read from a\[U\+200B\] \.csv\.\n/);
  expect(text).toMatch(/\n\njane@example\.com\[U\+202E\] x: not sent\n$/);
});
