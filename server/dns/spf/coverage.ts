import { type AddressSet, difference, EVERYBODY, intersection, isWithin, union } from './addressSet.ts';
import { type Evaluation, ownTerm, type Positive } from './evaluation.ts';
import { isOpen } from './openness.ts';

/** What a published record does with those whom the expected one lets send. */
export type Coverage = {
  /** Terms of the expected record whose senders may send only because their addresses of today are listed. */
  byAddress: readonly string[];
  /** Terms whose senders may not send, or not all of them. */
  missing: readonly Missing[];
  /** Senders of the others that an earlier term of the published record refuses. */
  refused: AddressSet;
};

export type Missing = { text: string; senders: AddressSet };

export function coverageOf(expected: Evaluation, published: Evaluation): Coverage {
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

/** Whom a term of the expected record lets send there. */
function sendersOf({ passes }: Positive, expected: Evaluation): AddressSet {
  return intersection(passes, expected.sets.pass);
}

/** Whether the published record leads where the term leads, before it decided otherwise about all of them or very many. */
function isReached(term: Positive, expected: Evaluation, { positives, sets }: Evaluation): boolean {
  const { key } = term;
  const senders = sendersOf(term, expected);
  if (key === null) return isWithin(senders, sets.pass);
  const isRefused = senders.length > 0 && intersection(senders, union(sets.pass, sets.permerror)).length === 0;
  if (isRefused) return false;
  return positives.some((one) => {
    const isSame = one.key === key;
    return isSame && !isOpen(difference(EVERYBODY, union(one.undecided, sets.pass)));
  });
}

function isCovered(term: Positive, expected: Evaluation, { sets }: Evaluation): boolean {
  const senders = sendersOf(term, expected);
  const isKnown = !expected.opaque.some((met) => met.isPositive && ownTerm(met) === term.text);
  return isKnown && senders.length > 0 && isWithin(senders, sets.pass);
}
