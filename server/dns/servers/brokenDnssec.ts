import { isWithin } from '#contract/values/dnsName.ts';
import { type CheckRun, classifyExchangeError, toUsableResponse } from '../conversation/conversation.ts';
import { isPublicSuffix, parentOf } from '../wire/names.ts';

/** The zone whose DNSSEC is broken, and the zone with its DS record: empty for a registry, null when it is not known. */
export type BrokenZone = { zone: string; above: string | null };

/**
 * The highest zone above `name` that resolvers cannot validate, when they cannot validate `name`; null when it is not
 * known. The DS record that leads to it is in the zone above (RFC 4035, section 2.4).
 */
export async function findBrokenZone(run: CheckRun, name: string): Promise<BrokenZone | null> {
  let broken: string | null = null;
  for (let at = name; at !== '' && !isPublicSuffix(at);) {
    const exchange = await run.resolve(at, 'SOA', { isUnchecked: true });
    const response = exchange && toUsableResponse(exchange);
    if (response === null) return broken === null ? null : { zone: broken, above: null };
    const zone = response.authority?.zone;
    if (zone === undefined || !isWithin(at, zone)) {
      // An alias, whose response is about its target.
      at = parentOf(at);
      continue;
    }
    if (isPublicSuffix(zone)) break;
    if (broken !== null) {
      const checked = await run.resolve(zone, 'SOA');
      if (checked === null || classifyExchangeError(checked) !== 'SERVFAIL')
        return { zone: broken, above: checked !== null && toUsableResponse(checked) !== null ? zone : null };
    }
    broken = zone;
    at = parentOf(zone);
  }
  return broken === null ? null : { zone: broken, above: '' };
}
