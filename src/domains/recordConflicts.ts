import type { Finding } from '#contract/dnsCheck.ts';
import type { RecordFields } from './recordFields.ts';

/** Something at a name; of what was found without saying where, the type may be any. */
export type PublishedRecord = { type: string | null; value: string };

type ExpectedRecord = Pick<RecordFields, 'type' | 'name' | 'value'>;

/** What a check saw at the name of `wanted` that it cannot simply be added to. */
export function findConflicts(
  wanted: ExpectedRecord,
  { found, evidence }: Pick<Finding, 'found' | 'evidence'>,
): PublishedRecord[] {
  const seen = evidence.flatMap(({ records }) => records);
  const here = seen.filter(({ name }) => fold(name) === fold(wanted.name));
  // Also found is what stands at a wrong name, or where an alias leads to.
  const unplaced = found.filter((value) => !seen.some((record) => record.value === value));
  const all: PublishedRecord[] = [...here, ...unplaced.map((value) => ({ type: null, value }))];
  const obstacles = all.filter((one) => excludes(wanted, one) || isOfSameType(wanted, one));
  const distinct = new Map(obstacles.map(({ type, value }) => [`${type} ${value}`, { type, value }]));
  return [...distinct.values()];
}

/** Whether `wanted` must not stand beside `other` at the same name. */
export function excludes(wanted: ExpectedRecord, { type, value }: PublishedRecord): boolean {
  const kind = wanted.type.toUpperCase();
  if (kind === 'CNAME' || type?.toUpperCase() === 'CNAME') return true;
  return kind === 'TXT' && /^TXT$/i.test(type ?? 'TXT') && isSecond(wanted, value);
}

/** What there may be only one of at a name: "SPF", "DMARC" or "DKIM"; null for any other record. */
export function findSingletonKind({ type, name, value }: ExpectedRecord): 'SPF' | 'DMARC' | 'DKIM' | null {
  if (type.toUpperCase() !== 'TXT') return null;
  if (/^v=spf1(\s|$)/i.test(value)) return 'SPF';
  if (/^_dmarc\./i.test(name)) return 'DMARC';
  return /(^|\.)_domainkey\./i.test(name) ? 'DKIM' : null;
}

/** Spoilt ones count as well: who mends one of them has two. */
function isSecond(wanted: ExpectedRecord, value: string): boolean {
  const kind = findSingletonKind(wanted);
  return kind === 'SPF' ? /spf/i.test(value) : kind !== null;
}

/** Of the other types, several may stand side by side, but one that is wrong does not become right by another. */
function isOfSameType(wanted: ExpectedRecord, { type }: PublishedRecord): boolean {
  return wanted.type.toUpperCase() !== 'TXT' && (type ?? wanted.type).toUpperCase() === wanted.type.toUpperCase();
}

function fold(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
