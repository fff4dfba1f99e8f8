import type { Finding } from '#contract/dnsCheck.ts';
import type { RecordFields } from './recordFields.ts';

export type PublishedRecord = { type: string | null; value: string };

type ExpectedRecord = Pick<RecordFields, 'type' | 'name' | 'value'>;

export function findConflicts(
  wanted: ExpectedRecord,
  { found, evidence }: Pick<Finding, 'found' | 'evidence'>,
): PublishedRecord[] {
  const seen = evidence.flatMap(({ records }) => records);
  const here = seen.filter(({ name }) => fold(name) === fold(wanted.name));
  // `found` also has records at a wrong name or an alias's target; the evidence has their names.
  const unplaced = found.filter((value) => !seen.some((record) => record.value === value));
  const all: PublishedRecord[] = [...here, ...unplaced.map((value) => ({ type: null, value }))];
  const obstacles = all.filter((one) => excludes(wanted, one) || isOfSameType(wanted, one));
  const distinct = new Map(obstacles.map(({ type, value }) => [`${type} ${value}`, { type, value }]));
  return [...distinct.values()];
}

export function excludes(wanted: ExpectedRecord, { type, value }: PublishedRecord): boolean {
  const kind = wanted.type.toUpperCase();
  if (kind === 'CNAME' || type?.toUpperCase() === 'CNAME') return true;
  return kind === 'TXT' && /^TXT$/i.test(type ?? 'TXT') && isSecond(wanted, value);
}

export function findSingletonKind({ type, name, value }: ExpectedRecord): 'SPF' | 'DMARC' | 'DKIM' | null {
  if (type.toUpperCase() !== 'TXT') return null;
  if (/^v=spf1(\s|$)/i.test(value)) return 'SPF';
  if (/^_dmarc\./i.test(name)) return 'DMARC';
  return /(^|\.)_domainkey\./i.test(name) ? 'DKIM' : null;
}

/** Malformed records count too: two SPF records at one name are invalid. */
function isSecond(wanted: ExpectedRecord, value: string): boolean {
  const kind = findSingletonKind(wanted);
  return kind === 'SPF' ? /spf/i.test(value) : kind !== null;
}

/** Other types allow several records, but adding one doesn't fix a wrong one. */
function isOfSameType(wanted: ExpectedRecord, { type }: PublishedRecord): boolean {
  return wanted.type.toUpperCase() !== 'TXT' && (type ?? wanted.type).toUpperCase() === wanted.type.toUpperCase();
}

function fold(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
