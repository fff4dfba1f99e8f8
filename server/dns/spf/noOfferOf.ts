import type { NoOffer } from '../catalogue/spfRest.ts';
import type { LookUp } from '../resolution.ts';
import { breakOf } from './breakOf.ts';
import { countLookUps } from './countLookUps.ts';
import { type Evaluation, permerrorOf, unaskedOf } from './evaluation.ts';
import { openersOf } from './openness.ts';
import { shortened } from './shortened.ts';

type Tried = {
  /** The record that was tried, and what it came to. */
  record: string;
  evaluation: Evaluation;
  name: string;
  /** What is there now; null when that is no single record that receivers can read. */
  current: string | null;
  lookUp: LookUp;
};

/** Why a record that has all that it should have does not work. */
export async function noOfferOf({ record, evaluation, name, current, lookUp }: Tried): Promise<NoOffer> {
  const unasked = unaskedOf(evaluation);
  if (unasked !== null) return { kind: 'unasked', target: shortened(unasked.target), reason: unasked.reason };
  const fault = permerrorOf(evaluation);
  if (fault?.kind === 'lookUps') {
    const before = current === null ? null : await countLookUps(current, name, lookUp);
    const now = before === null || before.isMore ? null : before.count;
    return { kind: 'lookUps', now, ...(await countLookUps(record, name, lookUp)) };
  }
  if (fault !== null) return { kind: 'broken', fault: breakOf(fault) };
  const opener = openersOf(evaluation).find(({ way }) => way.length > 0);
  if (opener === undefined) return { kind: 'conflict' };
  return { kind: 'open', at: shortened(opener.at), by: shortened(opener.way[0] ?? '') };
}
