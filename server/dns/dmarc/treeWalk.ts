import { type DmarcRecord, isDmarc, readDmarc } from './dmarcRecord.ts';
import type { LookUp, Resolution } from '../conversation/lookUp.ts';

// How receivers find the DMARC record and the organisational domain of a name (RFC 9989, section 4.10).

const QUERIES_MAX = 8;

export type TreeWalkStep = { domain: string; record: DmarcRecord | null };

export function walkTargets(domain: string): string[] {
  const labels = domain.split('.');
  const above = labels.slice(Math.max(1, labels.length - QUERIES_MAX + 1));
  return [domain, ...above.map((_, index) => above.slice(index).join('.'))];
}

export function pickDmarcRecord(texts: readonly string[]): DmarcRecord | null {
  const [record, ...others] = texts.filter(isDmarc);
  return record === undefined || others.length > 0 ? null : readDmarc(record);
}

/** Whether the record ends the walk: it belongs to an organisation or a registry. */
function endsWalk({ record }: TreeWalkStep): boolean {
  return /^[yn]$/i.test(record?.tags.get('psd') ?? '');
}

export function findOrganisationalDomain(start: string, steps: readonly TreeWalkStep[]): string {
  const highest = steps.findLast(hasRecord);
  if (highest === undefined || highest.domain === start) return start;
  if (!isPublicSuffixStep(highest)) return highest.domain;
  const labelsBelow = highest.domain.split('.').length + 1;
  return start.split('.').slice(-labelsBelow).join('.');
}

/** The record that applies to `start`: its own, its organisation's or its registry's. */
export function findApplicableStep<Walked extends TreeWalkStep>(
  start: string,
  steps: readonly Walked[],
): (Walked & { record: DmarcRecord }) | null {
  const found = steps.filter(hasRecord);
  const at = (domain: string) => found.find((step) => step.domain === domain);
  return at(start) ?? at(findOrganisationalDomain(start, steps)) ?? found.findLast(isPublicSuffixStep) ?? null;
}

/** Whether the record belongs to a registry, below which each domain has another owner. */
export function isPublicSuffixStep({ record }: TreeWalkStep): boolean {
  return record?.tags.get('psd')?.toLowerCase() === 'y';
}

function hasRecord<Any extends TreeWalkStep>(step: Any): step is Any & { record: DmarcRecord } {
  return step.record !== null;
}

type QueriedStep = TreeWalkStep & { texts: readonly string[] };

/** A walk up from `domain`. `unanswered` is the query that failed, if the walk ended there. */
type TreeWalk = { domain: string; steps: readonly QueriedStep[]; unanswered: Resolution | null };

export async function walkDmarcTree(domain: string, lookUp: LookUp): Promise<TreeWalk> {
  const steps: QueriedStep[] = [];
  for (const target of walkTargets(domain)) {
    const resolution = await lookUp(`_dmarc.${target}`, 'TXT');
    if (resolution.records === null) return { domain, steps, unanswered: resolution };
    const texts = textsOf(resolution);
    const step = { domain: target, record: pickDmarcRecord(texts), texts };
    steps.push(step);
    if (endsWalk(step)) break;
  }
  return { domain, steps, unanswered: null };
}

export function textsOf({ records }: Resolution): string[] {
  return (records ?? []).map(({ value }) => value).toSorted();
}

export function findInheritedRecord({ domain, steps }: TreeWalk): { domain: string; record: DmarcRecord } | null {
  const above = findApplicableStep(domain, steps.slice(1));
  return above && { domain: above.domain, record: above.record };
}
