import type { Finding, Fix } from '#contract/domains/dnsCheck.ts';
import { RESPONSIBLE_PARTY_LABELS } from '#contract/domains/responsibleParty.ts';
import { describeDisagreement } from '#contract/domains/recordStatus.ts';
import { toPrintable } from '../../terminal/printable.ts';
import {
  countResults,
  formatCounts,
  formatWithoutRecords,
  listShown,
  type ReportLine,
  type CheckReport,
  titleOf,
} from '../report.ts';
import { must } from '#contract/values/must.ts';

const LINE_MAX = 600;
/** Characters. Lines with a value to enter are not truncated: the check gives no value of more than 2000 bytes. */
export const VALUE_LINE_MAX = 2100;
/** The report for people. Text from the DNS is escaped and doesn't begin a line. */
export function formatText(report: CheckReport): string {
  const blocks = listShown(report).flatMap(({ domain, lines }) => [
    toPrintable(`Domain ${domain.name}`, LINE_MAX),
    ...lines.filter(isShown).map((line) => formatLine(line, report).join('\n')),
  ]);
  const fixed = report.fixed.map(({ domain, title, code }) =>
    toPrintable(`No longer needed in the baseline: ${title} of ${domain}, ${code}`, LINE_MAX),
  );
  const left = formatWithoutRecords(report).map((line) => toPrintable(line, LINE_MAX));
  return `${[...blocks, [...fixed, ...left, formatCounts(countResults(report))].join('\n')].join('\n\n')}\n`;
}

function isShown({ kind, finding }: ReportLine): boolean {
  return kind === 'record' || finding.result !== 'ok';
}

export function formatLine(line: ReportLine, { isOfService }: Pick<CheckReport, 'isOfService'>): string[] {
  const { finding } = line;
  const disagreement =
    isOfService && line.kind === 'record' ? describeDisagreement(line.record.is_valid, finding.result) : null;
  return [
    toPrintable(`${formatResult(line).padEnd(10)}  ${titleOf(line)}  ${finding.code}`, LINE_MAX),
    ...(finding.result === 'ok' ? [] : formatDetails(finding)),
    ...(disagreement === null ? [] : [`  ${disagreement}`]),
  ];
}

function formatDetails({ diagnosis, turn, found, fix, dig }: Finding): string[] {
  return [
    toPrintable(`  Why: ${diagnosis}`, LINE_MAX),
    ...(turn === null ? [] : [`  Next: ${RESPONSIBLE_PARTY_LABELS[turn]}`]),
    ...(found.length === 0 ? [] : [toPrintable(`  Found: ${found.join(', ')}`, LINE_MAX)]),
    ...(fix === null ? [] : formatFix(fix)),
    ...(dig === '' ? [] : [toPrintable(`  Query: ${dig}`, LINE_MAX)]),
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
  const word = line.kind === 'advice' && line.finding.result === 'warn' ? 'advice' : line.finding.result;
  return line.isFailing ? word.toUpperCase() : word;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** For content and double quotes. `toPrintable` escapes what XML forbids (https://www.w3.org/TR/xml/#charsets). */
export function escapeMarkup(text: string, max: number): string {
  return toPrintable(text, max).replaceAll(/[&<>"]/g, (char) => must(ENTITIES[char]));
}
