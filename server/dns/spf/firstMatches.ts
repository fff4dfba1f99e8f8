import { type AddressSet, difference, union } from './addressSet.ts';
import type { AddressMechanism, Qualifier } from './parseSpf.ts';

/**
 * Addresses by the result of the first term that matches them. Computed by halves: one term after another would take
 * minutes for a record of the size of a response.
 */
export function firstMatches(terms: readonly AddressMechanism[]): ReadonlyMap<Qualifier, AddressSet> {
  const [first] = terms;
  if (first === undefined) return new Map();
  // The order does not matter within terms of one result, and most records have only those.
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
