import type { Finding, Fix, CheckResult } from '#contract/dnsCheck.ts';
import { toPrintable } from '../../terminal/printable.ts';
import {
  countResults,
  formatCounts,
  formatWithoutRecords,
  listShown,
  isWrong,
  type ReportLine,
  type CheckReport,
  titleOf,
  formatTurn,
} from '../report.ts';
const LINE_MAX = 600;
/** Characters. Lines with a value to enter are not truncated: the check gives no value of more than 2000 bytes. */
export const VALUE_LINE_MAX = 2100;
const WORDS: Record<CheckResult, string> = {
  ok: 'right',
  warn: 'right, but',
  fail: 'WRONG',
  pending: 'pending',
  unknown: 'unknown',
};

/** The report for people. Text from the DNS is escaped, and does not begin a line. */
export function formatText(report: CheckReport): string {
  const blocks = listShown(report).flatMap(({ domain, lines }) => [
    toPrintable(`Domain ${domain.name}`, LINE_MAX),
    ...lines.filter(isShown).map((line) => formatLine(line, report).join('\n')),
  ]);
  const fixed = report.fixed.map(({ domain, title, code }) =>
    toPrintable(`No longer wrong, so no longer needed in the baseline: ${title} of ${domain}, ${code}`, LINE_MAX),
  );
  const left = formatWithoutRecords(report).map((line) => toPrintable(line, LINE_MAX));
  return `${[...blocks, [...fixed, ...left, formatCounts(countResults(report))].join('\n')].join('\n\n')}\n`;
}

/** Advice that is followed is not shown. */
function isShown({ kind, finding }: ReportLine): boolean {
  return kind === 'record' || finding.result !== 'ok';
}

/** One record or piece of advice, as lines. */
export function formatLine(line: ReportLine, { isOfService }: Pick<CheckReport, 'isOfService'>): string[] {
  const { finding } = line;
  const disagreement = isOfService ? storedAgainstLive(line) : null;
  return [
    toPrintable(`${formatResult(line).padEnd(10)}  ${titleOf(line)}  ${finding.code}`, LINE_MAX),
    ...(finding.result === 'ok' ? [] : formatDetails(finding)),
    ...(disagreement === null ? [] : [`  ${disagreement}`]),
  ];
}

function formatDetails(finding: Finding): string[] {
  const { diagnosis, found, fix, dig } = finding;
  const turn = formatTurn(finding);
  const lines = [
    `  Why: ${diagnosis}`,
    ...(turn === null ? [] : [`  Turn: ${turn}`]),
    ...(found.length === 0 ? [] : [`  Found: ${found.join(', ')}`]),
  ];
  return [
    ...lines.map((text) => toPrintable(text, LINE_MAX)),
    ...(fix === null ? [] : formatFix(fix)),
    ...(dig === '' ? [] : [toPrintable(`  Ask again: ${dig}`, LINE_MAX)]),
  ];
}

function formatFix({ todo, type, host, name, value, priority }: Fix): string[] {
  return [
    toPrintable(`  Fix: ${todo}`, VALUE_LINE_MAX),
    toPrintable(`    Type: ${type}`, LINE_MAX),
    toPrintable(host === null ? `    Full name: ${name}` : `    Host: ${host}  (${name})`, LINE_MAX),
    toPrintable(`    Value: ${value}`, VALUE_LINE_MAX),
    ...(priority === null ? [] : [`    Priority: ${priority}`]),
  ];
}

function formatResult(line: ReportLine): string {
  if (line.isAccepted) return 'accepted';
  if (line.kind === 'advice' && isWrong(line.finding)) return line.isFailing ? 'ADVICE' : 'advice';
  return WORDS[line.finding.result];
}

/** A sentence when the stored verdict and the live result disagree; else null. */
function storedAgainstLive(line: ReportLine): string | null {
  if (line.kind === 'advice') return null;
  const { is_valid: stored } = line.record;
  const { result } = line.finding;
  if (stored === true && result === 'fail')
    return 'The service still counts this record as valid, but it is not. Mail may stop at its next check.';
  if (stored === false && (result === 'ok' || result === 'warn')) return 'The service has not looked again yet.';
  return null;
}
