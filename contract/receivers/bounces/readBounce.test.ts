import { expect, test } from 'vitest';
import { CORPUS } from './corpus.ts';
import { MAIL_SYSTEMS } from './mailSystems.ts';
import { readBounce } from './readBounce.ts';
import {
  APPLE_TEXTS,
  GATEWAYS,
  GMAIL,
  MICROSOFT,
  NAMED,
  SERVERS,
  SEVERAL,
  UNITED_INTERNET,
  YAHOO_TEXTS,
} from './testBounces.ts';

const read = (text: string) =>
  readBounce(text).bounces.map(({ system, reason }) => `${system?.id ?? '-'} ${reason ?? '?'}`);

const EXAMPLES = [
  ...GMAIL,
  ...YAHOO_TEXTS,
  ...MICROSOFT,
  ...APPLE_TEXTS,
  ...UNITED_INTERNET,
  ...NAMED,
  ...GATEWAYS,
  ...SERVERS,
];

test.each(EXAMPLES)('%s: %s', (expected, text) => {
  expect(read(text)).toEqual([expected]);
});

test.each(SEVERAL)('%j in one paste', (expected, text) => {
  expect(read(text)).toEqual(expected);
});

test('a bounce has the rule with its day and page, the records to blame, and two sentences', () => {
  const [bounce] = readBounce('550 5.7.40 Your message was blocked because … DMARC record. - gsmtp').bounces;
  expect(bounce).toMatchObject({
    code: '550',
    enhanced: '5.7.40',
    isPermanent: true,
    system: { id: 'gmail', name: 'Gmail' },
    reason: 'dmarc_missing',
    source: { url: 'https://support.google.com/a/answer/3726730', asOf: '2026-06-18' },
    rules: [{ id: 'gmail.dmarc', since: '2024-02-01' }],
    blames: ['dmarc'],
    sentences: {
      customer: 'Gmail refused the message because the sending domain has no DMARC record, or one without a policy.',
      dns: 'Publish one DMARC record with a policy, at least "v=DMARC1; p=none".',
    },
  });
});

test('the text of a bounce ends before the next field of the report', () => {
  const report =
    'Status: 5.7.1\nDiagnostic-Code: smtp; 550 5.7.1 Rejected by\n policy\nLast-Attempt-Date: Mon, 1 Jun 2026';
  expect(readBounce(report).bounces.map(({ text }) => text)).toEqual(['550 5.7.1 Rejected by policy']);
});

test('a code with many causes blames no record', () => {
  const [bounce] = readBounce('550 5.7.1').bounces;
  expect(bounce).toMatchObject({ isPermanent: true, system: null, reason: null, source: null, rules: [], blames: [] });
  expect(bounce?.sentences).toEqual({
    customer: "The receiving server refused the message for a reason that we don't know.",
    dns: "Code 5.7.1 is about security and policy, and has many causes, so no record can be blamed. Send the whole text to the receiver's postmaster.",
  });
});

const customer = (text: string) => readBounce(text).bounces[0]?.sentences.customer;

test('a temporary reply delays, and contradicting codes are neither', () => {
  expect(customer('421 4.7.30 - gsmtp')).toMatch(/^Gmail delayed the message because DKIM/);
  expect(customer('421-5.7.32 - gsmtp')).toMatch(/^Gmail didn't accept the message because From/);
});

const LONG = 2_000_000;

test.each([
  ['spaces', ' '.repeat(LONG)],
  ['line breaks', '\n'.repeat(LONG)],
  ['codes', '550 5.7.1 '.repeat(LONG / 10)],
  ['codes in lines', '550-5.7.26 a\n'.repeat(LONG / 13)],
  ['a name', 'a.'.repeat(LONG / 2)],
  ['quotation marks', '> '.repeat(LONG / 2)],
  ['fields', 'Final-Recipient: rfc822; '.repeat(LONG / 25)],
  ['hosts', 'host a.b '.repeat(LONG / 9)],
  ['controls', '\u0000\u202e\u200b'.repeat(LONG / 3)],
  ['replies', Array.from({ length: LONG / 40 }, (_, index) => `550 5.7.1 text number ${index} of many\n`).join('')],
])('reads 2 MB of %s, and shows little of it', (_, text) => {
  const { bounces } = readBounce(text);
  expect(bounces.length).toBeLessThanOrEqual(1000);
  expect(bounces.every((one) => one.text.length <= 500 && !/\p{Cc}/u.test(one.text))).toBe(true);
});

test('says that it left out the rest', () => {
  const many = Array.from({ length: 1001 }, (_, index) => `550 5.7.1 number ${index}`).join('\n');
  expect(readBounce(many)).toMatchObject({ isWhole: false });
  expect(readBounce('550 5.7.1')).toMatchObject({ isWhole: true });
});

test('no row is hidden by an earlier one', () => {
  const rows = CORPUS.flatMap(({ systems: [system], rows }) => rows.map((row) => ({ system, row })));
  const hidden = rows.filter(({ system, row: [code, token, reason] }) => {
    const [host] = system === undefined ? [] : MAIL_SYSTEMS[system].hosts;
    const codes = /^\d{3}/.test(code) ? code : `${code.startsWith('4') ? '450' : '550'} ${code}`;
    const text = `host mx.${host ?? 'recipient.example'} said: ${codes} ${token}`;
    return readBounce(text).bounces[0]?.reason !== reason;
  });
  expect(hidden).toEqual([]);
});

test('there are enough examples, and enough rows', () => {
  expect(EXAMPLES.length).toBeGreaterThanOrEqual(120);
  expect(CORPUS.flatMap(({ rows }) => rows).length).toBeGreaterThanOrEqual(80);
});
