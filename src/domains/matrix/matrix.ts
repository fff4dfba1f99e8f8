import type { Finding, CheckResult } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { escapeInvisible, escapeInvisibleInJson } from '#contract/values/invisibleCharacters.ts';
import type { Tone } from '../../ui/values/StatusBadge.tsx';
import { describeCode } from '../records/describeCode.ts';
import { countResult, findLatestFindings, RESULT_LABELS, type LiveCheck } from '../check/liveCheck.ts';
import { findAlarms } from '../check/checkSummary.ts';
import { RECORD_KIND_LABELS, classifyRecord, classifyAdvice, type RecordKind } from '../records/recordKind.ts';

/** A record, which has the stored verdict, and its latest finding; null when it was not checked. */
type CheckedRecord = { record: ReadableDnsRecord; kind: RecordKind; finding: Finding | null };

/** A domain with its records and the results of its latest check. */
export type MatrixRow = {
  domain: ReadableDomain;
  records: readonly CheckedRecord[];
  /** Advice that should be followed. */
  advice: readonly { kind: RecordKind; finding: Finding }[];
  /** The worst live result; null when not all records were checked. */
  result: CheckResult | null;
  /** Whether a record is stored as valid, but wrong in the DNS now. */
  isAlarm: boolean;
  checkedAt: string | null;
};

