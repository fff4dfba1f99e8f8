import { expect, test } from 'vitest';
import { rowOfDomain, rowOfReport, worstFinding, worstFirst } from './domainRow.ts';
import { ACCEPTED, CHECKED_AT, domainOf, reportOf, SINCE, verdictOf } from './testRows.ts';

test('a report is a row: listed records, then advice, and nothing that is watched or no longer listed', () => {
  const gone = verdictOf(7, 'fail', { index: null, subject: 'CNAME gone.x.test' });
  const watched = verdictOf('ns', 'ok', { kind: 'watch' });
  const verdicts = [verdictOf(1, 'fail', { turn: 'dns_host' }), verdictOf('mail_from_mx', 'warn'), watched, gone];
  const row = rowOfReport(reportOf(domainOf([true, false]), verdicts));
  expect(row).toMatchObject({
    uuid: 'x.test',
    state: 'failing',
    checkedAt: CHECKED_AT,
    receivers: { gmail: 'unknown' },
  });
  expect(row.findings.map(({ kind, index, result, code }) => [kind, index, result, code])).toEqual([
    // A record that was imported since the check.
    ['dkim', 0, 'ok', null],
    ['dkim', 1, 'fail', 'FAIL_CODE'],
    ['mailFrom', null, 'warn', 'WARN_CODE'],
  ]);
});

test('a domain of another service is a row with what is stored', () => {
  const row = rowOfDomain(domainOf([true, false, null]));
  expect(row).toMatchObject({ state: 'failing', checkedAt: null, receivers: {} });
  expect(row.findings.map(({ result, code, since }) => [result, code, since])).toEqual([
    ['ok', null, null],
    ['fail', null, null],
    ['unknown', null, null],
  ]);
});

const row = (...verdicts: ReturnType<typeof verdictOf>[]) => rowOfReport(reportOf(domainOf([true, true]), verdicts));

test('who must act is said by the worst finding that nobody accepts', () => {
  const accepted = verdictOf(0, 'fail', { accepted: ACCEPTED, turn: 'registrar' });
  expect(worstFinding(row(accepted, verdictOf(1, 'warn', { turn: 'owner' })))).toMatchObject({
    turn: 'owner',
    since: SINCE,
  });
  expect(worstFinding(row(accepted, verdictOf(1, 'ok')))).toBeNull();
  expect(worstFinding(rowOfDomain(domainOf([false])))).toBeNull();
});

test('the worst come first, and equals as they are listed', () => {
  const right = rowOfDomain(domainOf([true], 'right'));
  const one = rowOfDomain(domainOf([false, true], 'one wrong'));
  const two = rowOfDomain(domainOf([false, false], 'two wrong'));
  const also = rowOfDomain(domainOf([false], 'also one wrong'));
  const pending = rowOfDomain({ ...domainOf([true], 'pending'), status: 'pending' });
  const advice = { ...right, uuid: 'advice', state: 'warning' as const };
  const unknown = rowOfDomain({ ...domainOf([true], 'unknown'), verified: null });
  expect(worstFirst([right, unknown, advice, pending, one, two, also]).map(({ uuid }) => uuid)).toEqual([
    'two wrong',
    'one wrong',
    'also one wrong',
    'pending',
    'advice',
    'unknown',
    'right',
  ]);
});
