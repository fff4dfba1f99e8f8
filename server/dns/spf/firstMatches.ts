import { type AddressSet, difference, union } from './addressSet.ts';
import type { AddressMechanism, Qualifier } from './parseSpf.ts';

/**
 * Whom the first term that matches them lets pass, refuses and so on. By halves, because one term after another would take
 * minutes for a record that is as long as an answer can be.
 */
export function firstMatches(terms: readonly AddressMechanism[]): ReadonlyMap<Qualifier, AddressSet> {
  const [first] = terms;
  if (first === undefined) return new Map();
  // A run of one kind has no order that matters, and most records are one.
  if (terms.every(({ qualifier }) => qualifier === first.qualifier)) {
    return new Map([[first.qualifier, union(...terms.map(({ addresses }) => addresses))]]);
  }
  const half = Math.ceil(terms.length / 2);
  const earlier = firstMatches(terms.slice(0, half));
  const decided = union(...earlier.values());
  const matches = new Map(earlier);
  for (const [qualifier, addresses] of firstMatches(terms.slice(half))) {
    matches.set(qualifier, union(matches.get(qualifier) ?? [], difference(addresses, decided)));
  }
  return matches;
}
