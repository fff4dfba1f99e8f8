import type { Finding } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import { RECORD_STATUSES, storedStatus, worstStatus, type RecordStatus } from '#contract/recordStatus.ts';
import { escapeInvisible, escapeInvisibleInJson } from '#contract/values/invisibleCharacters.ts';
import type { Tone } from '../../ui/values/StatusBadge.tsx';
import { findAlarms, findLatestFindings, type LiveCheck } from '../check/liveCheck.ts';
import { describeCode } from '../records/describeCode.ts';
import { classifyAdvice, classifyRecord, RECORD_KIND_LABELS, type RecordKind } from '../records/recordKind.ts';
import { countStatuses, formatStatusCount, RECORD_STATUS_LABELS } from '../records/recordStatus.ts';

type CheckedRecord = { record: ReadableDnsRecord; kind: RecordKind; finding: Finding | null };

export type MatrixRow = {
  domain: ReadableDomain;
  records: readonly CheckedRecord[];
  advice: readonly { kind: RecordKind; finding: Finding }[];
  /** The worst live status; null if not all records were checked. */
  result: RecordStatus | null;
  /** Whether a record is stored as OK, but fails in the DNS now. */
  isAlarm: boolean;
  checkedAt: string | null;
};

/** `check` is undefined if the domain wasn't checked. */
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
    result: isKnown ? overall(records, advice) : null,
    isAlarm: findAlarms(domain, check).length > 0,
    checkedAt: check?.completion?.checked_at ?? null,
  };
}

export function formatDnsState({ records, result }: MatrixRow): string {
  if (records.length === 0) return 'No records to check';
  return result === null ? 'Not checked' : RECORD_STATUS_LABELS[result].label;
}

/** The advice to follow. Advice of the running check replaces earlier advice about the same thing. */
function findAdvice({ lines, earlierLines }: LiveCheck): MatrixRow['advice'] {
  const latest = new Map(
    [...earlierLines, ...lines].flatMap((line) => (line.kind === 'advice' ? [[line.about, line]] : [])),
  );
  return [...latest.values()].flatMap(({ about, finding }) =>
    finding.result === 'warn' || finding.result === 'fail' ? [{ kind: classifyAdvice(about), finding }] : [],
  );
}

const statusesOf = (records: readonly CheckedRecord[]) => records.flatMap(({ finding }) => finding?.result ?? []);
const storedOf = (records: readonly CheckedRecord[]) => records.map(({ record }) => storedStatus(record.is_valid));

/** Records of types that the check can't query (`dig` is empty) count only if there are no others. */
function overall(records: readonly CheckedRecord[], advice: MatrixRow['advice']): RecordStatus {
  const statuses = statusesOf(records.filter(({ finding }) => finding?.dig !== ''));
  // Nothing is listed, or nothing that is checked.
  if (statuses.length === 0) return 'unknown';
  return worstStatus([...statuses, ...advice.map(({ finding }) => finding.result)]) ?? 'unknown';
}

/** The texts of a cell: it shows `words` and `code`; screen readers also read `about` and `details`. */
type MatrixCell = {
  about: string;
  tone: Tone;
  words: string;
  /** The code of the worst finding; null if all are OK, and for stored statuses. */
  code: string | null;
  details: string;
  isStored: boolean;
};

const LISTED_FINDINGS_MAX = 4;

export function createMatrixCell(row: MatrixRow, kind: RecordKind): MatrixCell | null {
  const records = row.records.filter((record) => record.kind === kind);
  const advice = row.advice.filter((one) => one.kind === kind).map(({ finding }) => finding);
  if (records.length === 0 && advice.length === 0) return null;
  const name = `${RECORD_KIND_LABELS[kind]} of ${row.domain.name}`;
  const stored = describeStatuses(storedOf(records), false);
  const isKnown = records.every(({ finding }) => finding !== null);
  if (!isKnown) return { about: `${name}, at last check`, ...stored, code: null, details: '', isStored: true };

  const findings = records.flatMap(({ finding }) => finding ?? []);
  const problems = [...findings.filter(({ result }) => result !== 'ok'), ...advice].toSorted(
    (one, other) => RECORD_STATUSES.indexOf(one.result) - RECORD_STATUSES.indexOf(other.result),
  );
  return {
    about: `${name}, in the DNS now`,
    ...describeStatuses(statusesOf(records), advice.length > 0),
    code: problems[0]?.code ?? null,
    details: `${describeFindings(problems)}${records.length === 0 ? 'No record is listed.' : `At last check: ${stored.words}.`}`,
    isStored: false,
  };
}

