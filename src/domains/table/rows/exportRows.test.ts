import { expect, test } from 'vitest';
import { rowOfDomain, rowOfReport, type DomainRow } from './domainRow.ts';
import { createExportRows, escapeExportRow } from './exportRows.ts';
import { createFinding } from '../../../testing/testCheck.ts';
import { CHECKED_AT, dkim, domainOf, reportOf, SINCE, verdictOf } from './testRows.ts';

test('a row for each listed record has what is stored and what was found, and null for what is not known', () => {
  const domain = domainOf([true, false]);
  const report = reportOf(domain, [verdictOf(0, 'fail', { turn: 'provider' }), verdictOf('dmarc', 'warn')]);
  const unknown = { result: null, code: null, diagnosis: null, turn: null, found: null, since: null, checked_at: null };
  expect(createExportRows([rowOfReport(report)])).toEqual([
    {
      domain: 'x.test',
      ...dkim(true),
      ...unknown,
      result: 'fail',
      code: 'FAIL_CODE',
      turn: 'provider',
      since: SINCE,
      checked_at: CHECKED_AT,
    },
    { domain: 'x.test', ...dkim(false, 2), ...unknown },
  ]);
  expect(createExportRows([rowOfDomain(domain)]).map(({ is_valid, result }) => [is_valid, result])).toEqual([
    [true, null],
    [false, null],
  ]);
});

test('what hides in a line is written out where a format has no escapes for it', () => {
  const row = rowOfReport(reportOf(domainOf([true]), [verdictOf(0, 'fail')]));
  const finding = createFinding({ diagnosis: 'It is \u001b[31mred.', found: ['a\u202eb"', 'c\u0007'] });
  const checked: DomainRow = { ...row, findings: row.findings.map((one) => ({ ...one, finding })) };
  const [line] = createExportRows([checked]);
  expect(escapeExportRow(line!)).toEqual({
    ...line,
    diagnosis: 'It is [U+001B][31mred.',
    found: '["a\\u202eb\\"","c\\u0007"]',
  });
});
