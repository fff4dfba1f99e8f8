import { type Finding, LIST_MAX } from '#contract/domains/dnsCheck.ts';
import { formatData, formatPublished, normalizeOwner, type RecordData } from './recordData.ts';

/** What a finding shows of the DNS. */
export type PublishedRecords = {
  /** At any name, each once. */
  records: readonly RecordData[];
  /** Found, but at a name that isn't known. */
  unplaced: readonly string[];
  /** Whether name servers of the zone responded, not only resolvers. */
  isAuthoritative: boolean;
  /** Whether all responses with records of this name and type have exactly these, and nothing was left out. */
  isComplete: (name: string, type: string) => boolean;
  /** Seconds, of name servers; null if unknown. */
  ttlOf: (name: string, type: string) => number | null;
};

export function readPublished({ evidence, found }: Pick<Finding, 'evidence' | 'found'>): PublishedRecords {
  const responses = evidence.filter(({ answer }) => answer === 'NOERROR' || answer === 'NXDOMAIN');
  // A resolver may cache what isn't in the zone any more.
  const ofServers = responses.filter(({ server }) => server !== null);
  const counted = ofServers.length > 0 ? ofServers : responses;
  const sets = counted.map(({ records }) => records.map(toRecordData));
  const all = sets.flat();
  const values = new Set(evidence.flatMap(({ records }) => records.map(({ value }) => foldValue(value))));
  return {
    records: [...new Map(all.map((one) => [keyOf(one), one])).values()],
    unplaced: found.filter((value) => !values.has(foldValue(value))),
    isAuthoritative: ofServers.length > 0,
    isComplete: (name, type) => {
      const some = sets.map((set) => set.filter(isOf(name, type)));
      const filled = some.filter((set) => set.length > 0);
      const distinct = new Set(filled.map((set) => JSON.stringify(set.map(keyOf).toSorted())));
      return (
        distinct.size <= 1 &&
        sets.every((set) => set.length < LIST_MAX) &&
        filled.every((set) => new Set(set.map(keyOf)).size === set.length && set.every(isCertain))
      );
    },
    ttlOf: (name, type) => {
      const there = ofServers.flatMap(({ records }) => records.filter((one) => isOf(name, type)(toRecordData(one))));
      return there[0]?.ttl ?? null;
    },
  };
}

/** `found` has names in lower case, the evidence as they were sent. */
export function foldValue(value: string): string {
  return value.toLowerCase().replace(/\.$/, '');
}

function toRecordData({ name, type, value, strings }: Finding['evidence'][number]['records'][number]): RecordData {
  const [, priority, host] = (type === 'MX' && /^(\d{1,5}) (.+)$/s.exec(value)) || [];
  return {
    name: normalizeOwner(name) ?? name,
    type,
    value: host ?? value,
    priority: host === undefined ? null : Number(priority),
    ...(strings !== undefined && { strings }),
  };
}

const isOf = (name: string, type: string) => (one: RecordData) => one.name === name && one.type === type;

const keyOf = (one: RecordData) =>
  JSON.stringify([one.name, one.type, formatPublished(one) ?? [one.priority, one.value]]);

/** A value that ends with an ellipsis may be cut. */
function isCertain(one: RecordData): boolean {
  return formatData(one) !== null && !one.value.endsWith('…');
}
