import { expect, test } from 'vitest';
import type { ReadableDomain } from '#contract/domain.ts';
import { summarizeRecords } from './domainState.ts';

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
  [null, 'neutral', 'Not sent'],
  [[], 'neutral', 'No records'],
  [[true], 'good', '1 of 1 OK'],
  [[true, true], 'good', '2 of 2 OK'],
  [[false], 'bad', '0 of 1 OK'],
  [[true, false, true], 'bad', '2 of 3 OK'],
  [[null], 'neutral', '0 of 1 OK'],
  [[true, null], 'neutral', '1 of 2 OK'],
  [[false, null], 'bad', '0 of 2 OK'],
])('records stored as %j are %s: %s', (verdicts, tone, text) => {
  const domain = withVerdicts(verdicts);
  expect(summarizeRecords(domain)).toEqual({ tone, text });
});

test('no record of a domain that is being set up is bad yet', () => {
  expect(summarizeRecords({ ...withVerdicts([false]), status: 'pending' }).tone).toBe('wait');
});
