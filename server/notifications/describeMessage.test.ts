import { expect, test } from 'vitest';
import type { MessageKind } from '#contract/notifications.ts';
import { textOf, titleOf, urlOf } from './describeMessage.ts';
import type { IncidentBody } from './storedMessages.ts';

const CONSOLE = 'https://sendroom.example/';

const FAULT: IncidentBody = {
  incident: '1',
  domain: { uuid: '2', name: 'acme.example' },
  subject: 'dmarc',
  kind: 'broken',
  code: 'DMARC_ABSENT',
  turn: 'owner',
  cause: null,
  severity: 'refuses',
  right_until: '2026-11-29T02:41:07.000Z',
  failed_at: '2026-11-29T02:51:12.345Z',
  opened_at: '2026-11-29T03:01:12.345Z',
  closed_at: null,
  diagnosis: 'There is no DMARC record at _dmarc.acme.example.',
  found: [],
  fix: {
    todo: 'Add this record.',
    type: 'TXT',
    host: '_dmarc',
    name: '_dmarc.acme.example',
    value: 'v=DMARC1; p=none',
    priority: null,
  },
  refused_by: ['Gmail', 'Yahoo and AOL', 'Outlook.com'],
};

const mail = (kind: MessageKind, body: object, incidents: IncidentBody[] = []) =>
  textOf({ kind, body: JSON.stringify(body) }, incidents, CONSOLE)
    .split('\n')
    .slice(0, -1);
const mailOf = (kind: MessageKind, ...incidents: IncidentBody[]) => mail(kind, incidents[0] ?? {}, incidents);

test('a fault says what broke, who refuses mail, between which looks, who must act, what to enter, and where to look', () => {
  expect(mailOf('incident_opened', FAULT)).toEqual([
    'acme.example: DMARC needs fixing.',
    '',
    'There is no DMARC record at _dmarc.acme.example.',
    'Because of it, mail is refused by Gmail, Yahoo and AOL, and Outlook.com.',
    '',
    'Began: between the checks at 2026-11-29 02:41 and 02:51 UTC',
    'Who must act: the owner of the domain, in its DNS records',
    'What to do: Add this record.',
    'Record: _dmarc.acme.example TXT v=DMARC1; p=none',
    'Code: DMARC_ABSENT',
    '',
    'https://sendroom.example/domains/acme.example',
  ]);
});

test('what has one cause names the cause and the others', () => {
  const cause = { ...FAULT, turn: 'dns_host' as const, cause: 'ns:ns1.host.example', fix: null, refused_by: [] };
  const other = { ...cause, domain: { uuid: '3', name: 'b.example' }, subject: 'CNAME k1._domainkey.b.example #2' };
  expect(mailOf('incident_opened', { ...cause, right_until: null, found: ['v=spf1'] }, other)).toEqual([
    'acme.example: DMARC needs fixing.',
    '',
    'There is no DMARC record at _dmarc.acme.example.',
    '',
    'Began: at the first check, 2026-11-29 02:51 UTC, or before',
    'Who must act: the DNS host',
    'Cause: the name server ns1.host.example',
    'Found: v=spf1',
    'Code: DMARC_ABSENT',
    '',
    '1 other has the same cause:',
    '- b.example: CNAME k1._domainkey #2',
    '',
    'https://sendroom.example/domains/acme.example',
  ]);
});

test('an end says how long it was wrong, and nothing that is to be done', () => {
  expect(mailOf('incident_closed', { ...FAULT, closed_at: '2026-11-29T03:14:00.000Z' })).toEqual([
    'acme.example: DMARC is OK again.',
    '',
    'Began: between the checks at 2026-11-29 02:41 and 02:51 UTC',
    'Ended: 2026-11-29 03:14 UTC',
    '',
    'https://sendroom.example/domains/acme.example',
  ]);
});

test('several of one check, or that ended together, are counted', () => {
  const other = { ...FAULT, subject: 'alignment' };
  const linesOf = (kind: MessageKind, body: IncidentBody, others: number) =>
    mailOf(kind, body, ...Array.from({ length: others }, () => other)).filter((line) => /others?\b/.test(line));
  expect(linesOf('incident_opened', FAULT, 2)).toEqual(['2 others were found by the same check:']);
  expect(linesOf('incident_opened', { ...FAULT, cause: 'ns:a' }, 2)).toEqual(['2 others have the same cause:']);
  expect(linesOf('incident_closed', FAULT, 1)).toEqual(['1 other told with it is OK again too:']);
});

test('one that keeps failing says when the next message comes', () => {
  expect(mailOf('incident_unstable', FAULT).slice(0, 5)).toEqual([
    'acme.example: DMARC keeps failing and recovering.',
    '',
    'There is no DMARC record at _dmarc.acme.example.',
    'Because of it, mail is refused by Gmail, Yahoo and AOL, and Outlook.com.',
    'It broke more than three times within a day. The next message comes after a day without a failure.',
  ]);
});

const WEEK = {
  from: '2026-11-16T08:00:00.000Z',
  to: '2026-11-23T08:00:00.000Z',
  domains: 43,
  checked: 43,
  open: 1,
  opened: 3,
  closed: 2,
  changes: 14,
};

test('other messages', () => {
  const when = 'From 2026-11-16 08:00 to 2026-11-23 08:00 UTC, 43 of 43 domains were checked. 1 fault is open now.';
  const domains = ['', 'https://sendroom.example/domains'];
  expect(mail('digest', WEEK)).toEqual([
    'Last week: 3 new faults, 2 fixed, 14 DNS changes.',
    '',
    when,
    'This comes on Mondays, unless nothing happened.',
    ...domains,
  ]);
  expect(mail('heartbeat', { ...WEEK, open: 0 })).toEqual([
    'Daily heartbeat: 43 domains checked, 0 faults open.',
    '',
    when.replace('1 fault is', '0 faults are'),
    'This comes every day. A day without it means that Sendroom, or mail from it, doesn’t work.',
    ...domains,
  ]);
  expect(mail('contact_unsubscribed', { contact: 'c1' })).toEqual([
    'Contact c1 unsubscribed.',
    '',
    'https://sendroom.example/contacts/c1',
  ]);
  expect(mail('contact_erased', { contact: 'c1' })).toEqual(['Contact c1 erased.']);
  expect(mail('test', { workspace: 'Acme', destination: 'On-call\u202e' })).toEqual([
    'This is a test message of the workspace Acme.',
    '',
    'It shows that messages for the destination “On-call[U+202E]” arrive here. There is nothing to do.',
  ]);
  expect(urlOf({ kind: 'digest', body: JSON.stringify(WEEK) }, [], null)).toBeNull();
});

test('nothing from the DNS makes a line, or hides', () => {
  const hostile = 'ns:x\n\nSign in again: https://evil.example/\u202e';
  const text = mailOf('incident_opened', { ...FAULT, cause: hostile, diagnosis: hostile, found: [hostile] });
  expect(text.filter((line) => line.startsWith('Sign in'))).toEqual([]);
  expect(text).toContain('Cause: the name server x[U+000A][U+000A]Sign in again: https://evil.example/[U+202E]');
  const body = JSON.stringify({ ...FAULT, subject: 'TXT a\r\nBcc: x' });
  expect(titleOf({ kind: 'incident_opened', body })).not.toMatch(/[\r\n]/);
});
