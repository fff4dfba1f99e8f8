import type { Finding, Result } from '#contract/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';
import type { Tone } from '../ui/StatusBadge.tsx';
import { findingsOn, RESULTS, type LiveCheck } from './liveCheck.ts';
import { alarmsOf } from './standing.ts';
import { KIND_WORDS, kindOf, kindOfAdvice, type Kind } from './recordKind.ts';

/** A record with both verdicts: the stored one in it, and what the DNS says now, as far as that is known. */
export type KnownRecord = { record: ReadableDnsRecord; kind: Kind; finding: Finding | null };

/** What is known of a domain. */
export type FleetRow = {
  domain: ReadableDomain;
  records: readonly KnownRecord[];
  /** What is not among its records and should be better. */
  advice: readonly { kind: Kind; finding: Finding }[];
  /** The worst of what the DNS says now; null when it was not asked, or not to the end. */
  result: Result | null;
  /** A record that the service counts as valid is wrong. */
  isAlarm: boolean;
  checkedAt: string | null;
};

export function fleetRow(domain: ReadableDomain, check: LiveCheck | undefined): FleetRow {
  const known = findingsOn(domain.dns, check);
  const records = (domain.dns ?? []).map((record, index): KnownRecord => ({
    record,
    kind: kindOf(record, domain),
    finding: known[index]?.finding ?? null,
  }));
  const advice = check === undefined ? [] : adviceOf(check);
  const isKnown = records.length === 0 ? check?.end != null : records.every(({ finding }) => finding !== null);
  return {
    domain,
    records,
    advice,
    result: isKnown ? overall(records, advice.length > 0) : null,
    isAlarm: alarmsOf(domain, check).length > 0,
    checkedAt: check?.end?.checked_at ?? null,
  };
}

/** What the DNS says of a domain as a whole, or why that is not known. */
export function nowWords({ records, result }: FleetRow): string {
  if (records.length === 0) return 'No records to check';
  return result === null ? 'Not checked' : RESULTS[result].word;
}

/** What should be better. Of one thing, what the check that runs says takes the place of what the one before said. */
function adviceOf({ found, earlier }: LiveCheck): FleetRow['advice'] {
  const latest = new Map(
    [...earlier, ...found].flatMap((line) => (line.kind === 'advice' ? [[line.about, line]] : [])),
  );
  return [...latest.values()].flatMap(({ about, finding }) =>
    finding.result === 'warn' || finding.result === 'fail' ? [{ kind: kindOfAdvice(about), finding }] : [],
  );
}

const WORST_FIRST: readonly Result[] = ['fail', 'unknown', 'pending', 'warn', 'ok'];

function worstOf(records: readonly KnownRecord[]): Result | null {
  return WORST_FIRST.find((result) => records.some(({ finding }) => finding?.result === result)) ?? null;
}

/** What nobody can ask about counts only where there is nothing else. Advice is never worse than `warn`. */
function overall(records: readonly KnownRecord[], hasAdvice: boolean): Result {
  const asked = records.filter(({ finding }) => finding !== null && finding.dig !== '');
  const worst = worstOf(asked) ?? 'unknown';
  return worst === 'ok' && hasAdvice ? 'warn' : worst;
}

