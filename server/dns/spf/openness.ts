import { type AddressSet, ALL_IPV4, countOf, difference, intersection, network } from './addressSet.ts';
import type { SpfEvaluation, PassTerm } from './evaluation.ts';

/** The addresses that can be reached on the Internet; more IPv6 networks are not given out (RFC 3587). */
const GLOBAL_IPV6 = network('2000::', 3);

/** One part in so many is more than any provider has. */
const OPEN_FRACTION = 8n;

/** How much of all IPv4 or IPv6 addresses a set has, whichever is more, in percent. */
export function percentOf(set: AddressSet): number {
  return Math.floor(shareOf(set) * 100);
}

/** Of 1. A network of IPv6 is no large one for having more addresses than there are of IPv4. */
function shareOf(set: AddressSet): number {
  return Math.max(
    ...[ALL_IPV4, GLOBAL_IPV6].map((all) => Number(countOf(intersection(set, all))) / Number(countOf(all))),
  );
}

/** Whether it is no list of senders any more: an eighth of all IPv4 addresses, or of all IPv6 addresses, or more. */
export function isOpen(set: AddressSet): boolean {
  return [ALL_IPV4, GLOBAL_IPV6].some((all) => countOf(intersection(set, all)) * OPEN_FRACTION >= countOf(all));
}

/** Whoever has more of them has to choose. */
const OPENERS_MAX = 20;

/** The terms without which a record would not let everybody send, the widest first. */
export function listOpeners({ positives, sets }: SpfEvaluation): PassTerm[] {
  const openers: PassTerm[] = [];
  const widest = positives
    .filter(({ isFollowed }) => !isFollowed)
    .map((one) => ({ one, share: shareOf(one.passes) }))
    .toSorted((before, after) => after.share - before.share);
  let left = sets.pass;
  for (const { one } of widest) {
    if (!isOpen(left) || openers.length === OPENERS_MAX) break;
    left = difference(left, one.passes);
    openers.push(one);
  }
  return openers;
}
