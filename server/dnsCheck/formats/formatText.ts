import type { Result } from '#contract/dnsCheck.ts';
import { printable } from '../../admin/printable.ts';
import { countsOf, formatCounts, formatWithoutRecords, isWrong, type Line, type Report, titleOf } from '../report.ts';

const LINE_MAX = 600;
const WORDS: Record<Result, string> = {
  ok: 'right',
  warn: 'right, but',
  fail: 'WRONG',
  pending: 'pending',
  unknown: 'unknown',
};

/** What a person reads. Text from the DNS is made harmless, and no line begins with it. */
export function formatText(report: Report): string {
  const blocks = report.domains.flatMap(({ domain, lines }) => [
    printable(`Domain ${domain.name}`, LINE_MAX),
    ...lines.filter(isShown).map((line) => describe(line).join('\n')),
  ]);
  const fixed = report.fixed.map(({ domain, title, code }) =>
    printable(`No longer wrong, so no longer needed in the baseline: ${title} of ${domain}, ${code}`, LINE_MAX),
  );
  const left = formatWithoutRecords(report).map((line) => printable(line, LINE_MAX));
  return `${[...blocks, [...fixed, ...left, formatCounts(countsOf(report))].join('\n')].join('\n\n')}\n`;
}

/** Advice that is followed would only be in the way. */
function isShown({ kind, finding }: Line): boolean {
  return kind === 'record' || finding.result !== 'ok';
}

/** All about one record or piece of advice, line by line. */
export function describe(line: Line): string[] {
  const { finding } = line;
  const lines = [`${wordOf(line).padEnd(10)}  ${titleOf(line)}  ${finding.code}`];
  if (finding.result !== 'ok') {
    lines.push(`  Why: ${finding.diagnosis}`);
    if (finding.found.length > 0) lines.push(`  Found: ${finding.found.join(', ')}`);
    const { fix } = finding;
    if (fix !== null) {
      lines.push(
        `  Fix: ${fix.todo}`,
        `    Type: ${fix.type}`,
        `    Host: ${fix.host}  (${fix.name})`,
        `    Value: ${fix.value}`,
        ...(fix.priority === null ? [] : [`    Priority: ${fix.priority}`]),
      );
    }
    if (finding.dig !== '') lines.push(`  Ask again: ${finding.dig}`);
  }
  const about = storedAgainstLive(line);
  if (about !== null) lines.push(`  ${about}`);
  return lines.map((text) => printable(text, LINE_MAX));
}

function wordOf(line: Line): string {
  if (line.isAccepted) return 'accepted';
  if (line.kind === 'advice' && isWrong(line.finding)) return line.isFailing ? 'ADVICE' : 'advice';
  return WORDS[line.finding.result];
}

/** Where the service and the DNS do not agree. */
function storedAgainstLive(line: Line): string | null {
  if (line.kind === 'advice') return null;
  const { is_valid: stored } = line.record;
  const { result } = line.finding;
  if (stored === true && result === 'fail')
    return 'The service still counts this record as valid, but it is not. Mail may stop at its next check.';
  if (stored === false && (result === 'ok' || result === 'warn')) return 'The service has not looked again yet.';
  return null;
}
