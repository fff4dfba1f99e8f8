import { topLevelTerm } from './evaluation.ts';
import { evaluateSpfText } from './evaluateSpf.ts';
import type { LookUpCount } from '../../catalogue/spfFacts.ts';
import type { LookUp } from '../../conversation/lookUp.ts';

/** Counting stops at twice the limit. */
const COUNTED = { lookUps: 20, voids: Number.POSITIVE_INFINITY };

export async function countLookUps(text: string, name: string, lookUp: LookUp): Promise<LookUpCount> {
  // Follows only terms that lead to other SPF records. The addresses of other terms do not matter here.
  const onlyTexts: LookUp = async (asked, type) =>
    type === 'TXT' ? lookUp(asked, type) : { name: asked, type, records: [], isNxdomain: false, reason: '' };
  const { lookUps, errors, opaque } = await evaluateSpfText(text, name, onlyTexts, { limits: COUNTED });
  const byTerm = Map.groupBy(lookUps, topLevelTerm);
  return {
    count: lookUps.length,
    isMore: errors.length > 0 || opaque.some((term) => /^[+\-~?]?include:|^redirect=/i.test(term.text)),
    terms: [...byTerm].map(([term, all]) => ({ term, lookUps: all.length })),
  };
}
