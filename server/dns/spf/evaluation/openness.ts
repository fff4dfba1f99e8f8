import { type AddressSet, ALL_IPV4, countOf, difference, intersection, network } from './addressSet.ts';
import type { SpfEvaluation, PassTerm } from './evaluation.ts';

/** The public addresses. Other IPv6 networks are not assigned (RFC 3587). */
const GLOBAL_IPV6 = network('2000::', 3);

/** A larger share of all addresses is more than any provider has. */
const OPEN_FRACTION = 8n;

export function percentOf(set: AddressSet): number {
  return Math.floor(shareOf(set) * 100);
}

/** From 0 to 1, separately for each family: an IPv6 network always has more addresses than all of IPv4. */
function shareOf(set: AddressSet): number {
  return Math.max(
    ...[ALL_IPV4, GLOBAL_IPV6].map((all) => Number(countOf(intersection(set, all))) / Number(countOf(all))),
  );
}

/** Whether a set is too large to be a list of senders: at least an eighth of all IPv4 or IPv6 addresses. */
export function isOpen(set: AddressSet): boolean {
  return [ALL_IPV4, GLOBAL_IPV6].some((all) => countOf(intersection(set, all)) * OPEN_FRACTION >= countOf(all));
}

/** Upper limit, because each one is evaluated. */
const OPENERS_MAX = 20;

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
