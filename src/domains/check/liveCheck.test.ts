import { expect, test } from 'vitest';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { describeCheck, describeFinding, lastUntil } from './liveCheck.ts';
import { createLiveCheck, domainWith, createFinding } from '../../testing/testCheck.ts';

const WHY = 'Nothing exists there.';

test.each<[boolean | null, RecordStatus, string[]]>([
  [true, 'ok', [WHY]],
  [false, 'ok', ["The provider hasn't checked this record again yet.", WHY]],
  [null, 'ok', [WHY]],
  [true, 'fail', ['The provider still has this record as OK, until it checks again.', WHY]],
  [false, 'fail', [WHY]],
  [false, 'pending', [WHY]],
  [true, 'warn', [WHY]],
  [true, 'unknown', [WHY]],
])('stored as valid: %s, found %s', (stored, result, sentences) => {
  expect(describeFinding(stored, createFinding({ result, diagnosis: WHY }))).toEqual(sentences);
});

const valid = { type: 'TXT', name: 'x.test', value: 'a', is_valid: true };
const invalid = { ...valid, is_valid: false };

test('a check is summed up, and says if only the service is waited for', () => {
  const domain = domainWith(valid, invalid);
  expect(describeCheck(domain, createLiveCheck(domain, { result: 'pending' }, { result: 'ok' }))).toBe(
    '1 OK, 1 propagating.',
  );
  const right = createLiveCheck(domain, { result: 'ok' }, { result: 'warn' });
  expect(describeCheck(domain, right)).toBe(
    '1 OK, 1 with advice. The DNS is OK; waiting for the service to verify the domain.',
  );
  expect(describeCheck({ ...domain, verification: 'completed' }, right)).toBe('1 OK, 1 with advice.');
  expect(describeCheck(domainWith(), createLiveCheck(domainWith()))).toBe('No records to check.');
});

test('old answers are gone with the last of them', () => {
  const domain = domainWith(valid, invalid, valid);
  const [early, late] = ['2026-03-04T05:06:07Z', '2026-03-04T05:16:07Z'];
  expect(lastUntil(domain, createLiveCheck(domain, { until: early }, { until: late }, {}))).toEqual(new Date(late));
  expect(lastUntil(domain, createLiveCheck(domain, { until: null }))).toBeNull();
});
