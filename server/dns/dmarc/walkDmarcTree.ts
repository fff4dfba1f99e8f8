import type { LookUp, Resolution } from '../resolution.ts';
import type { DmarcRecord } from './dmarcRecord.ts';
import { findApplicableStep, endsWalk, pickDmarcRecord, type TreeWalkStep, walkTargets } from './treeWalk.ts';

type QueriedStep = TreeWalkStep & { texts: readonly string[] };

/** A walk up from `domain`. `unanswered` is the query that failed, if the walk ended there. */
type TreeWalk = { domain: string; steps: readonly QueriedStep[]; unanswered: Resolution | null };

/** Queries the DMARC records that may apply to `domain`, beginning with its own. */
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

/** The texts of TXT records, sorted. */
export function textsOf({ records }: Resolution): string[] {
  return (records ?? []).map(({ value }) => value).toSorted();
}

/** The record of a parent domain that applies when the domain has none; null when there is none. */
export function findInheritedRecord({ domain, steps }: TreeWalk): { domain: string; record: DmarcRecord } | null {
  const above = findApplicableStep(domain, steps.slice(1));
  return above && { domain: above.domain, record: above.record };
}