/** "3 OK", "1 of 3 failed": the worst of some statuses, and how many have it. */
function describeStatuses(statuses: readonly RecordStatus[], hasAdvice: boolean): { tone: Tone; words: string } {
  const worst = worstStatus(statuses);
  if (worst === null) return { tone: 'warn', words: 'advice' };
  const words = formatStatusCount(worst, statuses.filter((status) => status === worst).length, statuses.length);
  if (worst === 'ok' && hasAdvice) return { tone: 'warn', words: `${words}, advice` };
  return { tone: RECORD_STATUS_LABELS[worst].tone, words };
}

function describeFindings(findings: readonly Finding[]): string {
  const described = findings
    .slice(0, LISTED_FINDINGS_MAX)
    .map(({ code, diagnosis }, index) => (index === 0 ? diagnosis : `${describeCode(code)}: ${diagnosis}`));
  const rest = findings.length - described.length;
  return [...described, ...(rest > 0 ? [`And ${rest} more.`] : [])].map((sentence) => `${sentence} `).join('');
}

export function worstFirst(rows: readonly MatrixRow[]): MatrixRow[] {
  return rows
    .map((row) => ({ row, rank: rankOf(row), failed: countFailed(row) }))
    .toSorted((one, other) => one.rank - other.rank || other.failed - one.failed)
    .map(({ row }) => row);
}

/** 0 is the most urgent. Rows without a live status are ranked between the others by their stored ones. */
function rankOf({ isAlarm, result, records }: MatrixRow): number {
  if (isAlarm) return 0;
  if (result !== null) return { fail: 1, unknown: 3, pending: 4, warn: 5, ok: 8 }[result];
  const stored = worstStatus(storedOf(records));
  return stored === 'fail' ? 2 : stored === 'ok' ? 7 : 6;
}

function countFailed({ records }: MatrixRow): number {
  return records.filter(({ record, finding }) => (finding?.result ?? storedStatus(record.is_valid)) === 'fail').length;
}

export const MATRIX_FILTERS = ['all', ...RECORD_STATUSES, 'unchecked', 'alarm'] as const;
type MatrixFilter = (typeof MATRIX_FILTERS)[number];

export function labelFilter(filter: MatrixFilter): string {
  if (filter === 'all') return 'All';
  if (filter === 'unchecked') return 'Not checked';
  return filter === 'alarm' ? 'Failed since last check' : RECORD_STATUS_LABELS[filter].label;
}

export function matchesFilter(row: MatrixRow, filter: MatrixFilter): boolean {
  if (filter === 'all') return true;
  if (filter === 'alarm') return row.isAlarm;
  return filter === (row.result ?? 'unchecked');
}

export function describeResults(rows: readonly MatrixRow[]): string {
  return countStatuses(rows.flatMap(({ result }) => result ?? []));
}

/** One row for each record, with the fields of `dns-check --format csv`; null if the record wasn't checked. */
export function createMatrixExportRows(rows: readonly MatrixRow[]) {
  return rows.flatMap(({ domain, records, checkedAt }) =>
    records.map(({ record: { type, name, value, is_valid }, finding }) => ({
      domain: domain.name,
      type,
      name,
      value,
      is_valid,
      result: finding?.result ?? null,
      code: finding?.code ?? null,
      diagnosis: finding?.diagnosis ?? null,
      turn: finding?.turn ?? null,
      found: finding?.found ?? null,
      checked_at: finding && checkedAt,
    })),
  );
}

/** For a format without escapes of its own: invisible characters as their names, lists as JSON. */
export function escapeExportRow(row: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(row).map(([column, value]) => {
    if (Array.isArray(value)) return [column, escapeInvisibleInJson(JSON.stringify(value))];
    return [column, typeof value === 'string' ? escapeInvisible(value) : value];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}
