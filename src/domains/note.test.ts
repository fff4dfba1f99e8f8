import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../testText.ts';
import { noteOn } from './note.ts';
import { checkOf, domainWith } from '../testCheck.ts';

const CNAME = { type: 'CNAME', name: 'k1._domainkey.mail.x.test', value: 'k1.dkim.y.test', is_valid: false };
const MX = { type: 'MX', name: 'bounce.mail.x.test', value: '10 mx.y.test', is_valid: false };
const TXT = { type: 'TXT', name: 'mail.x.test', value: 'v=spf1 include:y.test ~all', is_valid: true };

test('says of each wrong record why, what to do and what to type', () => {
  const domain = domainWith(CNAME, MX, TXT);
  const fix = {
    todo: 'Edit the record and enter only "k1._domainkey.mail" as its host.',
    type: 'CNAME',
    host: 'k1._domainkey.mail',
    name: CNAME.name,
    value: CNAME.value,
    priority: null,
  };
  const note = noteOn(
    domain,
    checkOf(
      domain,
      { diagnosis: 'The record was created elsewhere.', fix },
      {
        diagnosis: 'It has other MX records too.',
        fix: { ...fix, todo: 'Delete them.', type: 'MX', host: 'bounce.mail', value: 'mx.y.test', priority: 10 },
      },
      { result: 'ok' },
    ),
  );
  expect(note).toBe(`DNS of mail.x.test

2 of 3 records need a change, as the DNS was at 2026-03-04 05:06:07 UTC.

1. CNAME record at k1._domainkey.mail.x.test
   The record was created elsewhere.
   Edit the record and enter only "k1._domainkey.mail" as its host.
   Type      CNAME
   Host      k1._domainkey.mail
             in full: k1._domainkey.mail.x.test
   Value     k1.dkim.y.test

2. MX record at bounce.mail.x.test
   It has other MX records too.
   Delete them.
   Type      MX
   Host      bounce.mail
             in full: k1._domainkey.mail.x.test
   Value     mx.y.test
   Priority  10
`);
});

test('goes by the stored verdict where the DNS was not asked, or could not be', () => {
  const domain = domainWith(CNAME, MX, TXT);
  const stored = noteOn(domain, undefined);
  expect(stored).toContain('2 of 3 records need a change.\n');
  expect(stored).toContain(`2. MX record at bounce.mail.x.test
   The mail service did not find this record as it should be.
   See to it that the record is there, exactly so.
   Type      MX
   Host      bounce
             in full: bounce.mail.x.test
   Value     mx.y.test
   Priority  10
`);
  expect(noteOn(domain, checkOf(domain, { result: 'unknown' }, { result: 'ok' }, { result: 'unknown' }))).toMatch(
    /\n1 of 3 records needs a change.*\n\n1\. CNAME/,
  );
});

test('has nothing of what is right, spreading or advice', () => {
  const domain = domainWith(CNAME, MX, TXT);
  expect(noteOn(domain, checkOf(domain, { result: 'ok' }, { result: 'pending' }, { result: 'warn' }))).toBeNull();
  expect(noteOn(domainWith(TXT), undefined)).toBeNull();
  expect(noteOn({ ...domain, dns: null }, undefined)).toBeNull();
});

test('a fault that nothing can be typed against is told all the same', () => {
  const domain = domainWith(TXT);
  expect(noteOn(domain, checkOf(domain, { diagnosis: 'DNSSEC of x.test is broken.' }))).toMatch(
    /Its one record needs a change, .*\n\n1\. TXT record at mail.x.test\n {3}DNSSEC of x.test is broken.\n$/s,
  );
});

test('text of somebody else cannot add a line or hide what it is', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const hostile = { type: text, name: text, value: text, is_valid: false };
      const note = noteOn({ ...domainWith(hostile), name: text }, undefined);
      expect(note?.split('\n').length).toBeLessThanOrEqual(12);
      expect(note).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028\u2029]|(?!\n)\p{Cc}/u);
    }),
  );
});
