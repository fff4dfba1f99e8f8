import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domains/domain.ts';
import { storedStatus, type RecordStatus } from '#contract/domains/recordStatus.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import type { ReadReport, ReadVerdict } from '../check/latestCheck.ts';
import { findLatestFindings, type LiveCheck } from '../check/liveCheck.ts';
import { adviceTitle } from '#contract/domains/adviceTitles.ts';
import { classifyRecord, RECORD_KIND_LABELS } from './recordKind.ts';

/** A listed record or a piece of advice, with what is known about it. */
export type Item = {
  key: string;
  /** "DKIM", or what the advice is about. */
  title: string;
  /** What the advice is about; null for a record. */
  about: string | null;
  /** Null for advice. */
  record: ReadableDnsRecord | null;
  finding: Finding | null;
  /** The running check hasn't reached it yet. */
  isWaiting: boolean;
  /** What is stored about it, if that is the same finding. */
  verdict: ReadVerdict | undefined;
};

export type ItemState = RecordStatus | 'accepted';

/** What is known now. Of a record that wasn't checked, what the provider says. */
export function stateOf({ record, finding, verdict }: Item): ItemState {
  if (verdict?.accepted) return 'accepted';
  return finding?.result ?? storedStatus(record?.is_valid ?? null);
}

const ORDER: readonly ItemState[] = ['fail', 'unknown', 'pending', 'warn', 'accepted', 'ok'];

/** What needs fixing comes first, then what was found live, then the order of the domain. */
export function listItems(
  domain: ReadableDomain,
  check: LiveCheck | undefined,
  report: ReadReport | undefined,
  isFetching: boolean,
): Item[] {
  const records = domain.dns ?? [];
  const findings = findLatestFindings(records, check);
  const own = records.map((record, index): Item => {
    const latest = findings[index];
    return {
      key: `record ${index}`,
      title: RECORD_KIND_LABELS[classifyRecord(record, domain)],
      about: null,
      record,
      finding: latest?.finding ?? null,
      isWaiting: isFetching && (latest === undefined || latest.isEarlier),
      verdict: sameVerdict(
        report?.verdicts.find((verdict) => verdict.index === index),
        latest?.finding,
      ),
    };
  });
  const advice = adviceOf(check).map(({ about, finding, isEarlier }, index): Item => {
    const stored = report?.verdicts.find(({ kind, subject }) => kind === 'advice' && subject === about);
    return {
      key: `advice ${index} ${about}`,
      title: escapeInvisible(adviceTitle(about)),
      about,
      record: null,
      finding,
      isWaiting: isFetching && isEarlier,
      verdict: sameVerdict(stored, finding),
    };
  });
  const rank = (item: Item) => 2 * ORDER.indexOf(stateOf(item)) + (item.finding === null ? 1 : 0);
  return [...own, ...advice].toSorted((one, other) => rank(one) - rank(other));
}

/**
 * What several records have in common and none can change: a domain that isn't delegated, name servers that fail. It's said
 * once. Null if there is nothing.
 */
export function findSharedFinding(items: readonly Item[]): Finding | null {
  const said = items.filter((item) => {
    const { finding } = item;
    return (
      item.record !== null && finding !== null && finding.fix === null && !['ok', 'accepted'].includes(stateOf(item))
    );
  });
  const groups = [...Map.groupBy(said, ({ finding }) => finding?.diagnosis).values()];
  const [largest = []] = groups.toSorted((one, other) => other.length - one.length);
  return largest.length > 1 ? (largest[0]?.finding ?? null) : null;
}

export function hasFinding({ finding }: Item, shared: Finding | null): boolean {
  return shared !== null && finding?.code === shared.code && finding.diagnosis === shared.diagnosis && !finding.fix;
}

/** A check may have found something else since. */
function sameVerdict(verdict: ReadVerdict | undefined, finding: Finding | undefined): ReadVerdict | undefined {
  return verdict?.code === finding?.code && verdict?.result === finding?.result ? verdict : undefined;
}

/** The advice of a check. During a check, the earlier advice stays until the first new one. */
function adviceOf(check: LiveCheck | undefined) {
  const { lines = [], earlierLines = [], completion = null } = check ?? {};
  const isEarlier = completion === null && !lines.some(({ kind }) => kind === 'advice');
  const seen = new Set<string>();
  return (isEarlier ? earlierLines : lines).flatMap((line) => {
    if (line.kind !== 'advice' || (isEarlier && seen.has(line.about))) return [];
    seen.add(line.about);
    return { about: line.about, finding: line.finding, isEarlier };
  });
}
