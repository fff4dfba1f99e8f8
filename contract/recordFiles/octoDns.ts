import { asComments, type FileFormat, groupByZone, NO_ZONE, type RecordSet, toRecordSets } from './fileFormat.ts';
import { hostOf, type RecordData, targetOf } from './recordData.ts';

/** https://octodns.readthedocs.io/en/latest/records.html */
export const octoDns: FileFormat = {
  comment: '#',
  usage: [
    "Merge it into the zone's YAML file. Each entry has all values of its name and type; other types at the name stay.",
    "It isn't a whole zone: with this file as the only source, octoDNS would delete all other records.",
  ],
  refuse: ({ zone, isKnown, record, published }) => {
    if (zone === null) return NO_ZONE;
    if (!isKnown) return "What else is there isn't known, and a file of octoDNS has all values of a name and type.";
    // It passes them on as they are, and rejects other letters.
    const isPlain = [record, ...published].every(({ type, value }) => type !== 'TXT' || /^[ !#-[\]-~]*$/.test(value));
    return isPlain && record.value !== ''
      ? null
      : "octoDNS can't hold quotes, backslashes or other letters for certain.";
  },
  write: (changes) =>
    [...groupByZone(changes)].flatMap(([zone, inZone], index) => [
      ...(index === 0 ? [] : ['']),
      '---',
      `# ${zone}.yaml`,
      ...[...Map.groupBy(toRecordSets(inZone), ({ name }) => hostOf(name, zone, ''))]
        .toSorted(([one], [other]) => compareNaturally(one, other))
        .flatMap(([host, sets]) => [`${quote(host)}:`, ...sets.toSorted(byType).flatMap(entryOf)]),
    ]),
};

const byType = (one: RecordSet, other: RecordSet) => (one.type < other.type ? -1 : 1);

/** Keys in the order that octoDNS wants: alphabetical. */
function entryOf({ type, ttl, after, todos }: RecordSet): string[] {
  const isSingle = type === 'CNAME';
  return [
    ...asComments('  #', todos),
    `  - ttl: ${ttl}`,
    `    type: ${type}`,
    ...(isSingle ? after.map((one) => `    value: ${valueOf(one)}`) : ['    values:']),
    ...(isSingle ? [] : after.flatMap(valueLines)),
  ];
}

function valueLines(one: RecordData): string[] {
  if (one.type !== 'MX') return [`      - ${valueOf(one)}`];
  return [`      - exchange: ${valueOf(one)}`, `        preference: ${one.priority}`];
}

/** It requires `\;` in a text. */
function valueOf(one: RecordData): string {
  return quote(one.type === 'TXT' ? one.value.replaceAll(';', String.raw`\;`) : (targetOf(one) ?? one.value));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Numbers in names by their value, the rest by code. */
function compareNaturally(one: string, other: string): number {
  const [parts, others] = [one, other].map((name) => name.split(/(\d+)/)) as [string[], string[]];
  for (const [index, part] of parts.entries()) {
    const against = others[index] ?? '';
    if (part === against) continue;
    const isNumber = index % 2 === 1 && against !== '';
    return isNumber ? Number(part) - Number(against) : part < against ? -1 : 1;
  }
  return parts.length - others.length;
}
