import { type DmarcRecord, isDmarc, readDmarc } from './dmarcRecord.ts';

// How receivers find the DMARC record and the organisational domain of a name (RFC 9989, section 4.10).

const QUESTIONS_MAX = 8;

/** What is published for `domain`, at `_dmarc` below it. */
export type Step = { domain: string; texts: readonly string[]; record: DmarcRecord | null };

/** The domains whose records receivers look for, in their order. */
export function walkTargets(domain: string): string[] {
  const labels = domain.split('.');
  const above = labels.slice(Math.max(1, labels.length - QUESTIONS_MAX + 1));
  return [domain, ...above.map((_, index) => above.slice(index).join('.'))];
}

/** Receivers discard what is no DMARC record, and several of them. */
export function stepOf(domain: string, texts: readonly string[]): Step {
  const records = texts.filter(isDmarc);
  return { domain, texts, record: records.length === 1 ? readDmarc(records[0] ?? '') : null };
}

/** Whether the record says that no domain above counts: it is of an organisation, or of a registry. */
export function endsWalk({ record }: Step): boolean {
  return /^[yn]$/i.test(record?.tags.get('psd') ?? '');
}

/** The domain that names with the same one are aligned by. */
export function organisationOf(steps: readonly Step[]): string {
  const found = steps.filter(({ record }) => record !== null);
  const [start] = steps;
  const highest = found.at(-1);
  if (start === undefined || highest === undefined) return start?.domain ?? '';
  if (highest === start || !isRegistryRecord(highest)) return highest.domain;
  const labelsBelow = highest.domain.split('.').length + 1;
  return start.domain.split('.').slice(-labelsBelow).join('.');
}

/** The record that counts for mail from the domain where the walk started: its own, its organisation's, its registry's. */
export function applyingStep(steps: readonly Step[]): Step | null {
  const own = steps.at(0);
  if (own === undefined || own.record !== null) return own ?? null;
  const organisation = organisationOf(steps);
  const found = steps.filter(({ record }) => record !== null);
  return found.find(({ domain }) => domain === organisation) ?? found.findLast(isRegistryRecord) ?? null;
}

function isRegistryRecord({ record }: Step): boolean {
  return record?.tags.get('psd')?.toLowerCase() === 'y';
}
