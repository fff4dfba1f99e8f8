import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Fix } from '#contract/domains/dnsCheck.ts';
import { createLiveCheck, domainWith } from '../../testing/testCheck.ts';
import { anyText } from '../../testing/testText.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import type { LiveCheck } from '../check/liveCheck.ts';
import { listItems } from '../records/items.ts';
import { createDnsNote } from './dnsNote.ts';

const noteAfter = (domain: ReadableDomain, check: LiveCheck | undefined) =>
  createDnsNote(domain, listItems(domain, check, undefined, false), check);

const CNAME = { type: 'CNAME', name: 'k1._domainkey.mail.x.test', value: 'k1.dkim.y.test', is_valid: false };
const MX = { type: 'MX', name: 'bounce.mail.x.test', value: '10 mx.y.test', is_valid: false };
const TXT = { type: 'TXT', name: 'mail.x.test', value: 'v=spf1 include:y.test ~all', is_valid: true };

const FIX: Fix = {
  todo: 'Edit the record and enter only "k1._domainkey.mail" as its host.',
  type: 'CNAME',
  host: 'k1._domainkey.mail',
  name: CNAME.name,
  value: CNAME.value,
  priority: null,
};

test('says of each wrong record why, whose turn it is, what to do and what to type', () => {
  const domain = domainWith(CNAME, MX, TXT);
  const note = noteAfter(
    domain,
    createLiveCheck(
      domain,
      { diagnosis: 'The record was created elsewhere.', turn: 'owner', fix: FIX },
      {
        diagnosis: 'It has other MX records too.',
        turn: 'dns_host',
        fix: { ...FIX, todo: 'Delete them.', type: 'MX', host: null, name: MX.name, value: 'mx.y.test', priority: 10 },
      },
      { result: 'ok' },
    ),
  );
  expect(note).toBe(`DNS of mail.x.test

2 of 3 records failed the DNS check at 2026-03-04 05:06:07 UTC.

1. CNAME record at k1._domainkey.mail.x.test
   You, in the DNS records
   The record was created elsewhere.
   Edit the record and enter only "k1._domainkey.mail" as its host.
   Type       CNAME
   Host       k1._domainkey.mail
              in full: k1._domainkey.mail.x.test
   Value      k1.dkim.y.test

2. MX record at bounce.mail.x.test
   Your DNS host
   It has other MX records too.
   Delete them.
   Type       MX
   Full name  bounce.mail.x.test
   Value      mx.y.test
   Priority   10
`);
});

test('says what is in the DNS now, each value once', () => {
  const domain = domainWith(TXT);
  const note = (diagnosis: string) =>
    noteAfter(
      domain,
      createLiveCheck(domain, {
        diagnosis,
        found: ['v=spf1 -all', 'v=spf1 mx ~all', TXT.value],
        fix: { ...FIX, type: 'TXT', host: '@', name: TXT.name, value: TXT.value },
      }),
    );
  expect(note('It has three.')).toContain(
    '   It has three.\n   In the DNS v=spf1 -all\n   In the DNS v=spf1 mx ~all\n   Edit the record',
  );
  expect(note('It has "v=spf1 -all" too.')).toContain('too.\n   In the DNS v=spf1 mx ~all\n   Edit');
});

describe('before a check', () => {
  test('it is about the last check, and offers no host: the zone is not known', () => {
    const note = noteAfter(domainWith(CNAME, MX, TXT), undefined);
    expect(note).toContain("\n2 of 3 records failed the mail service's last check, and weren't checked now.\n");
    expect(note).not.toMatch(/the DNS check|Host/);
  });

  test('it warns of a second SPF record', () => {
    expect(noteAfter(domainWith({ ...TXT, is_valid: false }), undefined)).toContain(
      'If the name has another SPF record, change that one: there can be only one.\n',
    );
    expect(noteAfter(domainWith(CNAME), undefined)).not.toContain('only one');
  });
});

test('what the DNS says counts, and missing responses are counted separately', () => {
  const [one, two, three, four] = ['a', 'b', 'c', 'd'].map((label) => ({ ...CNAME, name: `${label}.mail.x.test` }));
  const domain = domainWith(one!, two!, three!, four!, CNAME);
  const unreached = { result: 'unknown' as const, turn: 'checker' as const, diagnosis: 'Nobody answered.' };
  const check = createLiveCheck(
    domain,
    { diagnosis: 'It is gone.' },
    { result: 'ok' },
    { result: 'pending' },
    unreached,
  );
  expect(noteAfter(domain, check)).toBe(`DNS of mail.x.test

1 of 5 records failed the DNS check at 2026-03-04 05:06:07 UTC.
1 of 5 records failed the mail service's last check, and wasn't checked now.
1 couldn't be checked.
1 is pending until all servers have it.

1. CNAME record at a.mail.x.test
   It is gone.

2. CNAME record at k1._domainkey.mail.x.test
   You, in the DNS records
   This record failed the mail service's last check.
   Add this record exactly as shown.
   Type       CNAME
   Full name  k1._domainkey.mail.x.test
   Value      k1.dkim.y.test

Couldn't be checked:

CNAME record at d.mail.x.test
   Check again later, or check the network
   Nobody answered.
`);
});

test('a check that could ask nobody takes no note away: it is that of the last saved results', () => {
  const domain = domainWith(CNAME, MX, TXT);
  const unreached = { result: 'unknown' as const, turn: 'checker' as const, diagnosis: 'Nobody answered.' };
  const note = noteAfter(domain, createLiveCheck(domain, unreached, unreached, unreached));
  expect(note).toBe(noteAfter(domain, undefined));
});

test('has nothing of what is OK, pending, a warning or of an unchecked type', () => {
  const domain = domainWith(CNAME, MX, TXT);
  expect(
    noteAfter(domain, createLiveCheck(domain, { result: 'ok' }, { result: 'pending' }, { result: 'warn' })),
  ).toBeNull();
  const unchecked = { result: 'unknown' as const, dig: '', turn: null };
  expect(noteAfter(domain, createLiveCheck(domain, unchecked, { result: 'ok' }, { result: 'ok' }))).toBeNull();
  expect(noteAfter(domainWith(TXT), undefined)).toBeNull();
  expect(noteAfter({ ...domain, dns: null }, undefined)).toBeNull();
});

test('text of somebody else cannot add a line or hide what it is', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const hostile = { type: text, name: text, value: text, is_valid: false };
      const note = noteAfter({ ...domainWith(hostile), name: text }, undefined);
      expect(note?.split('\n').length).toBeLessThanOrEqual(13);
      expect(note).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/u);
    }),
  );
});
