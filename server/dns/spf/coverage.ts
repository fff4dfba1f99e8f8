import { type AddressSet, difference, ALL_ADDRESSES, intersection, isSubset, union } from './evaluation/addressSet.ts';
import { type SpfEvaluation, topLevelTerm, type PassTerm } from './evaluation/evaluation.ts';
import { isOpen } from './evaluation/openness.ts';

export type Coverage = {
  /** Terms of the expected record whose senders are allowed only because their current addresses are listed. */
  byAddress: readonly string[];
  missing: readonly MissingSenders[];
  refused: AddressSet;
};

export type MissingSenders = { text: string; senders: AddressSet };

export function computeCoverage(expected: SpfEvaluation, published: SpfEvaluation): Coverage {
  const asked = expected.positives.filter(({ way }) => way.length === 0);
  const left = asked.filter((term) => !isReached(term, expected, published));
  const byAddress = left.filter((term) => term.key !== null && isCovered(term, expected, published));
  const missing = left.filter((term) => !byAddress.includes(term));
  return {
    byAddress: byAddress.map(({ text }) => text),
    missing: missing.map((term) => ({ text: term.text, senders: sendersOf(term, expected) })),
    refused:
      missing.length === 0
        ? difference(expected.sets.pass, union(published.sets.pass, published.sets.permerror, published.sets.temperror))
        : [],
  };
}

function sendersOf({ passes }: PassTerm, expected: SpfEvaluation): AddressSet {
  return intersection(passes, expected.sets.pass);
}

/**
 * Whether the published record reaches the same term, before earlier terms have denied all or very many of its senders.
 */
function isReached(term: PassTerm, expected: SpfEvaluation, { positives, sets }: SpfEvaluation): boolean {
  const { key } = term;
  const senders = sendersOf(term, expected);
  if (key === null) return isSubset(senders, sets.pass);
  const isRefused = senders.length > 0 && intersection(senders, union(sets.pass, sets.permerror)).length === 0;
  if (isRefused) return false;
  return positives.some((one) => {
    // An alias of the name of the provider leads to the same record, whatever that becomes.
    const isAlias = one.owner !== undefined && key === `include:${one.owner}`;
    const isSame = one.key === key || isAlias;
    return isSame && !isOpen(difference(ALL_ADDRESSES, union(one.undecided, sets.pass)));
  });
}

function isCovered(term: PassTerm, expected: SpfEvaluation, { sets }: SpfEvaluation): boolean {
  const senders = sendersOf(term, expected);
  const isKnown = !expected.opaque.some((met) => met.isPositive && topLevelTerm(met) === term.text);
  return isKnown && senders.length > 0 && isSubset(senders, sets.pass);
}
