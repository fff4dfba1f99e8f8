import type { ReadableDomain } from '#contract/domains/domain.ts';
import { advicePurpose, recordPurpose } from '#contract/receivers/purpose.ts';
import { isWithin, relativeTo } from '#contract/values/dnsName.ts';
import type { ReadReport } from '../check/latestCheck.ts';
import { type Item, stateOf } from '../records/items.ts';

/** What the check knows of the DMARC record. Times are milliseconds since the epoch. */
export type KnownDmarc = {
  texts: readonly string[] | null;
  isInherited: boolean;
  alignedSince: number | null;
  recordSince: number | null;
  /** Where the record of the domain itself is: full, and relative to the zone; null without a zone. */
  name: string;
  host: string | null;
  /** Whether the listed record is to be corrected first. */
  isBeingFixed: boolean;
};

export function readDmarc(domain: ReadableDomain, items: readonly Item[], report: ReadReport | undefined): KnownDmarc {
  const isDmarc = ({ about, record }: Item) =>
    (record === null ? advicePurpose(about ?? '') : recordPurpose(record, domain)) === 'dmarc';
  const own = items.filter(isDmarc);
  const item = own.find(({ finding }) => finding !== null && finding.found.length > 0) ?? own[0];
  const finding = item?.finding ?? null;
  const name = `_dmarc.${domain.name}`;
  const zone = finding?.zone ?? null;
  const alignment = report?.verdicts.find(({ subject }) => subject === 'alignment');
  return {
    texts: finding === null || finding.result === 'unknown' ? null : finding.found,
    isInherited: finding !== null && (finding.code.startsWith('DMARC_INHERITED') || isOfParent(finding, name)),
    alignedSince: alignment?.result === 'ok' ? Date.parse(alignment.since) : null,
    recordSince: item?.verdict === undefined ? null : Date.parse(item.verdict.since),
    name,
    host: zone !== null && isWithin(name, zone) ? relativeTo(name, zone) : null,
    isBeingFixed: own.some((one) => one.record !== null && one.finding?.fix && stateOf(one) !== 'accepted'),
  };
}

type Seen = Pick<NonNullable<Item['finding']>, 'found' | 'evidence'>;

/** Whether what was found was found at another name only, which is that of a domain above. */
function isOfParent({ found, evidence }: Seen, name: string): boolean {
  const names = evidence.flatMap(({ records }) =>
    records.filter(({ type, value }) => type === 'TXT' && found.includes(value)).map((record) => fold(record.name)),
  );
  return names.length > 0 && !names.includes(fold(name));
}

const fold = (name: string) => name.toLowerCase().replace(/\.$/, '');
