import { describe, expect, test } from 'vitest';
import type { ReadableChange } from '#contract/change.ts';
import type { ReadableContact } from '#contract/contact.ts';
import { longDateTime } from '../../ui/format/sentenceTime.ts';
import { localZone } from '../../ui/format/time.ts';
import { describeProof, describeToCustomer } from './proof.ts';

const grace: ReadableContact = {
  uuid: '439b0000-0000-4000-8000-000000000001',
  subscribed: false,
  attributes: { email: 'grace@example.com', first_name: 'Grace' },
  provider: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-11-21T12:41:05.678Z',
};
const change: ReadableChange = {
  uuid: 'c',
  action: 'unsubscribe',
  created_at: '2026-11-21T12:41:05.678Z',
  actor: { kind: 'token', uuid: 't', name: 'support', email: null },
  request_id: '1f0c',
  run: null,
  reason: null,
  suppression: null,
  changes: [{ field: 'subscribed', before: true, after: false }],
};
const IMPORT = {
  action: 'import',
  actor: { kind: 'command', uuid: null, name: null, email: null },
  request_id: null,
};
const FROM_ELSEWHERE = { reason: 'bounce', ticket: null, origin: 'import', since: '2024-05-03T08:30:00.000Z' };
const known = {
  contact: grace,
  readAt: Date.UTC(2026, 10, 21, 12, 43, 10),
  workspace: 'Acme Mail',
  change,
  hasLog: true,
  answered: null,
};
const WHO = 'grace@example.com (contact 439b0000-0000-4000-8000-000000000001)';

const SINCE = `${WHO} has been unsubscribed from Acme Mail since 2026-11-21 12:41:05 UTC`;

test.each([
  ['by whom, in which request, and when that was checked', {}, 'by "support", request 1f0c'],
  ['by an import, which has neither token nor request', IMPORT, 'by an import'],
])('says who, from where, since when, %s', (_, more, by) => {
  const words = describeProof({ ...known, change: { ...change, ...more } });
  expect(words).toBe(`${SINCE}, ${by}. Checked 2026-11-21 12:43:10 UTC.`);
});

/** For the ticket, and for the customer. */
const proofsSince = (more: object, since: string) => {
  const of = { ...change, ...more, suppression: { ...FROM_ELSEWHERE, since } };
  return [describeProof({ ...known, change: of }), describeToCustomer({ ...known, change: of, sender: null })];
};

const proofsOf = (emailThen: string | null) => {
  const facts = { ...known, change: { ...change, emailThen } };
  return [describeProof(facts), describeToCustomer({ ...facts, sender: null })];
};

describe('where the email was changed since', () => {
  test('the proof names the one it was then', () => {
    expect(proofsOf('old@example.com')[0]).toBe(
      `${SINCE}, as old@example.com, by "support", request 1f0c. Checked 2026-11-21 12:43:10 UTC.`,
    );
    expect(proofsOf(null)[0]).toContain(`${SINCE}, then without an email, by "support"`);
    expect(proofsOf('grace@example.com')[0]).toContain(`${SINCE}, by "support"`);
  });

  test('the customer is told what is so now', () => {
    expect(proofsOf('old@example.com')[1]).toMatch(/^grace@example\.com is unsubscribed from our mail, as of /);
    expect(proofsOf('grace@example.com')[1]).toContain('has been unsubscribed from our mail since');
  });
});

describe('where an import unsubscribed somebody, says the day that its file said, and when it was imported:', () => {
  const added = { ...IMPORT, action: 'create', changes: [] };
  const imported = ', by an import at 2026-11-21 12:41:05 UTC. Reason: Mail bounced. ';

  test.each([
    ['added by it', added],
    ['subscribed before', IMPORT],
  ])('%s', (_, more) => {
    const [proof, letter] = proofsSince(more, '2024-05-03T00:00:00.000Z');
    expect(proof).toContain(`from Acme Mail since 2024-05-03${imported}`);
    expect(letter).toContain('from our mail since 3 May 2024. You');
  });

  test('with its time, if the file said one', () => {
    const [proof, letter] = proofsSince(added, '2024-05-03T08:30:00.000Z');
    expect(proof).toContain(`from Acme Mail since 2024-05-03 08:30:00 UTC${imported}`);
    expect(letter).toContain(`since ${longDateTime(new Date(Date.UTC(2024, 4, 3, 8, 30)))} (${localZone} time).`);
  });

  test('not one after the import', () => {
    const [proof, letter] = proofsSince(added, '2027-05-03T00:00:00.000Z');
    expect(proof).toContain('since 2026-11-21 12:41:05 UTC, by an import. Reason: Mail bounced. ');
    expect(letter).not.toContain('2027');
  });

  test('which import that was, and whose', () => {
    const person = { kind: 'person', uuid: 'p', name: 'Ann', email: null };
    const [ofCommand] = proofsSince({ ...added, run: '9b1f' }, '2024-05-03T00:00:00.000Z');
    expect(ofCommand).toContain(', by an import at 2026-11-21 12:41:05 UTC, run 9b1f. Reason: Mail bounced. ');
    const [proof, letter] = proofsSince({ ...added, run: '9b1f', actor: person }, '2024-05-03T00:00:00.000Z');
    expect(proof).toContain(', by an import of "Ann" at 2026-11-21 12:41:05 UTC, run 9b1f. ');
    expect(letter).not.toMatch(/9b1f|Ann/);
  });

  test('whose time of import is unknown', () => {
    const [proof] = proofsSince({ ...added, created_at: null }, '2024-05-03T00:00:00.000Z');
    expect(proof).toContain('since 2024-05-03, by an import. Reason: Mail bounced. ');
  });
});