/** What a cell of the matrix says: `about`, `words`, `code` and `details` are its whole sentence, of which it shows the middle. */
export type Cell = {
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
const counted = (result: Result) => (result === 'warn' ? 'with advice' : RESULTS[result].word.toLowerCase());

/** So many findings are told one by one. */
const TOLD = 4;

/** The cell of one kind of record; null where there is nothing of it. */
export function cellOf(row: FleetRow, kind: Kind): Cell | null {
  const records = row.records.filter((known) => known.kind === kind);
  const advice = row.advice.filter((known) => known.kind === kind).map(({ finding }) => finding);
  if (records.length === 0 && advice.length === 0) return null;
  const name = `${KIND_WORDS[kind]} of ${row.domain.name}`;
  const stored = storedWords(records);
  const isKnown = records.every(({ finding }) => finding !== null);
  if (!isKnown) return { about: `${name}, as stored`, ...stored, code: null, details: '', isStored: true };

  const findings = records.flatMap(({ finding }) => finding ?? []);
  const telling = [...findings.filter(({ result }) => result !== 'ok'), ...advice].toSorted(
    (one, other) => WORST_FIRST.indexOf(one.result) - WORST_FIRST.indexOf(other.result),
  );
  return {
    about: `${name}, in the DNS now`,
    ...liveWords(findings, worstOf(records), advice.length > 0),
    code: telling[0]?.code ?? null,
    details: `${tell(telling)}${records.length === 0 ? 'No record is listed.' : `Stored: ${stored.words}.`}`,
    isStored: false,
  };
}

/** The first has its code before it already. */
function tell(findings: readonly Finding[]): string {
  const told = findings
    .slice(0, TOLD)
    .map(({ code, diagnosis }, index) => (index === 0 ? diagnosis : `${code}: ${diagnosis}`));
  const rest = findings.length - told.length;
  return [...told, ...(rest > 0 ? [`And ${rest} more.`] : [])].map((sentence) => `${sentence} `).join('');
}

const share = (part: number, all: number, word: string) =>
  part === all ? `${all} ${word}` : `${part} ${word} of ${all}`;

function liveWords(findings: readonly Finding[], worst: Result | null, hasAdvice: boolean) {
  if (worst === null) return { tone: 'warn' as const, words: 'advice' };
  if (worst === 'ok' && hasAdvice) return { tone: 'warn' as const, words: `${findings.length} right, advice` };
  const count = findings.filter(({ result }) => result === worst).length;
  return { tone: RESULTS[worst].tone, words: share(count, findings.length, counted(worst)) };
}

function storedWords(records: readonly KnownRecord[]): { tone: Tone; words: string } {
  const count = (verdict: boolean | null) => records.filter(({ record }) => record.is_valid === verdict).length;
  if (count(false) > 0) return { tone: 'bad', words: share(count(false), records.length, 'not valid') };
  if (count(null) > 0) return { tone: 'neutral', words: share(count(null), records.length, 'without a verdict') };
  return { tone: 'good', words: share(count(true), records.length, 'valid') };
}

/** The worst first; where nothing tells two apart, as they are listed. */
export function worstFirst(rows: readonly FleetRow[]): FleetRow[] {
  return rows
    .map((row) => ({ row, rank: rankOf(row), bad: badIn(row) }))
    .toSorted((one, other) => one.rank - other.rank || other.bad - one.bad)
    .map(({ row }) => row);
}

/** What the DNS says counts; what was only stored stands among it by how much it worries. */
function rankOf(row: FleetRow): number {
  if (row.isAlarm) return 0;
  if (row.result === null) {
    if (row.records.some(({ record }) => record.is_valid === false)) return 2;
    return row.records.length > 0 && row.records.every(({ record }) => record.is_valid === true) ? 7 : 6;
  }
  return { fail: 1, unknown: 3, pending: 4, warn: 5, ok: 8 }[row.result];
}

function badIn({ records }: FleetRow): number {
  return records.filter(({ record, finding }) =>
    finding === null ? record.is_valid === false : finding.result === 'fail',
  ).length;
}

export const FILTERS = ['all', 'fail', 'unknown', 'pending', 'warn', 'ok', 'unchecked', 'alarm'] as const;
export type Filter = (typeof FILTERS)[number];

export const FILTER_WORDS: Record<Filter, string> = {
  all: 'All',
  fail: RESULTS.fail.word,
  unknown: RESULTS.unknown.word,
  pending: RESULTS.pending.word,
  warn: 'Advice',
  ok: RESULTS.ok.word,
  unchecked: 'Not checked',
  alarm: 'Stored valid, DNS broken',
};

export function passes(row: FleetRow, filter: Filter): boolean {
  if (filter === 'all') return true;
  if (filter === 'alarm') return row.isAlarm;
  return filter === (row.result ?? 'unchecked');
}

export function tallyOf(rows: readonly FleetRow[]): Record<Filter, number> {
  const count = (filter: Filter) => rows.filter((row) => passes(row, filter)).length;
  return Object.fromEntries(FILTERS.map((filter) => [filter, count(filter)])) as Record<Filter, number>;
}

/** "10 right, 3 wrong": what checks of these came to, the best first; empty when none is checked. */
export function resultsInWords(rows: readonly FleetRow[]): string {
  const tally = tallyOf(rows);
  return (['ok', 'warn', 'pending', 'unknown', 'fail'] as const)
    .filter((result) => tally[result] > 0)
    .map((result) => `${tally[result]} ${counted(result)}`)
    .join(', ');
}
