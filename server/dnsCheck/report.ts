import type { Result } from '#contract/dnsCheck.ts';
import { printable, STEERING } from '../admin/printable.ts';
import type { RecordCheck } from '../dns/checkDomain.ts';

export type Counts = Record<Result, number>;

export function countResults(checks: readonly RecordCheck[]): Counts {
  const counts: Counts = { ok: 0, warn: 0, fail: 0, pending: 0, unknown: 0 };
  for (const { finding } of checks) counts[finding.result]++;
  return counts;
}

/**
 * 1: a record is wrong; 2: something could not be asked; 4: nothing is wrong, but not everybody sees it yet; else 0.
 * Types that nobody checks do not count: a job that is red for ever is read by nobody.
 */
export function exitCodeOf(checks: readonly RecordCheck[]): 0 | 1 | 2 | 4 {
  const results = new Set(checks.flatMap(({ finding }) => (finding.code === 'TYPE_UNSUPPORTED' ? [] : finding.result)));
  if (results.has('fail')) return 1;
  if (results.has('unknown')) return 2;
  return results.has('pending') ? 4 : 0;
}

/** A record and what was found as one JSON value, in one line. Characters that would steer a terminal are escaped. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(new RegExp(STEERING, 'gu'), escapeChar);
}

function escapeChar(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The fields of a record as the interface has them, and those of its check beside them. */
export function resultOfRecord({ domain, record, finding }: RecordCheck): Record<string, unknown> {
  return { domain, ...record, ...finding };
}

const LINE_MAX = 600;
const WORDS: Record<Result, string> = {
  ok: 'right',
  warn: 'right, but',
  fail: 'WRONG',
  pending: 'pending',
  unknown: 'unknown',
};

/** What a person reads about one record. Text from the DNS is made harmless. */
export function formatText({ record, finding }: RecordCheck): string {
  const lines = [`${WORDS[finding.result].padEnd(10)}  ${record.type ?? '?'} ${record.name || '@'}  ${finding.code}`];
  if (finding.result !== 'ok') {
    lines.push(`  ${finding.diagnosis}`);
    if (finding.found.length > 0) lines.push(`  Found: ${finding.found.join(', ')}`);
    const { fix } = finding;
    if (fix !== null) {
      const priority = fix.priority === null ? [] : [`    Priority: ${fix.priority}`];
      lines.push(
        `  Fix: ${fix.todo}`,
        `    Type: ${fix.type}`,
        `    Host: ${fix.host}  (${fix.name})`,
        `    Value: ${fix.value}`,
      );
      lines.push(...priority);
    }
    if (finding.dig !== '') lines.push(`  Ask again: ${finding.dig}`);
  }
  const about = storedAgainstLive(record.is_valid, finding.result);
  if (about !== null) lines.push(`  ${about}`);
  return lines.map((line) => printable(line, LINE_MAX)).join('\n');
}

/** Where the service and the DNS do not agree. */
function storedAgainstLive(stored: boolean | null, live: Result): string | null {
  if (stored === true && live === 'fail')
    return 'The service still counts this record as valid. Sending may stop at its next finding.';
  if (stored === false && (live === 'ok' || live === 'warn')) return 'The service has not looked again yet.';
  return null;
}

export function formatCounts(counts: Counts): string {
  const { ok, warn, fail, pending, unknown } = counts;
  return `${ok + warn} right${warn > 0 ? ` (${warn} with advice)` : ''}, ${fail} wrong, ${pending} pending, ${unknown} unknown`;
}
