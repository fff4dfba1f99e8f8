import { describe, expect, test } from 'vitest';
import type { Fix } from '#contract/domains/dnsCheck.ts';
import { createFinding, createRecord } from '../../testing/testCheck.ts';
import { createRecordFields } from './recordFields.ts';

const DOMAIN = { name: 'X.test', mail_from_domain: 'bounce.y.test' };

test.each([
  ['Mail.X.TEST.', 'mail.x.test'],
  ['k1._domainkey', 'k1._domainkey.x.test'],
  ['@', 'x.test'],
  ['*', '*.x.test'],
  ['outside.z.test.', 'outside.z.test'],
  // Unreadable values are not guessed.
  ['a b', 'a b'],
  [null, ''],
])('a record called %j has the full name %j, and no host while nobody knows the zone', (written, name) => {
  expect(createRecordFields(createRecord('CNAME', written, ''), DOMAIN, null)).toMatchObject({ host: null, name });
  expect(createRecordFields(createRecord('CNAME', written, ''), DOMAIN, createFinding({}))).toMatchObject({
    host: null,
    name,
  });
});

describe('the host of k1._domainkey.mail.x.test', () => {
  const domain = { name: 'mail.x.test', mail_from_domain: null };
  const dkim = createRecord('CNAME', 'k1._domainkey.mail.x.test', 'k1.y.test');

  test.each([
    ['the zone of the whole company', 'x.test', 'k1._domainkey.mail'],
    ['a zone of the domain itself', 'mail.x.test', 'k1._domainkey'],
    ['a zone of its keys', '_domainkey.mail.x.test', 'k1'],
    ['a zone of its own', 'k1._domainkey.mail.x.test', '@'],
  ])('is relative to %s, where that is what a check found', (_, zone, host) => {
    expect(createRecordFields(dkim, domain, createFinding({ zone })).host).toBe(host);
  });

  test.each([
    ['lies elsewhere', 'y.test'],
    ['only ends alike', 'l.x.test'],
    ['is the root', ''],
  ])('is not known where the zone %s', (_, zone) => {
    expect(createRecordFields(dkim, domain, createFinding({ zone })).host).toBeNull();
  });

  test('is the one that the check offers for typing', () => {
    const fix: Fix = { todo: '', type: 'CNAME', host: 'k1', name: dkim.name, value: '', priority: null };
    expect(createRecordFields(dkim, domain, createFinding({ zone: 'x.test', fix })).host).toBe('k1');
    expect(
      createRecordFields(dkim, domain, createFinding({ zone: 'x.test', fix: { ...fix, host: null } })).host,
    ).toBeNull();
    // An offer for another name tells nothing about this one.
    expect(
      createRecordFields(dkim, domain, createFinding({ zone: 'x.test', fix: { ...fix, name: 'a.x.test' } })).host,
    ).toBe('k1._domainkey.mail');
  });
});

test.each([
  ['MX', '10 mx.y.test', 10, 'mx.y.test'],
  ['mx', ' 0\tmx.y.test. ', 0, 'mx.y.test.'],
  ['MX', 'mx.y.test', null, 'mx.y.test'],
  ['MX', '10', null, '10'],
  ['MX', '10 a b', null, '10 a b'],
  ['MX', '-1 mx.y.test', null, '-1 mx.y.test'],
  [null, '10 mx.y.test', null, '10 mx.y.test'],
  ['MX', null, null, ''],
  // A form needs the text between the quotes of zone-file syntax.
  ['TXT', '"v=DKIM1\\; " "p=abc"', null, 'v=DKIM1; p=abc'],
  ['TXT', 'v=spf1 "-all"', null, 'v=spf1 "-all"'],
  ['TXT', '10 mx.y.test', null, '10 mx.y.test'],
])('%s %j: priority %j, value %j', (type, written, priority, value) => {
  expect(createRecordFields(createRecord(type, 'x.test', written), DOMAIN, null)).toMatchObject({ priority, value });
});

test.each([
  ['ok', ['v=DMARC1; p=reject'], 'v=DMARC1; p=reject'],
  ['ok', ['a', 'b'], 'v=DMARC1; p=none'],
  ['fail', ['v=DMARC1; p=reject'], 'v=DMARC1; p=none'],
] as const)('of a record that is %s with %j published, the value is %s', (result, found, value) => {
  const record = createRecord('TXT', '_dmarc.x.test', 'v=DMARC1; p=none');
  expect(createRecordFields(record, DOMAIN, createFinding({ result, found: [...found] }))).toMatchObject({ value });
});
