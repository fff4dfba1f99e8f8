import { expect, test } from 'vitest';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { fieldsOf } from './recordFields.ts';

const DOMAIN = { name: 'X.test', mail_from_domain: 'bounce.y.test' };

function record(type: string | null, name: string | null, value: string | null): ReadableDnsRecord {
  return { type, name, value, is_valid: null };
}

test.each([
  ['Mail.X.TEST.', 'mail', 'mail.x.test'],
  ['k1._domainkey', 'k1._domainkey', 'k1._domainkey.x.test'],
  ['@', '@', 'x.test'],
  ['*.mail.x.test', '*.mail', '*.mail.x.test'],
  ['*', '*', '*.x.test'],
  ['bounce.y.test', 'bounce.y.test', 'bounce.y.test'],
  // As the check reads them: only a final dot tells a name that lies elsewhere.
  ['outside.z.test', 'outside.z.test', 'outside.z.test.x.test'],
  ['outside.z.test.', 'outside.z.test', 'outside.z.test'],
  // Nothing is guessed of what cannot be read.
  ['a b', 'a b', 'a b'],
  [null, '', ''],
])('a record called %j has the host %j, in full %j', (written, host, name) => {
  expect(fieldsOf(record('CNAME', written, ''), DOMAIN)).toMatchObject({ host, name });
});

test('names with other letters are read as the DNS has them', () => {
  const domain = { name: 'bücher.test', mail_from_domain: '' };
  const fields = { host: '_dmarc', name: '_dmarc.xn--bcher-kva.test' };
  expect(fieldsOf(record('TXT', '_dmarc.bücher.test', ''), domain)).toMatchObject(fields);
  expect(fieldsOf(record('TXT', '_dmarc.xn--bcher-kva.test', ''), domain)).toMatchObject(fields);
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
  // A form wants what is between the quotes of zone-file text.
  ['TXT', '"v=DKIM1\\; " "p=abc"', null, 'v=DKIM1; p=abc'],
  ['TXT', 'v=spf1 "-all"', null, 'v=spf1 "-all"'],
  ['TXT', '10 mx.y.test', null, '10 mx.y.test'],
])('%s %j: priority %j, value %j', (type, written, priority, value) => {
  expect(fieldsOf(record(type, 'x.test', written), DOMAIN)).toMatchObject({ priority, value });
});
