import { describe, expect, test } from 'vitest';
import type { ReadableDnsRecord } from '#contract/domains/domain.ts';
import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { describeCell, describeReceivers } from './describeCell.ts';
import { rowOfDomain, rowOfReport } from './rows/domainRow.ts';
import { ACCEPTED, domainOf, reportOf, verdictOf } from './rows/testRows.ts';

const rowWith = (...results: RecordStatus[]) =>
  rowOfReport(
    reportOf(
      domainOf(results.map(() => true)),
      results.map((result, index) => verdictOf(index, result)),
    ),
  );

describe('a cell of a service without reports has what is stored', () => {
  test.each<[(boolean | null)[], string, string, boolean]>([
    [[true, true, true], 'good', '3 OK', true],
    [[true, false, true], 'bad', '1 of 3 needs fixing', false],
    [[false, false], 'bad', '2 need fixing', false],
    [[true, null], 'neutral', '1 of 2 unknown', false],
  ])('%j', (verdicts, tone, words, isRight) => {
    const row = rowOfDomain(domainOf(verdicts));
    expect(describeCell(row, 'dkim')).toMatchObject({ tone, words, more: 0, isRight });
    expect(describeCell(row, 'dmarc')).toBeNull();
  });
});

const spf = (name: string) => ({ type: 'TXT', name, value: 'v=spf1 include:y.test ~all', is_valid: true });

const withRecords = (...dns: ReadableDnsRecord[]) => rowOfReport(reportOf({ ...domainOf([]), dns }, []));

describe('a cell of a report has the cause in words', () => {
  test.each<[RecordStatus[], string, string, number]>([
    [['ok', 'ok', 'ok'], 'good', '3 OK', 0],
    [['ok', 'fail', 'pending'], 'bad', 'Fail code', 1],
    [['fail', 'fail'], 'bad', 'Fail code', 1],
    [['ok', 'pending'], 'wait', 'Pending code', 0],
    [['pending', 'unknown'], 'neutral', 'Unknown code', 1],
    [['warn'], 'warn', 'Warn code', 0],
  ])('%j', (results, tone, words, more) => {
    expect(describeCell(rowWith(...results), 'dkim')).toMatchObject({ tone, words, more });
  });

  test('and all of them for screen readers, the worst first', () => {
    expect(describeCell(rowWith('warn', 'fail', 'ok'), 'dkim')?.details).toBe(
      'CNAME k2._domainkey.x.test: Fail code.\nCNAME k1._domainkey.x.test: Warn code.',
    );
    expect(describeCell(rowWith('fail', 'fail', 'fail', 'fail', 'fail', 'fail'), 'dkim')?.details).toMatch(
      /\nAnd 2 more\.$/,
    );
  });

  test('with advice about what is not listed', () => {
    const advice = [verdictOf('dmarc', 'warn', { code: 'SEVERAL_DMARC' }), verdictOf('dmarc #2', 'fail')];
    const row = rowOfReport(reportOf(domainOf([true]), [verdictOf(0, 'ok'), ...advice]));
    expect(describeCell(row, 'dmarc')).toMatchObject({ tone: 'bad', words: 'Fail code', more: 1 });
    expect(describeCell(row, 'dkim')).toMatchObject({ isRight: true });
  });

  test('without the kind, which the column names', () => {
    const advice = [
      verdictOf('dmarc', 'fail', { code: 'SEVERAL_DMARC' }),
      verdictOf('mail_from_mx', 'fail', { code: 'SPF_MISSING' }),
    ];
    const row = rowOfReport(reportOf(domainOf([true]), [verdictOf(0, 'ok'), ...advice]));
    expect(describeCell(row, 'dmarc')).toMatchObject({
      words: 'More than one record',
      details: 'DMARC: More than one DMARC record.',
    });
    expect(describeCell(row, 'mailFrom')).toMatchObject({ words: 'No SPF record' });
  });

  test('SPF at MAIL FROM, where receivers check it, is SPF', () => {
    const mx = { type: 'MX', name: 'bounce.mail.x.test', value: '10 y.test', is_valid: true };
    const row = withRecords(mx, spf('bounce.mail.x.test'));
    expect(describeCell(row, 'spf')?.words).toBe('1 OK at MAIL FROM');
    expect(describeCell(row, 'mailFrom')?.words).toBe('1 OK');
    expect(describeCell(withRecords(spf('x.test')), 'spf')?.words).toBe('1 OK');
    expect(describeCell(withRecords(spf('x.test'), spf('bounce.mail.x.test')), 'spf')?.words).toBe('2 OK');
    const advised = [verdictOf('mail_from_spf', 'warn', { code: 'SPF_MISSING' })];
    const advice = rowOfReport(reportOf(domainOf([true]), [verdictOf(0, 'ok'), ...advised]));
    expect(describeCell(advice, 'spf')).toMatchObject({
      words: 'No record',
      details: 'MAIL FROM SPF: No SPF record.',
    });
  });

  test('what somebody accepts is grey, and last', () => {
    const verdicts = [verdictOf(0, 'fail', { accepted: ACCEPTED }), verdictOf(1, 'warn')];
    const row = rowOfReport(reportOf(domainOf([false, true]), verdicts));
    expect(describeCell(row, 'dkim')).toMatchObject({ tone: 'warn', words: 'Warn code', more: 1 });
    const alone = rowOfReport(reportOf(domainOf([false]), verdicts.slice(0, 1)));
    expect(describeCell(alone, 'dkim')).toMatchObject({ tone: 'neutral', words: 'Accepted: Fail code' });
  });

  test('an invisible character is written out', () => {
    const row = rowOfReport(reportOf(domainOf([false]), [verdictOf(0, 'fail', { code: 'a\u202eb' })]));
    expect(describeCell(row, 'dkim')?.words).toBe('a[U+202E]b');
  });
});

test.each([
  [{}, null],
  [{ gmail: 'unknown' }, null],
  [
    { gmail: 'accepts', yahoo: 'accepts' },
    { tone: 'good', words: '2 accept' },
  ],
  [
    { gmail: 'limits', yahoo: 'accepts' },
    { tone: 'warn', words: 'Gmail' },
  ],
  [
    { gmail: 'limits', outlook: 'refuses' },
    { tone: 'bad', words: 'Outlook.com' },
  ],
  [
    { gmail: 'refuses', yahoo: 'refuses', apple: 'limits' },
    { tone: 'bad', words: '2 refuse' },
  ],
])('receivers %j are summed up by the strictest', (receivers, cell) => {
  const row = { ...rowWith('ok'), receivers };
  if (cell === null) expect(describeReceivers(row)).toBeNull();
  else expect(describeReceivers(row)).toMatchObject(cell);
});

test('receivers are named, the strictest first', () => {
  const row = { ...rowWith('ok'), receivers: { gmail: 'accepts', yahoo: 'refuses', apple: 'limits', mine: 'refuses' } };
  expect(describeReceivers(row)?.details).toBe(
    'Refused by Yahoo and AOL, mine.\nLimited by Apple iCloud.\nAccepted by Gmail.',
  );
});
