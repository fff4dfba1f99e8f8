import { asComments, type FileFormat, groupByZone, NO_ZONE } from './fileFormat.ts';
import type { RecordChange } from './recordChanges.ts';
import { formatData, formatPublished, isSameRecord, type RecordData } from './recordData.ts';

/** RFC 2136, as BIND's nsupdate reads it. Each zone is one update, which its conditions make all or nothing. */
export const nsupdate: FileFormat = {
  comment: ';',
  deletes: true,
  usage: [
    "Apply it with: nsupdate -k KEYFILE FILE. It's refused if the records are no longer as the check found them.",
  ],
  refuse: (change) => {
    if (change.zone === null) return NO_ZONE;
    return change.isKnown ? null : "What's there isn't known exactly, so that the update can't depend on it.";
  },
  write: (changes) =>
    [...groupByZone(changes)].flatMap(([zone, inZone]) => [
      `zone ${zone}.`,
      ...new Set(inZone.flatMap(conditionsFor)),
      ...inZone.flatMap((change) => [...asComments(';', [change.todo]), ...updatesFor(change)]),
      'send',
    ]),
};

function rr({ name, type }: RecordData, data: string | null): string {
  return `${name}. IN ${type}${data === null ? '' : ` ${data}`}`;
}

/** A server ignores a record that may not stand next to a CNAME (RFC 2136, section 3.4.2.2): it has to refuse it. */
function conditionsFor({ record, published, removed }: RecordChange): string[] {
  const others = removed.filter(({ type }) => type !== record.type);
  const before = [...published, ...others];
  const conditions = before.map((one) => `prereq yxrrset ${rr(one, formatPublished(one))}`);
  if (before.length === 0 && record.type === 'CNAME') return [`prereq nxdomain ${record.name}.`];
  if (published.length > 0) return conditions;
  const isAlias = others.some(({ type }) => type === 'CNAME');
  const absent = [record.type, ...(record.type === 'CNAME' || isAlias ? [] : ['CNAME'])];
  return [...conditions, ...absent.map((type) => `prereq nxrrset ${rr({ ...record, type }, null)}`)];
}

const deletion = (one: RecordData) => `update delete ${rr(one, formatPublished(one))}`;

function updatesFor({ record, published, removed, misplaced, ttl }: RecordChange): string[] {
  const isThere = published.some((one) => isSameRecord(one, record));
  return [
    ...new Set(removed.map(deletion)),
    ...(isThere ? [] : [`update add ${record.name}. ${ttl} IN ${record.type} ${formatData(record)}`]),
    ...misplaced.map(deletion),
  ];
}
