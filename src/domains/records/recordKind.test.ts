import { expect, test } from 'vitest';
import { createRecord } from '../../testing/testCheck.ts';
import { classifyAdvice, classifyRecord } from './recordKind.ts';

test.each([
  ['CNAME', 'k1._domainkey.x.test', 'k1.dkim.y.test', 'dkim'],
  ['TXT', 'K1._DomainKey.x.test.', 'v=DKIM1; p=abc', 'dkim'],
  ['TXT', '_dmarc.x.test', 'v=DMARC1; p=none', 'dmarc'],
  ['CNAME', '_dmarc.x.test', 'dmarc.y.test', 'dmarc'],
  ['MX', 'bounce.x.test', '10 mx.y.test', 'mailFrom'],
  ['mx', 'Bounce.X.test.', '10 mx.y.test', 'mailFrom'],
  ['TXT', 'bounce.x.test', 'v=spf1 include:y.test ~all', 'mailFrom'],
  ['CNAME', 'bounce.x.test', 'return.y.test', 'mailFrom'],
  ['TXT', 'x.test', 'v=spf1 include:y.test ~all', 'spf'],
  ['TXT', 'x.test', ' "V=SPF1 -all"', 'spf'],
  ['TXT', 'x.test', 'v=spf10 -all', 'other'],
  ['TXT', 'x.test', 'site-verification=1', 'other'],
  ['MX', 'x.test', '10 mx.y.test', 'other'],
  ['A', 'x.test', 'v=spf1', 'other'],
  ['TXT', 'dmarc.x.test', 'a', 'other'],
  // These types are not checked, whatever their names.
  ['TLSA', '_25._tcp.x.test', '3 1 1 00', 'other'],
  ['CAA', 'bounce.x.test', '0 issue "ca.test"', 'other'],
  [null, 'k1._domainkey.x.test', 'a', 'other'],
  ['TXT', null, null, 'other'],
])('%s %s %j is for %s', (type, name, value, kind) => {
  expect(classifyRecord(createRecord(type, name, value), { name: 'x.test', mail_from_domain: 'bounce.x.test' })).toBe(
    kind,
  );
});

test.each([[null], ['']])('without a MAIL FROM name (%j) no record is for it', (mailFrom) => {
  const domain = { name: 'x.test', mail_from_domain: mailFrom };
  const spf = createRecord('TXT', 'bounce.x.test', 'v=spf1 -all');
  expect(classifyRecord(spf, domain)).toBe('spf');
  expect(classifyRecord({ ...spf, type: 'MX', name: '' }, domain)).toBe('other');
});

test.each([
  ['dmarc', 'dmarc'],
  ['mail_from_mx', 'mailFrom'],
  ['mail_from_spf', 'mailFrom'],
  ['alignment', 'other'],
  ['something new', 'other'],
])('advice about %s belongs to %s', (about, kind) => {
  expect(classifyAdvice(about)).toBe(kind);
});
