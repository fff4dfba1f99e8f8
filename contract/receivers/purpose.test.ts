import { expect, test } from 'vitest';
import { advicePurpose, recordPurpose } from './purpose.ts';

const own = { name: 'example.com', mail_from_domain: 'bounce.example.com' };
const none = { name: 'example.com', mail_from_domain: null };

test.each([
  ['CNAME', 'k1._domainkey', 'k1.provider.example', own, 'dkim'],
  ['TXT', 'k1._domainkey.example.com.', 'v=DKIM1; p=', own, 'dkim'],
  ['TXT', '_dmarc', 'v=DMARC1; p=none', own, 'dmarc'],
  ['MX', 'bounce', '10 mx.provider.example', own, 'mail_from'],
  ['TXT', 'bounce.example.com', 'v=spf1 include:provider.example ~all', own, 'spf'],
  // The target has SPF and MX.
  ['CNAME', 'bounce', 'u1.provider.example', own, 'spf'],
  // Receivers look at the MAIL FROM name, not here.
  ['TXT', '@', 'v=spf1 include:provider.example ~all', own, 'other'],
  ['TXT', '@', 'v=spf1 include:provider.example ~all', none, 'spf'],
  ['TXT', '@', 'provider-verification=1', none, 'other'],
  ['MX', '@', '10 mx.example.com', none, 'other'],
  ['CNAME', '@', 'provider.example', none, 'other'],
  ['CNAME', 'track', 'provider.example', own, 'other'],
])('%s at %s with %s is for %j: %s', (type, name, value, domain, purpose) => {
  expect(recordPurpose({ type, name, value }, domain)).toBe(purpose);
});

test.each([
  ['dmarc', 'dmarc'],
  ['alignment', 'alignment'],
  ['mail_from_spf', 'spf'],
  ['mail_from_mx', 'mail_from'],
  ['from_soa', 'soa'],
  ['mail_from_soa', 'soa'],
  ['from_host', 'from_host'],
  ['delegation', 'other'],
  ['mta_sts', 'other'],
])('advice about %s is for %s', (about, purpose) => {
  expect(advicePurpose(about)).toBe(purpose);
});
