import { expect, test } from 'vitest';
import { type ExpectedRecord, parseExpectedRecords, UnreadableRecordError } from './expectedRecord.ts';

function expected(type: string, name: string, value: string): ExpectedRecord {
  const dns = [{ type, name, value, is_valid: null }];
  const [one] = parseExpectedRecords({ name: 'example.test', mail_from_domain: 'bounce.example.test', dns });
  if (one === undefined || one instanceof UnreadableRecordError) throw one;
  return one;
}

test('an expected text is read with or without quotes and escapes', () => {
  for (const value of ['v=spf1 a ~all', ' v=spf1 a ~all ', '"v=spf1 a" " ~all"', String.raw`"v=spf1\032a \~all"`]) {
    expect(expected('TXT', '', value).value).toBe('v=spf1 a ~all');
  }
  // No byte has this number.
  expect(expected('TXT', '', String.raw`"\300"`).value).toBe('300');
});

test.each([
  ['_dmarc.bücher.test', '_dmarc.xn--bcher-kva.test.example.test'],
  ['@', 'example.test'],
  ['k1', 'k1.example.test'],
  ['k1.EXAMPLE.test.', 'k1.example.test'],
])('the host %j is read as %s', (host, name) => {
  expect(expected('A', host, '192.0.2.1').name).toBe(name);
});

// Each row: a domain, the name of a record, and why it is not asked for.
test.each([
  ...['a..b', 'x'.repeat(64), `${'abcdefgh.'.repeat(30)}a`, 'a b', '*', 'a;b'].map((name) => ['example.test', name]),
  ...['10.0.0.1.', 'metadata.google.internal.'].map((name) => ['example.test', name]),
  ...['localhost', '10.0.0.1', 'printer.local', '1.0.0.127.in-addr.arpa', 'test', ''].map((name) => [name, '@']),
])('in the domain %j, %j is not asked for', (name = '', host = '') => {
  const dns = [{ type: 'A', name: host, value: '192.0.2.1', is_valid: null }];
  const [one] = parseExpectedRecords({ name, mail_from_domain: null, dns });
  expect(one).toBeInstanceOf(UnreadableRecordError);
  const { judgement } = one as UnreadableRecordError;
  const reason = name === 'example.test' ? /^No record can have the name / : / is not a public domain name\.$/;
  if (judgement.code === 'NAME_UNREADABLE') expect(judgement.facts).toEqual({ reason: expect.stringMatching(reason) });
});

test('a MAIL FROM name that is not public is none', () => {
  const dns = [{ type: 'A', name: 'metadata.google.internal', value: '192.0.2.1', is_valid: null }];
  const read = (mail_from_domain: string) => parseExpectedRecords({ name: 'example.test', mail_from_domain, dns });
  for (const mailFrom of ['google.internal', 'internal', '10.0.0.1']) {
    expect(read(mailFrom)).toMatchObject([{ name: 'metadata.google.internal.example.test' }]);
  }
});

test('a record knows what else is expected at its name, and whether other keys are', () => {
  const dns = [
    ['MX', '@', '10 mx1.provider.test'],
    ['MX', '@', '20 mx2.provider.test'],
    ['TXT', 's1._domainkey', 'v=DKIM1; p=a'],
    ['CNAME', 's2._domainkey', 's2.provider.test'],
    ['TXT', '', 'x'],
  ].map(([type = '', name = '', value = '']) => ({ type, name, value, is_valid: null }));
  const read = parseExpectedRecords({ name: 'example.test', mail_from_domain: null, dns });
  expect(read).toMatchObject([
    { siblings: ['mx2.provider.test'], hasOtherKeys: true },
    { siblings: ['mx1.provider.test'] },
    { siblings: [], hasOtherKeys: true },
    { siblings: [], hasOtherKeys: true },
    { siblings: [] },
  ]);
  const [alone] = parseExpectedRecords({ name: 'example.test', mail_from_domain: null, dns: dns.slice(2, 3) });
  expect(alone).toMatchObject({ hasOtherKeys: false });
});

test('what one record holds costs no other', () => {
  const dns = ['fe80::1%eth0', '192.0.2.1%eth0', '2001:db8::1'].flatMap((value) =>
    ['A', 'AAAA'].map((type) => ({ type, name: 'x', value, is_valid: null })),
  );
  const read = parseExpectedRecords({ name: 'example.test', mail_from_domain: null, dns });
  expect(read.map((one) => (one instanceof UnreadableRecordError ? one.judgement.code : one.value))).toEqual([
    ...Array<string>(5).fill('VALUE_UNREADABLE'),
    '2001:db8::1',
  ]);
});
