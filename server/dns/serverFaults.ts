import type { Inspection } from './inspection.ts';
import { troubleOf, usable } from './run.ts';
import { judged, none, type Verdict } from './verdict.ts';

/** A name server that does not have the zone says one of these, or refers to somebody else. */
const NOT_IN_CHARGE = ['REFUSED', 'NOTAUTH', 'not in charge'];
/** They were not asked at all, which says nothing about them. */
const NOT_ASKED = ['out of time', 'too many questions'];

/**
 * Why resolvers get no answer about a name, by what its name servers did when they were asked directly. `right` is what some
 * of them said; null when none said anything. Null where nothing shows why.
 */
export async function causeOf(inspection: Inspection, right: Verdict | null): Promise<Verdict | null> {
  const { delegation, troubles, base } = inspection;
  const { exchanges, servers, serverNames, withoutAddress, above } = delegation;
  const zone = delegation.zone || base;
  if (right !== null) {
    const bare = exchanges.filter((exchange) => usable(exchange)?.isWithoutEdns).map(({ server }) => server.name ?? '');
    return bare.length > 0 ? judged(right, 'NAMESERVERS_DROP_EDNS', { servers: bare }) : null;
  }
  if (servers.length === 0) {
    return withoutAddress.length > 0 ? none('NAMESERVERS_WITHOUT_ADDRESS', { zone, names: serverNames }) : null;
  }
  // So many referrals that nobody came to the end.
  if (exchanges.length === 0) return null;
  const did = (...kinds: readonly string[]) => exchanges.every((exchange) => kinds.includes(troubleOf(exchange)));
  const addresses = servers.map(({ name, address }) => `${name} at ${address}`);
  if (did('refused address')) return none('NAMESERVERS_PRIVATE', { zone, servers: addresses });
  if (did('no route')) return none('NAMESERVERS_NO_ROUTE', { zone, servers: addresses });
  if (did('truncated')) return none('NAMESERVERS_WITHOUT_TCP', { zone, troubles });
  if (did(...NOT_IN_CHARGE)) {
    const isBelowDomain = zone !== base && zone.endsWith(`.${base}`);
    return none('LAME_DELEGATION', { zone, above: above?.zone ?? '', isBelowDomain, troubles });
  }
  const isMissing = withoutAddress.map((name) => `${name}: no address`);
  if (did(...NOT_ASKED)) return none('OUT_OF_TIME', {});
  if (did('timeout', 'garbled', 'no route', ...NOT_ASKED)) {
    return none('NAMESERVERS_SILENT', { zone, troubles: [...troubles, ...isMissing] });
  }
  return none('NAMESERVERS_FAIL', { zone, troubles: [...troubles, ...isMissing] });
}
