import { describe, expect, test } from 'vitest';
import type { ReadableDomain } from '#contract/domain.ts';
import { describeDomain } from './describeDomain.ts';
import { recordsTone, describeRecordCounts } from './domainState.ts';
import { toneOf } from './stateWords.ts';

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
  ['pending', 'wait'],
  ['completed', 'good'],
  ['failed', 'bad'],
  ['under_review', 'neutral'],
  ['', 'neutral'],
  [null, 'neutral'],
  // Property names that every object has.
  ['constructor', 'neutral'],
  ['toString', 'neutral'],
  ['__proto__', 'neutral'],
])('the word %j is %s', (word, tone) => {
  expect(toneOf(word)).toBe(tone);
});

test.each([
  [null, 'neutral', 'Not sent', 'The service did not send its DNS records.'],
  [[], 'neutral', 'No records', 'No DNS records are listed for it.'],
  [[true], 'good', '1 of 1 valid', 'Its one DNS record was valid at last check.'],
  [[true, true], 'good', '2 of 2 valid', 'All 2 DNS records were valid at last check.'],
  [[false], 'bad', '0 of 1 valid', 'Of one DNS record: 1 not valid at last check.'],
  [[false, false], 'bad', '0 of 2 valid', 'Of 2 DNS records: 2 not valid at last check.'],
  [[true, false, true], 'warn', '2 of 3 valid', 'Of 3 DNS records: 2 valid at last check, 1 not valid at last check.'],
  [[null], 'neutral', '0 of 1 valid', 'Of one DNS record: 1 without a verdict.'],
  [[true, null], 'neutral', '1 of 2 valid', 'Of 2 DNS records: 1 valid at last check, 1 without a verdict.'],
  [[false, null], 'bad', '0 of 2 valid', 'Of 2 DNS records: 1 not valid at last check, 1 without a verdict.'],
])('records with verdicts %j are %s: %s', (verdicts, tone, words, sentence) => {
  const domain = withVerdicts(verdicts);
  expect(recordsTone(domain)).toBe(tone);
  expect(describeRecordCounts(domain)).toBe(words);
  expect(describeDomain(domain)).toContain(sentence);
});

describe('a domain is explained', () => {
  test.each([
    [true, 'The domain is verified: the service accepts mail from its addresses.'],
    [false, 'The domain is not verified: its addresses may not be able to send.'],
    [null, 'The service does not say whether the domain is verified.'],
  ])('when verified is %j', (verified, sentence) => {
    expect(describeDomain({ ...UNKNOWN, verified })).toContain(sentence);
  });

  test.each([
    ['b.x.test', true, 'Bounces come back to b.x.test, which is verified.'],
    ['b.x.test', false, 'Bounces should come back to b.x.test, which is not verified.'],
    ['b.x.test', null, 'Bounces should come back to b.x.test; the service does not say whether it is verified.'],
    ['', false, 'No MAIL FROM domain is set: bounces use the provider’s own.'],
    [null, null, 'The service does not say where bounces go.'],
  ])('when bounces go to %j, verified %j', (mail_from_domain, mail_from_verified, sentence) => {
    expect(describeDomain({ ...UNKNOWN, mail_from_domain, mail_from_verified })).toContain(sentence);
  });
});
