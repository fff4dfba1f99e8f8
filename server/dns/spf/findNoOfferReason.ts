import type { NoOfferReason } from '../catalogue/spfOfferFacts.ts';
import type { LookUp } from '../resolution.ts';
import { toPermerrorFacts } from './toPermerrorFacts.ts';
import { countLookUps } from './countLookUps.ts';
import { type SpfEvaluation, findPermerror, findUnanswered } from './evaluation.ts';
import { listOpeners } from './openness.ts';
import { truncateTerm } from './truncateTerm.ts';

type FailedRecord = {
  /** The record that was tried, and its evaluation. */
  record: string;
  evaluation: SpfEvaluation;
  name: string;
  /** The published record; null when there is not exactly one that receivers can parse. */
  current: string | null;
  lookUp: LookUp;
};

/** Finds out why a record with all required terms does not work. */
export async function findNoOfferReason({
  record,
  evaluation,
  name,
  current,
  lookUp,
}: FailedRecord): Promise<NoOfferReason> {
  const unasked = findUnanswered(evaluation);
  if (unasked !== null) return { kind: 'unasked', target: truncateTerm(unasked.target), reason: unasked.reason };
  const fault = findPermerror(evaluation);
  if (fault?.kind === 'lookUps') {
    const before = current === null ? null : await countLookUps(current, name, lookUp);
    const now = before === null || before.isMore ? null : before.count;
    return { kind: 'lookUps', now, ...(await countLookUps(record, name, lookUp)) };
  }
  if (fault !== null) return { kind: 'broken', fault: toPermerrorFacts(fault) };
  const opener = listOpeners(evaluation).find(({ way }) => way.length > 0);
  if (opener === undefined) return { kind: 'conflict' };
  return { kind: 'open', at: truncateTerm(opener.at), by: truncateTerm(opener.way[0] ?? '') };
}
