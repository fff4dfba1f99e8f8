import { expect, test } from 'vitest';
import type { CheckResult } from '#contract/dnsCheck.ts';
import { findAlarms, describeCheck, lastUntil, describeVerdicts } from './checkSummary.ts';
import { createLiveCheck, domainWith, createFinding } from '../../testing/testCheck.ts';

const WHY = 'Nothing exists there.';

test.each<[boolean | null, CheckResult, string[]]>([
  [true, 'ok', ['Published and accepted.']],
  [false, 'ok', ['Published correctly. The service has not looked again yet.']],
  [null, 'ok', ['Published correctly.']],
  [
    true,
    'fail',
    ['The service still counts this record as valid, but it is not. Mail may stop at its next check.', WHY],
  ],
  [false, 'fail', [WHY]],
  [false, 'pending', [WHY]],
  [true, 'pending', [WHY]],
  [true, 'warn', [WHY]],
  [true, 'unknown', [WHY]],
  [false, 'unknown', [WHY]],
])('stored as valid: %s, found %s', (stored, result, sentences) => {
  expect(describeVerdicts(stored, createFinding({ result, diagnosis: WHY }))).toEqual(sentences);
});

test('the service is said to see a record later only where an old answer is waited for', () => {
  const cached = createFinding({ result: 'pending', diagnosis: WHY, until: '2026-03-04T05:06:07.000Z' });
  expect(describeVerdicts(false, cached)).toEqual([WHY, 'The service can see it once the old answers are gone.']);
  expect(describeVerdicts(true, cached)).toEqual([WHY]);
});

const valid = { type: 'TXT', name: 'x.test', value: 'a', is_valid: true };
const invalid = { ...valid, is_valid: false };

test('an alarm is what counts as valid and is wrong, once the verdicts are those from after the check', () => {
  const [first, second, third] = ['b', 'c', 'd'].map((value) => ({ ...valid, value }));
  const domain = domainWith(first!, second!, invalid, third!);
  const check = createLiveCheck(
    domain,
    { result: 'ok' },
    { result: 'fail' },
    { result: 'fail' },
    { result: 'unknown' },
  );
  expect(findAlarms(domain, check)).toEqual([domain.dns![1]]);
  expect(findAlarms({ ...domain, dns: domain.dns!.toReversed() }, check)).toEqual([domain.dns![1]]);
  expect(findAlarms({ ...domain, dns: [first!, { ...second!, value: 'new' }] }, check)).toEqual([]);
  expect(findAlarms(domain, { ...check, completion: null })).toEqual([]);
  expect(findAlarms(domain, undefined)).toEqual([]);
});

test('a check is summed up, and who waits for whom is told', () => {
  const domain = domainWith(valid, invalid);
  expect(describeCheck(domain, createLiveCheck(domain, { result: 'pending' }, { result: 'ok' }))).toBe(
    '1 correct; 1 propagating.',
  );
  const right = createLiveCheck(domain, { result: 'ok' }, { result: 'warn' });
  expect(describeCheck(domain, right)).toBe(
    '1 correct; 1 correct, with advice. The DNS is correct; the domain waits for the service.',
  );
  expect(describeCheck({ ...domain, verification: 'completed' }, right)).toBe('1 correct; 1 correct, with advice.');
  expect(describeCheck(domainWith(), createLiveCheck(domainWith()))).toBe('No records to check.');
});

test('old answers are gone with the last of them', () => {
  const domain = domainWith(valid, invalid, valid);
  const [early, late] = ['2026-03-04T05:06:07Z', '2026-03-04T05:16:07Z'];
  expect(lastUntil(domain, createLiveCheck(domain, { until: early }, { until: late }, {}))).toEqual(new Date(late));
  expect(lastUntil(domain, createLiveCheck(domain, { until: null }))).toBeNull();
});
