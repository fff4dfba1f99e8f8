import { expect, test } from 'vitest';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { createFinding } from '../../../testing/testCheck.ts';
import type { LiveCheck } from '../../check/liveCheck.ts';
import { rowOfDomain, rowOfReport } from './domainRow.ts';
import { overlayCheck } from './overlayCheck.ts';
import { ACCEPTED, CHECKED_AT, domainOf, reportOf, SINCE, verdictOf } from './testRows.ts';

const LATER = '2026-02-03T01:00:00.000Z';

const DOMAIN = domainOf([true, true]);

const line = (index: number, result: RecordStatus, rest: Partial<Finding> = {}): LiveCheck['lines'][number] => ({
  kind: 'record',
  index,
  record: DOMAIN.dns![index]!,
  finding: createFinding({ result, code: `${result.toUpperCase()}_CODE`, ...rest }),
});

const advice = (about: string, result: RecordStatus): LiveCheck['lines'][number] => ({
  kind: 'advice',
  about,
  finding: createFinding({ result, code: 'ADVICE' }),
});

const check = (lines: LiveCheck['lines'], checked_at: string | null, domain = DOMAIN): LiveCheck => ({
  lines,
  earlierLines: [],
  completion: checked_at === null ? null : { kind: 'end', checked_at, again_in: 0, domain },
});

const STORED = rowOfReport(
  reportOf(DOMAIN, [verdictOf(0, 'fail', { accepted: ACCEPTED }), verdictOf(1, 'ok'), verdictOf('dmarc', 'warn')], {
    state: 'warning',
  }),
);

const codesOf = ({ findings }: typeof STORED) => findings.map(({ code }) => code);

test('without a check, and where a later one is stored, a row stays as it is', () => {
  expect(overlayCheck(STORED, undefined)).toBe(STORED);
  expect(overlayCheck(STORED, check([line(0, 'ok')], '2026-02-02T00:00:00.000Z'))).toBe(STORED);
  expect(overlayCheck(STORED, check([line(0, 'ok')], CHECKED_AT))).not.toBe(STORED);
});

test('a running check fills in what it has reached', () => {
  const row = overlayCheck(STORED, check([line(1, 'fail')], null));
  expect(codesOf(row)).toEqual(['FAIL_CODE', 'FAIL_CODE', 'WARN_CODE']);
  expect(row).toMatchObject({ state: 'failing', checkedAt: CHECKED_AT });
});

test('the end of a check brings its domain, its time and its advice', () => {
  const domain = { ...DOMAIN, status: 'failed' };
  const row = overlayCheck(STORED, check([line(0, 'ok'), line(1, 'ok'), advice('alignment', 'warn')], LATER, domain));
  expect(codesOf(row)).toEqual(['OK_CODE', 'OK_CODE', 'ADVICE']);
  expect(row).toMatchObject({ checkedAt: LATER, domain, state: 'failing' });
});

test('a check that finds the same changes neither since when it is so, nor who accepts it', () => {
  const same = overlayCheck(STORED, check([line(0, 'fail'), line(1, 'ok')], LATER)).findings[0];
  expect(same).toMatchObject({ since: SINCE, accepted: ACCEPTED });
  const other = overlayCheck(STORED, check([line(0, 'fail', { code: 'OTHER' }), line(1, 'ok')], LATER)).findings[0];
  expect(other).toMatchObject({ since: null, accepted: null });
});

test('a row of a service without reports shows what was checked here, and else what is stored', () => {
  const row = overlayCheck(rowOfDomain(DOMAIN), check([line(0, 'fail')], null));
  expect(row.findings.map(({ code, result }) => [code, result])).toEqual([
    ['FAIL_CODE', 'fail'],
    [null, 'ok'],
  ]);
  expect(row.state).toBe('failing');
});
