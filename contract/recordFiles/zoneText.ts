import { isWithin, normalizeDnsName, relativeTo } from '#contract/values/dnsName.ts';
import { asComments, type FileFormat } from './fileFormat.ts';
import type { RecordChange } from './recordChanges.ts';
import { formatData } from './recordData.ts';

/** RFC 1035, section 5.1, without SOA, as imports of DNS hosts read it. */
export const zoneText: FileFormat = {
  comment: ';',
  usage: ['Import it into the zone, or append it to the zone file. It only adds records.'],
  refuse: (change, all) => {
    const origin = findOrigin(all);
    const { record, zone, domain, removed } = change;
    // Some name servers reject a file for one record of another zone.
    if (origin !== null && zone !== null && zone !== origin) return `In another zone, ${zone}. Import it there.`;
    const around = origin ?? normalizeDnsName(domain) ?? '';
    if (!isWithin(record.name, around)) return `Not in ${around}. Import it where this name is edited.`;
    return removed.length > 0 ? "An import would only add to what's there." : null;
  },
  write: (changes) => {
    const origin = findOrigin(changes);
    // A change without a zone isn't relative to that of others.
    const ownerOf = ({ record: { name }, zone }: RecordChange) =>
      origin !== null && zone === origin ? relativeTo(name, origin) : `${name}.`;
    return [
      ...(origin === null ? [] : [`$ORIGIN ${origin}.`]),
      ...changes.flatMap((change) => [
        ...asComments(';', [change.todo]),
        `${ownerOf(change)}\t${change.ttl}\tIN\t${change.record.type}\t${formatData(change.record)}`,
      ]),
    ];
  },
};

/** The zone of most changes. */
function findOrigin(changes: readonly RecordChange[]): string | null {
  const counts = Map.groupBy(
    changes.flatMap(({ zone }) => zone ?? []),
    (zone) => zone,
  );
  return [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null;
}
