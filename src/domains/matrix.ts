import type { Finding, CheckResult } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import type { Tone } from '../ui/StatusBadge.tsx';
import { findLatestFindings, RESULT_LABELS, type LiveCheck } from './liveCheck.ts';
import { findAlarms } from './checkSummary.ts';
import { RECORD_KIND_LABELS, classifyRecord, classifyAdvice, type RecordKind } from './recordKind.ts';

/** A record with both verdicts: the stored one in it, and what the DNS says now, as far as that is known. */
export type CheckedRecord = { record: ReadableDnsRecord; kind: RecordKind; finding: Finding | null };

/** What is known of a domain. */
export type MatrixRow = {
  domain: ReadableDomain;
  records: readonly CheckedRecord[];
  /** What is not among its records and should be better. */
  advice: readonly { kind: RecordKind; finding: Finding }[];
  /** The worst of what the DNS says now; null when it was not asked, or not to the end. */
  result: CheckResult | null;
  /** A record that the service counts as valid is wrong. */
  isAlarm: boolean;
  checkedAt: string | null;
};

export function createMatrixRow(domain: ReadableDomain, check: LiveCheck | undefined): MatrixRow {
  const known = findLatestFindings(domain.dns, check);
  const records = (domain.dns ?? []).map((record, index): CheckedRecord => ({
    record,
    kind: classifyRecord(record, domain),
    finding: known[index]?.finding ?? null,
  }));
  const advice = check === undefined ? [] : findAdvice(check);
  const isKnown = records.length === 0 ? check?.completion != null : records.every(({ finding }) => finding !== null);
  return {
    domain,
    records,
    advice,
    result: isKnown ? overall(records, advice.length > 0) : null,
    isAlarm: findAlarms(domain, check).length > 0,
    checkedAt: check?.completion?.checked_at ?? null,
  };
}

/** What the DNS says of a domain as a whole, or why that is not known. */
export function formatDnsState({ records, result }: MatrixRow): string {
  if (records.length === 0) return 'No records to check';
  return result === null ? 'Not checked' : RESULT_LABELS[result].label;
}

/** What should be better. Of one thing, what the check that runs says takes the place of what the one before said. */
function findAdvice({ lines, earlierLines }: LiveCheck): MatrixRow['advice'] {
  const latest = new Map(
    [...earlierLines, ...lines].flatMap((line) => (line.kind === 'advice' ? [[line.about, line]] : [])),
  );
  return [...latest.values()].flatMap(({ about, finding }) =>
    finding.result === 'warn' || finding.result === 'fail' ? [{ kind: classifyAdvice(about), finding }] : [],
  );
}

const WORST_FIRST: readonly CheckResult[] = ['fail', 'unknown', 'pending', 'warn', 'ok'];

function findWorstResult(records: readonly CheckedRecord[]): CheckResult | null {
  return WORST_FIRST.find((result) => records.some(({ finding }) => finding?.result === result)) ?? null;
}

/** What nobody can ask about counts only where there is nothing else. Advice is never worse than `warn`. */
function overall(records: readonly CheckedRecord[], hasAdvice: boolean): CheckResult {
  const asked = records.filter(({ finding }) => finding !== null && finding.dig !== '');
  const worst = findWorstResult(asked) ?? 'unknown';
  return worst === 'ok' && hasAdvice ? 'warn' : worst;
}

/** What a cell of the matrix says: `about`, `words`, `code` and `details` are its whole sentence, of which it shows the middle. */
export type MatrixCell = {
  /** What it is about, and whether that is stored or so now. */
  about: string;
  tone: Tone;
  words: string;
  /** The code of the worst finding; null where there is nothing to say, and of stored verdicts. */
  code: string | null;
  details: string;
  isStored: boolean;
};

/** After a number; "2 right, with advice" would be read as two things. */
const counted = (result: CheckResult) =>
  result === 'warn' ? 'with advice' : RESULT_LABELS[result].label.toLowerCase();

/** So many findings are told one by one. */
const LISTED_FINDINGS_MAX = 4;

/** The cell of one kind of record; null where there is nothing of it. */
export function createMatrixCell(row: MatrixRow, kind: RecordKind): MatrixCell | null {
  const records = row.records.filter((known) => known.kind === kind);
  const advice = row.advice.filter((known) => known.kind === kind).map(({ finding }) => finding);
  if (records.length === 0 && advice.length === 0) return null;
  const name = `${RECORD_KIND_LABELS[kind]} of ${row.domain.name}`;
  const stored = describeStoredVerdicts(records);
  const isKnown = records.every(({ finding }) => finding !== null);
  if (!isKnown) return { about: `${name}, as stored`, ...stored, code: null, details: '', isStored: true };

  const findings = records.flatMap(({ finding }) => finding ?? []);
  const telling = [...findings.filter(({ result }) => result !== 'ok'), ...advice].toSorted(
    (one, other) => WORST_FIRST.indexOf(one.result) - WORST_FIRST.indexOf(other.result),
  );
  return {
    about: `${name}, in the DNS now`,
    ...describeLiveResults(findings, findWorstResult(records), advice.length > 0),
    code: telling[0]?.code ?? null,
    details: `${describeFindings(telling)}${records.length === 0 ? 'No record is listed.' : `Stored: ${stored.words}.`}`,
    isStored: false,
  };
}