test.each([
  [
    { reason: 'complaint', ticket: 'ZD-4711', origin: 'support' },
    null,
    ' Reason: Marked mail as spam, ticket ZD-4711.',
  ],
  [{ reason: null, ticket: 'ZD-4711', origin: 'support' }, null, ' Reason: ticket ZD-4711.'],
  [{ reason: null, ticket: null, origin: 'program' }, null, ''],
  [{ reason: 'constructor', ticket: null, origin: null }, null, ' Reason: constructor.'],
  [{ reason: 'request', ticket: null, origin: null }, 'By phone.', ' Reason: Asked for it; By phone.'],
])('says why, if anybody said: %j, %s', (suppression, reason, why) => {
  const words = describeProof({ ...known, change: { ...change, suppression, reason } });
  expect(words).toBe(`${SINCE}, by "support", request 1f0c.${why} Checked 2026-11-21 12:43:10 UTC.`);
});

test.each([
  [
    'nothing was checked before it was done',
    { readAt: Date.UTC(2026, 10, 21, 12, 41, 4) },
    /Checked 2026-11-21 12:41:05 UTC\.$/,
  ],
  ['a time cannot be read', { change: { ...change, created_at: 'yesterday' } }, / since yesterday, /],
  [
    'a phone number',
    { contact: { ...grace, attributes: { phone: '+44 20' } } },
    /^\+44 20 \(contact 439b.*\) has been /,
  ],
  ['nobody with an address', { contact: { ...grace, attributes: null } }, /^The contact 439b.* has been unsubscribed/],
])('of what is odd, says what is known: %s', (_, more, words) => {
  expect(describeProof({ ...known, ...more })).toMatch(words);
});

describe('without a change in the log, says only what is known:', () => {
  const rest = 'is unsubscribed from Acme Mail, confirmed by the service at 2026-11-21 12:43:10 UTC.';
  const changed = 'The record last changed at 2026-11-21 12:41:05 UTC.';

  test.each([
    ['somebody who was imported so', null, 'doesn’t say since when'],
    ['a log that cannot be read', undefined, 'couldn’t be read'],
  ])('%s', (_, nothing, why) => {
    expect(describeProof({ ...known, change: nothing })).toBe(`${WHO} ${rest} ${changed} The change log ${why}.`);
  });

  test('somebody who was subscribed last, and unsubscribed by what the log does not have', () => {
    const changes = [{ field: 'subscribed', before: false, after: true }];
    expect(describeProof({ ...known, change: { ...change, action: 'subscribe', changes } })).toBe(
      `${WHO} ${rest} ${changed}`,
    );
  });

  test('a bare interface, which tells neither workspace nor times', () => {
    const contact = { ...grace, updated_at: null };
    const answered = { requestId: 'r-1', isRepeat: false };
    const bare = { ...known, contact, workspace: null, change: null, hasLog: false, answered };
    expect(describeProof(bare)).toBe(
      `${WHO} is unsubscribed, confirmed by the service at 2026-11-21 12:43:10 UTC. The unsubscribe was confirmed as request r-1.`,
    );
    expect(describeProof({ ...bare, answered: { requestId: 'r-2', isRepeat: true } })).toBe(
      `${WHO} is unsubscribed, confirmed by the service at 2026-11-21 12:43:10 UTC. The request was retried after a lost response. The last attempt was confirmed as request r-2; an earlier one may have taken effect.`,
    );
  });
});

test('stays one line that reads in one direction, and says what names hide', () => {
  const hostile = { ...change, actor: { kind: 'token', uuid: 't', name: 'a\nb\u202Egnp', email: null } };
  const sentence = describeProof({ ...known, workspace: 'Acme\r\n\u0000Mail', change: hostile });
  expect(sentence).not.toMatch(/[\p{C}\n\r]/u);
  expect(sentence).toContain('from Acme [U+0000]Mail since');
  expect(sentence).toContain('by "a b[U+202E]gnp"');
});

describe('the customer is told in plain words', () => {
  const { readAt } = known;
  const facts = { contact: grace, readAt, change, sender: 'Acme Mail' };
  const since = `${longDateTime(new Date(Date.UTC(2026, 10, 21, 12, 41, 5)))} (${localZone} time)`;
  const checked = `${longDateTime(new Date(readAt))} (${localZone} time)`;
  const END = 'You will no longer receive mail from us.';

  test('since when, in their date, and none of our identifiers', () => {
    const words = describeToCustomer(facts);
    expect(words).toBe(`grace@example.com has been unsubscribed from Acme Mail since ${since}. ${END}`);
    expect(since).toMatch(/2026/);
    expect(words).not.toMatch(/439b|1f0c|support|UTC\)|:05/);
  });

  test('what was checked, where no change is known or its time cannot be read', () => {
    const words = `grace@example.com is unsubscribed from our mail, as of ${checked}. ${END}`;
    for (const unknown of [null, undefined, { ...change, created_at: 'yesterday' }, { ...change, changes: [] }])
      expect(describeToCustomer({ ...facts, sender: null, change: unknown })).toBe(words);
  });

  test('as "you", where there is no address', () => {
    expect(describeToCustomer({ ...facts, contact: { ...grace, attributes: null } })).toBe(
      `You have been unsubscribed from Acme Mail since ${since}. ${END}`,
    );
  });
});
