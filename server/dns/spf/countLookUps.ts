import type { LookUpCount } from '../catalogue/spfPermerror.ts';
import type { LookUp } from '../resolution.ts';
import { evaluateSpfText } from './evaluateSpfText.ts';
import { topLevelTerm } from './evaluation.ts';
import { truncateTerm } from './truncateTerm.ts';

/** Whoever needs twice what is allowed has more to do than to count. */
const COUNTED = { lookUps: 20, voids: Number.POSITIVE_INFINITY };

/** How many look-ups `text` at `name` would need, beyond what receivers allow. */
export async function countLookUps(text: string, name: string, lookUp: LookUp): Promise<LookUpCount> {
  // Only other SPF records have more terms in them. Whose addresses the rest has does not matter here.
  const onlyTexts: LookUp = async (asked, type) =>
    type === 'TXT' ? lookUp(asked, type) : { name: asked, type, records: [], isNxdomain: false, reason: '' };
  const { lookUps, faults, opaque } = await evaluateSpfText(text, name, onlyTexts, { limits: COUNTED });
  const byTerm = Map.groupBy(lookUps, topLevelTerm);
  return {
    count: lookUps.length,
    isMore: faults.length > 0 || opaque.some((term) => /^[+\-~?]?include:|^redirect=/i.test(term.text)),
    terms: [...byTerm].map(([term, all]) => ({ term: truncateTerm(term), lookUps: all.length })),
  };
}
