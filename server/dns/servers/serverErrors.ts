import type { Inspection } from '../inspection.ts';
import { basisOf, judge, type Judgement } from '../catalogue/catalogue.ts';
import { classifyExchangeError, NOT_ASKED, toUsableResponse } from '../conversation/exchange.ts';

/** Responses of a name server that does not have the zone. It may also refer to another one. */
const NOT_IN_CHARGE = ['REFUSED', 'NOTAUTH', 'not in charge'];

/** Why resolvers cannot resolve a name; null when nothing explains it. `right` is a response that is right. */
export async function judgeServerErrors(inspection: Inspection, right: Judgement | null): Promise<Judgement | null> {
  const { delegation, baseDomain } = inspection;
  const { all: errors } = inspection.serverErrors;
  const { exchanges, servers, serverNames, withoutAddress, parentDelegation } = delegation;
  const zone = delegation.zone || baseDomain;
  if (right !== null) {
    const bare = exchanges
      .filter((exchange) => toUsableResponse(exchange)?.isWithoutEdns)
      .map(({ server }) => server.name ?? '');
    return bare.length > 0 ? judge('NAMESERVERS_DROP_EDNS', { servers: bare }, basisOf(right)) : null;
  }
  if (servers.length === 0) {
    return withoutAddress.length > 0 ? judge('NAMESERVERS_WITHOUT_ADDRESS', { zone, names: serverNames }) : null;
  }
  // Too many referrals.
  if (exchanges.length === 0) return null;
  const did = (...kinds: readonly string[]) =>
    exchanges.every((exchange) => kinds.includes(classifyExchangeError(exchange)));
  const addresses = servers.map(({ name, address }) => `${name} at ${address}`);
  if (did('refused address')) return judge('NAMESERVERS_PRIVATE', { zone, servers: addresses });
  if (did('no route')) return judge('NAMESERVERS_NO_ROUTE', { zone, servers: addresses });
  if (did('truncated')) return judge('NAMESERVERS_WITHOUT_TCP', { zone, errors });
  if (did(...NOT_IN_CHARGE)) {
    const isBelowDomain = zone !== baseDomain && zone.endsWith(`.${baseDomain}`);
    return judge('LAME_DELEGATION', {
      zone,
      above: parentDelegation?.zone ?? '',
      isBelowDomain,
      errors,
    });
  }
  const isMissing = withoutAddress.map((name) => `${name}: no address`);
  if (did(...NOT_ASKED)) return judge('OUT_OF_TIME', {});
  if (did('timeout', 'garbled', 'no route', ...NOT_ASKED)) {
    return judge('NAMESERVERS_SILENT', { zone, errors: [...errors, ...isMissing] });
  }
  return judge('NAMESERVERS_FAIL', { zone, errors: [...errors, ...isMissing] });
}
