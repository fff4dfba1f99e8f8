import { describe, expect, test } from 'vitest';
import type { Finding } from '#contract/dnsCheck.ts';
import type { RecordStatus } from '#contract/recordStatus.ts';
import type { ReadableDomain } from '#contract/domain.ts';
import { createFinding, domainWith } from '../../testing/testCheck.ts';
import {
  createMatrixCell,
  createMatrixExportRows,
  createMatrixRow,
  describeResults,
  escapeExportRow,
  MATRIX_FILTERS,
  matchesFilter,
  worstFirst,
} from './matrix.ts';
import type { LiveCheck } from '../check/liveCheck.ts';

const CHECKED_AT = '2026-01-01T00:00:00.000Z';
const dkim = (is_valid: boolean | null, index = 1) => ({
  type: 'CNAME',
  name: `k${index}._domainkey.x.test`,
  value: 'y.test',
  is_valid,
});

const domain = (verdicts: (boolean | null)[], name = 'x.test'): ReadableDomain => ({
  ...domainWith(...verdicts.map((is_valid, index) => dkim(is_valid, index + 1))),
  uuid: name,
  name,
});

const finding = (result: RecordStatus, rest: Partial<Finding> = {}): Finding =>
  createFinding({ result, code: `${result.toUpperCase()}_CODE`, diagnosis: `It is ${result}.`, ...rest });

type Advice = { about: string; finding: Finding };

/** A completed check of `of`. */
function check(of: ReadableDomain, findings: readonly Finding[], advice: readonly Advice[] = []): LiveCheck {
  return {
    lines: [
      ...findings.map((one, index) => ({ kind: 'record' as const, index, record: of.dns![index]!, finding: one })),
      ...advice.map((one) => ({ kind: 'advice' as const, ...one })),
    ],
    earlierLines: [],
    completion: { kind: 'end', checked_at: CHECKED_AT, again_in: 0, domain: of },
  };
}

function checked(
  verdicts: (boolean | null)[],
  results: readonly RecordStatus[],
  name?: string,
  advice?: readonly Advice[],
) {
  const of = domain(verdicts, name);
  return createMatrixRow(
    of,
    check(
      of,
      results.map((result) => finding(result)),
      advice,
    ),
  );
}
/** A domain of which all records are stored as valid, and found so. */
const found = (...results: RecordStatus[]) =>
  checked(
    results.map(() => true),
    results,
  );

const stored = (verdicts: (boolean | null)[], name?: string) => createMatrixRow(domain(verdicts, name), undefined);

describe('a cell of stored statuses', () => {
  test.each<[(boolean | null)[], string, string]>([
    [[true, true, true], 'good', '3 OK'],
    [[true, false, true], 'bad', '1 of 3 needs fixing'],
    [[false, false], 'bad', '2 need fixing'],
    [[true, null], 'neutral', '1 of 2 unknown'],
  ])('%j', (verdicts, tone, words) => {
    const cell = { about: 'DKIM of x.test, at last check', tone, words, code: null, details: '', isStored: true };
    expect(createMatrixCell(stored(verdicts), 'dkim')).toEqual(cell);
    expect(createMatrixCell(stored(verdicts), 'dmarc')).toBeNull();
  });
});

describe('a cell of what the DNS says', () => {
  test.each<[RecordStatus[], string, string, string | null]>([
    [['ok', 'ok', 'ok'], 'good', '3 OK', null],
    [['ok', 'fail', 'pending'], 'bad', '1 of 3 needs fixing', 'FAIL_CODE'],
    [['fail', 'fail'], 'bad', '2 need fixing', 'FAIL_CODE'],
    [['ok', 'pending'], 'wait', '1 of 2 propagating', 'PENDING_CODE'],
    [['pending', 'unknown'], 'neutral', '1 of 2 unknown', 'UNKNOWN_CODE'],
    [['warn'], 'warn', '1 with advice', 'WARN_CODE'],
  ])('%j', (results, tone, words, code) => {
    expect(createMatrixCell(found(...results), 'dkim')).toMatchObject({ tone, words, code, isStored: false });
  });

  test('tells everything in sentences, the worst first, with the stored verdict', () => {
    expect(createMatrixCell(checked([true, true, false], ['warn', 'fail', 'ok']), 'dkim')).toMatchObject({
      about: 'DKIM of x.test, in the DNS now',
      words: '1 of 3 needs fixing',
      code: 'FAIL_CODE',
      details: 'It is fail. Warn code: It is warn. At last check: 1 of 3 needs fixing.',
    });
  });

  test('shows advice about what is not listed, which counts for the domain', () => {
    const row = checked([true], ['ok'], 'x.test', [{ about: 'dmarc', finding: finding('fail') }]);
    const details = 'It is fail. No record is listed.';
    const cell = { tone: 'warn', words: 'advice', code: 'FAIL_CODE', details };
    expect(createMatrixCell(row, 'dmarc')).toMatchObject(cell);
    expect(row.result).toBe('fail');
    const withWarning = checked([true], ['ok'], 'x.test', [{ about: 'dmarc', finding: finding('warn') }]);
    expect(withWarning.result).toBe('warn');
    expect(createMatrixCell(row, 'dkim')).toMatchObject({ words: '1 OK', code: null });
    const withAdvice = { ...row, advice: [{ kind: 'dkim' as const, finding: finding('warn') }] };
    expect(createMatrixCell(withAdvice, 'dkim')).toMatchObject({ tone: 'warn', words: '1 OK, advice' });
  });
});