/** `check` is undefined when the domain was not checked. */
export function createMatrixRow(domain: ReadableDomain, check: LiveCheck | undefined): MatrixRow {
  const latest = findLatestFindings(domain.dns, check);
  const records = (domain.dns ?? []).map((record, index): CheckedRecord => ({
    record,
    kind: classifyRecord(record, domain),
    finding: latest[index]?.finding ?? null,
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

/** The live result of a domain in words, or why there is none. */
export function formatDnsState({ records, result }: MatrixRow): string {
  if (records.length === 0) return 'No records to check';
  return result === null ? 'Not checked' : RESULT_LABELS[result].label;
}

/** The advice that should be followed. Advice of the running check replaces earlier advice about the same thing. */
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

/**
 * Records whose type the check cannot query (`dig` is empty) count only where there are no others. Advice is never
 * worse than `warn`.
 */
function overall(records: readonly CheckedRecord[], hasAdvice: boolean): CheckResult {
  const checked = records.filter(({ finding }) => finding !== null && finding.dig !== '');
  const worst = findWorstResult(checked) ?? 'unknown';
  return worst === 'ok' && hasAdvice ? 'warn' : worst;
}

/**
 * The texts of a cell. Screen readers read `about`, `words`, `code` and `details`; the cell shows `words` and `code`.
 */
type MatrixCell = {
  /** Kind and domain, and whether the verdict is stored or live. */
  about: string;
  tone: Tone;
  words: string;
  /** The code of the worst finding; null when all is right, and for stored verdicts. */
  code: string | null;
  details: string;
  isStored: boolean;
};

/**
 * The label of a result after a number. A label with a comma, as in "2 right, with advice", would read as two items.
 */
const counted = (result: CheckResult, count: number) =>
  result === 'warn' ? 'with advice' : countResult(result, count).replace(/^\d+ /, '');

/** Findings that are described one by one. */
const LISTED_FINDINGS_MAX = 4;

/** The cell of one kind of record; null when the domain has neither a record nor advice of that kind. */
export function createMatrixCell(row: MatrixRow, kind: RecordKind): MatrixCell | null {
  const records = row.records.filter((record) => record.kind === kind);
  const advice = row.advice.filter((one) => one.kind === kind).map(({ finding }) => finding);
  if (records.length === 0 && advice.length === 0) return null;
  const name = `${RECORD_KIND_LABELS[kind]} of ${row.domain.name}`;
  const stored = describeStoredVerdicts(records);
  const isKnown = records.every(({ finding }) => finding !== null);
  if (!isKnown) return { about: `${name}, at last check`, ...stored, code: null, details: '', isStored: true };

  const findings = records.flatMap(({ finding }) => finding ?? []);
  const problems = [...findings.filter(({ result }) => result !== 'ok'), ...advice].toSorted(
    (one, other) => WORST_FIRST.indexOf(one.result) - WORST_FIRST.indexOf(other.result),
  );
  return {
    about: `${name}, in the DNS now`,
    ...describeLiveResults(findings, findWorstResult(records), advice.length > 0),
    code: problems[0]?.code ?? null,
    details: `${describeFindings(problems)}${records.length === 0 ? 'No record is listed.' : `At last check: ${stored.words}.`}`,
    isStored: false,
  };
}

/** One sentence for each finding. The code of the first is left out, because the cell shows it. */
function describeFindings(findings: readonly Finding[]): string {
  const described = findings
    .slice(0, LISTED_FINDINGS_MAX)
    .map(({ code, diagnosis }, index) => (index === 0 ? diagnosis : `${describeCode(code)}: ${diagnosis}`));
  const rest = findings.length - described.length;
  return [...described, ...(rest > 0 ? [`And ${rest} more.`] : [])].map((sentence) => `${sentence} `).join('');
}

/** "3 valid", "1 of 3 valid". */
const formatShare = (part: number, all: number, word: string) =>
  part === all ? `${all} ${word}` : `${part} of ${all} ${word}`;

function describeLiveResults(findings: readonly Finding[], worst: CheckResult | null, hasAdvice: boolean) {
  if (worst === null) return { tone: 'warn' as const, words: 'advice' };
  if (worst === 'ok' && hasAdvice) return { tone: 'warn' as const, words: `${findings.length} correct, advice` };
  const count = findings.filter(({ result }) => result === worst).length;
  return { tone: RESULT_LABELS[worst].tone, words: formatShare(count, findings.length, counted(worst, count)) };
}

function describeStoredVerdicts(records: readonly CheckedRecord[]): { tone: Tone; words: string } {
  const count = (verdict: boolean | null) => records.filter(({ record }) => record.is_valid === verdict).length;
  if (count(false) > 0) return { tone: 'bad', words: formatShare(count(false), records.length, 'not valid') };
  if (count(null) > 0) return { tone: 'neutral', words: formatShare(count(null), records.length, 'without a verdict') };
  return { tone: 'good', words: formatShare(count(true), records.length, 'valid') };
}

/** Sorts rows by how urgent they are. Equal rows keep their order. */
export function worstFirst(rows: readonly MatrixRow[]): MatrixRow[] {
  return rows
    .map((row) => ({ row, rank: rankOf(row), bad: countBroken(row) }))
    .toSorted((one, other) => one.rank - other.rank || other.bad - one.bad)
    .map(({ row }) => row);
}

/** 0 is the most urgent. Rows without a live result are ranked between the others by their stored verdicts. */
function rankOf(row: MatrixRow): number {
  if (row.isAlarm) return 0;
  if (row.result === null) {
    if (row.records.some(({ record }) => record.is_valid === false)) return 2;
    return row.records.length > 0 && row.records.every(({ record }) => record.is_valid === true) ? 7 : 6;
  }
  return { fail: 1, unknown: 3, pending: 4, warn: 5, ok: 8 }[row.result];
}

function countBroken({ records }: MatrixRow): number {
  return records.filter(({ record, finding }) =>
    finding === null ? record.is_valid === false : finding.result === 'fail',
  ).length;
}

export const MATRIX_FILTERS = ['all', 'fail', 'unknown', 'pending', 'warn', 'ok', 'unchecked', 'alarm'] as const;
type MatrixFilter = (typeof MATRIX_FILTERS)[number];

export const MATRIX_FILTER_LABELS: Record<MatrixFilter, string> = {
  all: 'All',
  fail: RESULT_LABELS.fail.label,
  unknown: RESULT_LABELS.unknown.label,
  pending: RESULT_LABELS.pending.label,
  warn: 'Advice',
  ok: RESULT_LABELS.ok.label,
  unchecked: 'Not checked',
  alarm: 'Broke since last check',
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

/** "10 correct, 3 need fixing": the live results, the best first; empty when no row has one. */
export function describeResults(rows: readonly MatrixRow[]): string {
  const tally = countByFilter(rows);
  return (['ok', 'warn', 'pending', 'unknown', 'fail'] as const)
    .filter((result) => tally[result] > 0)
    .map((result) => `${tally[result]} ${counted(result, tally[result])}`)
    .join(', ');
}

/** The columns of an exported record. The names are those of the report of `dns-check` (docs/dns-check.md). */
export const MATRIX_EXPORT_COLUMNS = [
  'domain',
  'type',
  'name',
  'value',
  'is_valid',
  'result',
  'code',
  'diagnosis',
  'turn',
  'found',
  'checked_at',
] as const;

type MatrixExportRow = Record<(typeof MATRIX_EXPORT_COLUMNS)[number], unknown>;

/** One row for each record. The columns of the live check are null where the record was not checked. */
export function createMatrixExportRows(rows: readonly MatrixRow[]): MatrixExportRow[] {
  return rows.flatMap(({ domain, records, checkedAt }) =>
    records.map(({ record, finding }) => ({
      domain: domain.name,
      type: record.type,
      name: record.name,
      value: record.value,
      is_valid: record.is_valid,
      result: finding?.result ?? null,
      code: finding?.code ?? null,
      diagnosis: finding?.diagnosis ?? null,
      turn: finding?.turn ?? null,
      found: finding?.found ?? null,
      checked_at: finding === null ? null : checkedAt,
    })),
  );
}

/**
 * The row for a format without escapes of its own: invisible characters are replaced by their names, and lists by JSON.
 */
export function escapeExportRow(line: MatrixExportRow): MatrixExportRow {
  const entries = Object.entries(line).map(([column, value]) => {
    if (Array.isArray(value)) return [column, escapeInvisibleInJson(JSON.stringify(value))];
    return [column, typeof value === 'string' ? escapeInvisible(value) : value];
  });
  return Object.fromEntries(entries) as MatrixExportRow;
}
