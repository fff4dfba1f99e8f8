import { expect, test } from 'vitest';
import { createRecord, domainWith } from '../../testing/testCheck.ts';
import { judgeKinds } from './judgeKind.ts';

const key = createRecord('CNAME', 'k1._domainkey.mail.x.test', 'k1.dkim.y.test');
const otherKey = createRecord('CNAME', 'k2._domainkey.mail.x.test', 'k2.dkim.y.test');
const bounces = createRecord('MX', 'bounce.mail.x.test', '10 mx.y.test');

test.each([
  ['all of them are valid', true, true, 'valid'],
  ['one is not', true, false, 'invalid'],
  ['one is not, and one has no verdict', null, false, 'invalid'],
  ['the first is not, and one has no verdict', false, null, 'invalid'],
  ['one has no verdict', true, null, 'unknown'],
] as const)('where %s, the light of the kind is "%s, %s": %s', (_, one, other, light) => {
  const domain = domainWith(
    { ...key, is_valid: one },
    { ...bounces, is_valid: one !== true },
    { ...otherKey, is_valid: other },
  );
  expect(judgeKinds(domain)('dkim')).toBe(light);
});

test('a domain without a record of the kind needs none', () => {
  const domain = domainWith({ ...key, is_valid: true });
  expect(judgeKinds(domain)('dmarc')).toBe('none');
  expect(judgeKinds({ ...domain, dns: null })('dkim')).toBe('none');
});
