import { isWithin } from '#contract/values/dnsName.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { classifyExchangeError, toUsableResponse } from '../conversation/exchange.ts';
import { isPublicSuffix, parentOf } from '../wire/names.ts';

/** The zone whose DNSSEC is broken, and the zone with its DS record: empty for a registry, null when it is not known. */
export type BrokenZone = { zone: string; above: string | null };

/**
 * The highest zone above `name` that resolvers cannot validate, when they cannot validate `name`; null when it is not
 * known. The DS record that leads to it is in the zone above (RFC 4035, section 2.4).
 */
export async function findBrokenZone(conversation: Conversation, name: string): Promise<BrokenZone | null> {
  let broken: string | null = null;
  for (let at = name; at !== '' && !isPublicSuffix(at);) {
    const response = toUsableResponse(await conversation.resolve(at, 'SOA', { isUnchecked: true }));
    if (response === null) return broken === null ? null : { zone: broken, above: null };
    const zone = response.authority?.zone;
    if (zone === undefined || !isWithin(at, zone)) {
      // An alias, whose response is about its target.
      at = parentOf(at);
      continue;
    }
    if (isPublicSuffix(zone)) break;
    if (broken !== null) {
      const checked = await conversation.resolve(zone, 'SOA');
      if (checked === null || classifyExchangeError(checked) !== 'SERVFAIL')
        return { zone: broken, above: toUsableResponse(checked) === null ? null : zone };
    }
    broken = zone;
    at = parentOf(zone);
  }
  return broken === null ? null : { zone: broken, above: '' };
}