/** The first has its code before it already. */
function describeFindings(findings: readonly Finding[]): string {
  const told = findings
    .slice(0, LISTED_FINDINGS_MAX)
    .map(({ code, diagnosis }, index) => (index === 0 ? diagnosis : `${code}: ${diagnosis}`));
  const rest = findings.length - told.length;
  return [...told, ...(rest > 0 ? [`And ${rest} more.`] : [])].map((sentence) => `${sentence} `).join('');
}

const formatShare = (part: number, all: number, word: string) =>
  part === all ? `${all} ${word}` : `${part} ${word} of ${all}`;

function describeLiveResults(findings: readonly Finding[], worst: CheckResult | null, hasAdvice: boolean) {
  if (worst === null) return { tone: 'warn' as const, words: 'advice' };
  if (worst === 'ok' && hasAdvice) return { tone: 'warn' as const, words: `${findings.length} right, advice` };
  const count = findings.filter(({ result }) => result === worst).length;
  return { tone: RESULT_LABELS[worst].tone, words: formatShare(count, findings.length, counted(worst)) };
}

function describeStoredVerdicts(records: readonly CheckedRecord[]): { tone: Tone; words: string } {
  const count = (verdict: boolean | null) => records.filter(({ record }) => record.is_valid === verdict).length;
  if (count(false) > 0) return { tone: 'bad', words: formatShare(count(false), records.length, 'not valid') };
  if (count(null) > 0) return { tone: 'neutral', words: formatShare(count(null), records.length, 'without a verdict') };
  return { tone: 'good', words: formatShare(count(true), records.length, 'valid') };
}

/** The worst first; where nothing tells two apart, as they are listed. */
export function worstFirst(rows: readonly MatrixRow[]): MatrixRow[] {
  return rows
    .map((row) => ({ row, rank: rankOf(row), bad: badIn(row) }))
    .toSorted((one, other) => one.rank - other.rank || other.bad - one.bad)
    .map(({ row }) => row);
}

/** What the DNS says counts; what was only stored stands among it by how much it worries. */
function rankOf(row: MatrixRow): number {
  if (row.isAlarm) return 0;
  if (row.result === null) {
    if (row.records.some(({ record }) => record.is_valid === false)) return 2;
    return row.records.length > 0 && row.records.every(({ record }) => record.is_valid === true) ? 7 : 6;
  }
  return { fail: 1, unknown: 3, pending: 4, warn: 5, ok: 8 }[row.result];
}

function badIn({ records }: MatrixRow): number {
  return records.filter(({ record, finding }) =>
    finding === null ? record.is_valid === false : finding.result === 'fail',
  ).length;
}

export const MATRIX_FILTERS = ['all', 'fail', 'unknown', 'pending', 'warn', 'ok', 'unchecked', 'alarm'] as const;
export type MatrixFilter = (typeof MATRIX_FILTERS)[number];

export const MATRIX_FILTER_LABELS: Record<MatrixFilter, string> = {
  all: 'All',
  fail: RESULT_LABELS.fail.label,
  unknown: RESULT_LABELS.unknown.label,
  pending: RESULT_LABELS.pending.label,
  warn: 'Advice',
  ok: RESULT_LABELS.ok.label,
  unchecked: 'Not checked',
  alarm: 'Stored valid, DNS broken',
};

export function matchesFilter(row: MatrixRow, filter: MatrixFilter): boolean {
  if (filter === 'all') return true;
  if (filter === 'alarm') return row.isAlarm;
  return filter === (row.result ?? 'unchecked');
}

export function countByFilter(rows: readonly MatrixRow[]): Record<MatrixFilter, number> {
  const count = (filter: MatrixFilter) => rows.filter((row) => matchesFilter(row, filter)).length;
  return Object.fromEntries(MATRIX_FILTERS.map((filter) => [filter, count(filter)])) as Record<MatrixFilter, number>;
}

/** "10 right, 3 wrong": what checks of these came to, the best first; empty when none is checked. */
export function describeResults(rows: readonly MatrixRow[]): string {
  const tally = countByFilter(rows);
  return (['ok', 'warn', 'pending', 'unknown', 'fail'] as const)
    .filter((result) => tally[result] > 0)
    .map((result) => `${tally[result]} ${counted(result)}`)
    .join(', ');
}
