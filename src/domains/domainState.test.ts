import { describe, expect, test } from 'vitest';
import type { ReadableDomain } from '#contract/domain.ts';
import { describeDomain, summarizeRecords } from './domainState.ts';

const UNKNOWN: ReadableDomain = {
  uuid: 'd',
  name: 'x.test',
  domain: null,
  verified: null,
  provider: null,
  status: null,
  verification: null,
  mail_from_domain: null,
  mail_from_verified: null,
  dns: null,
  created_at: null,
  updated_at: null,
};

function withVerdicts(verdicts: (boolean | null)[] | null): ReadableDomain {
  return {
    ...UNKNOWN,
    dns: verdicts && verdicts.map((is_valid) => ({ type: 'TXT', name: 'x.test', value: 'a', is_valid })),
  };
}

test.each([
  [null, 'neutral', 'Not sent', "The service didn't send its DNS records."],
  [[], 'neutral', 'No records', 'The service lists no DNS records.'],
  [[true], 'good', '1 of 1 OK', 'DNS records at last check: 1 OK.'],
  [[true, true], 'good', '2 of 2 OK', 'DNS records at last check: 2 OK.'],
  [[false], 'bad', '0 of 1 OK', 'DNS records at last check: 1 failed.'],
  [[true, false, true], 'bad', '2 of 3 OK', 'DNS records at last check: 2 OK, 1 failed.'],
  [[null], 'neutral', '0 of 1 OK', 'DNS records at last check: 1 unknown.'],
  [[true, null], 'neutral', '1 of 2 OK', 'DNS records at last check: 1 OK, 1 unknown.'],
  [[false, null], 'bad', '0 of 2 OK', 'DNS records at last check: 1 unknown, 1 failed.'],
])('records stored as %j are %s: %s', (verdicts, tone, text, sentence) => {
  const domain = withVerdicts(verdicts);
  expect(summarizeRecords(domain)).toEqual({ tone, text });
  expect(describeDomain(domain)).toContain(sentence);
});

test('no record of a domain that is being set up is bad yet', () => {
  expect(summarizeRecords({ ...withVerdicts([false]), status: 'pending' }).tone).toBe('wait');
});

describe('a domain is explained', () => {
  test.each([
    [true, 'The domain is verified: the service accepts mail from its addresses.'],
    [false, "The domain isn't verified: its addresses may not be able to send."],
    [null, "The service doesn't say whether the domain is verified."],
  ])('when verified is %j', (verified, sentence) => {
    expect(describeDomain({ ...UNKNOWN, verified })).toContain(sentence);
  });

  test.each([
    ['b.x.test', true, 'Bounces go to b.x.test, which is verified.'],
    ['b.x.test', false, "Bounces should go to b.x.test, which isn't verified."],
    ['b.x.test', null, "Bounces should go to b.x.test; the service doesn't say whether it is verified."],
    ['', false, 'No MAIL FROM domain is set: bounces use the provider’s own.'],
    [null, null, "The service doesn't say where bounces go."],
  ])('when bounces go to %j, verified %j', (mail_from_domain, mail_from_verified, sentence) => {
    expect(describeDomain({ ...UNKNOWN, mail_from_domain, mail_from_verified })).toContain(sentence);
  });
});