describe('the result of a domain', () => {
  test.each<[RecordStatus[], RecordStatus]>([
    [['ok', 'warn', 'pending', 'unknown', 'fail'], 'fail'],
    [['ok', 'warn', 'pending', 'unknown'], 'unknown'],
    [['ok', 'warn', 'pending'], 'pending'],
    [['ok', 'warn'], 'warn'],
    [['ok'], 'ok'],
    [[], 'unknown'],
  ])('of %j is %s', (results, worst) => {
    expect(found(...results).result).toBe(worst);
  });

  test('is not known while one of its records is not', () => {
    const of = domain([true, true]);
    const imported = { ...of, dns: [of.dns![0]!, { ...dkim(true), value: 'new.test' }] };
    const row = createMatrixRow(imported, check(of, [finding('ok'), finding('ok')]));
    expect(row.result).toBeNull();
    expect(createMatrixCell(row, 'dkim')).toMatchObject({ words: '2 OK', isStored: true });
  });

  test('is not made worse by a record that nobody can ask about', () => {
    const of = domain([true, true]);
    const untold = finding('unknown', { dig: '' });
    expect(createMatrixRow(of, check(of, [finding('ok'), untold])).result).toBe('ok');
    expect(createMatrixRow(of, check(of, [untold, untold])).result).toBe('unknown');
  });
});

test.each([
  [checked([true], ['fail']), true],
  [checked([false], ['fail']), false],
  [checked([null], ['fail']), false],
  [checked([true], ['unknown']), false],
  [stored([true]), false],
])('the alarm is for what is stored as OK and fails now', (row, isAlarm) => {
  expect(row.isAlarm).toBe(isAlarm);
});

test('the worst come first, and equals as they are listed', () => {
  const rows = [
    checked([true], ['ok'], 'right'),
    stored([true], 'stored valid'),
    stored([null], 'no verdict'),
    checked([true], ['warn'], 'advice'),
    checked([true], ['pending'], 'spreading'),
    checked([true], ['unknown'], 'unknown'),
    stored([false, true], 'one stored broken'),
    stored([false, false], 'two stored broken'),
    checked([false], ['fail'], 'one wrong'),
    checked([false], ['fail'], 'also one wrong'),
    checked([true, false], ['fail', 'ok'], 'alarm'),
  ];
  const places = [10, 8, 9, 7, 6, 5, 4, 3, 2, 1, 0];
  expect(worstFirst(rows)).toEqual(places.map((place) => rows[place]));
});

test('each domain is counted once, and alarms separately', () => {
  const rows = [stored([true]), checked([true], ['fail']), checked([false], ['fail']), checked([true], ['ok'])];
  const none = { unknown: 0, pending: 0, warn: 0 };
  const counts = MATRIX_FILTERS.map((filter) => [filter, rows.filter((row) => matchesFilter(row, filter)).length]);
  expect(Object.fromEntries(counts)).toEqual({ ...none, all: 4, fail: 2, ok: 1, unchecked: 1, alarm: 1 });
  expect(describeResults(rows)).toBe('1 OK, 2 need fixing');
  expect(describeResults([stored([true])])).toBe('');
});

test('a row for each record has the stored and the live status, and null if it was not checked', () => {
  const of = domain([true, false]);
  const found = finding('fail', { turn: 'provider', found: ['=old.test', 'z.test'] });
  const [first, second] = createMatrixExportRows([createMatrixRow(of, { ...check(of, [found]), completion: null })]);
  expect(first).toEqual({
    domain: 'x.test',
    ...dkim(true),
    result: 'fail',
    code: 'FAIL_CODE',
    diagnosis: 'It is fail.',
    turn: 'provider',
    found: ['=old.test', 'z.test'],
    checked_at: null,
  });
  expect(second).toMatchObject({ is_valid: false, result: null, code: null, found: null, checked_at: null });
  const whole = createMatrixExportRows([createMatrixRow(of, check(of, [found]))]);
  expect(whole.map(({ checked_at }) => checked_at)).toEqual([CHECKED_AT, null]);
});

test('what hides in a line is written out where a format has no escapes for it', () => {
  const of = domain([true]);
  const hostile = finding('fail', { diagnosis: 'It is \u001b[31mred.', found: ['a\u202eb"', 'c\u0007'] });
  const [line] = createMatrixExportRows([createMatrixRow(of, check(of, [hostile]))]);
  expect(escapeExportRow(line!)).toEqual({
    ...line,
    diagnosis: 'It is [U+001B][31mred.',
    found: '["a\\u202eb\\"","c\\u0007"]',
  });
});
