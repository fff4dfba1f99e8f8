import type { LookUpCount } from '../catalogue/spfBreak.ts';
import type { LookUp } from '../resolution.ts';
import { evaluateAs } from './evaluateAs.ts';
import { ownTerm } from './evaluation.ts';
import { shortened } from './shortened.ts';

/** Whoever needs twice what is allowed has more to do than to count. */
const COUNTED = { lookUps: 20, voids: Number.POSITIVE_INFINITY };

/** How many look-ups `text` at `name` would need, beyond what receivers allow. */
export async function countLookUps(text: string, name: string, lookUp: LookUp): Promise<LookUpCount> {
  // Only other SPF records have more terms in them. Whose addresses the rest has does not matter here.
  const onlyTexts: LookUp = async (asked, type) =>
    type === 'TXT' ? lookUp(asked, type) : { name: asked, type, records: [], isNxdomain: false, reason: '' };
  const { lookUps, faults, opaque } = await evaluateAs(text, name, onlyTexts, { limits: COUNTED });
  const byTerm = Map.groupBy(lookUps, ownTerm);
  return {
    count: lookUps.length,
    isMore: faults.length > 0 || opaque.some((term) => /^[+\-~?]?include:|^redirect=/i.test(term.text)),
    terms: [...byTerm].map(([term, all]) => ({ term: shortened(term), lookUps: all.length })),
  };
}
