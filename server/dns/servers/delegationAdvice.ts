import { judge, type Judgement } from '../catalogue/catalogue.ts';
import type { ServerError } from '../catalogue/servers.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { listNameServers } from '../conversation/delegation.ts';
import { type Exchange, classifyExchangeError, NOT_SENT, toUsableResponse } from '../conversation/exchange.ts';
import { isPublicSuffix, organisationOf } from '../wire/names.ts';
import type { Server } from '../wire/transport.ts';

type DelegationAdvice = {
  judgement: Judgement;
  zone: string;
  serverNames: readonly string[];
  exchanges: readonly Exchange[];
};

/**
 * Compares the delegation of the zone with its own NS records, and checks its name servers. Null when name servers are
 * not to be queried, or the domain has no zone.
 */
export async function adviseDelegation(conversation: Conversation, domain: string): Promise<DelegationAdvice | null> {
  const { zone, servers, serverNames: known } = await conversation.findZone(domain);
  if (!conversation.usesAuthoritativeServers) return null;
  const unknown = (name: string, exchanges: readonly Exchange[]): DelegationAdvice => {
    return { judgement: judge('NOT_ASKED', { name, reason: '' }), zone: name, serverNames: known, exchanges };
  };
  if (servers.length === 0 || isPublicSuffix(zone)) {
    const own = organisationOf(domain);
    const above = await conversation.queryParent(own);
    return above?.serverNames.length === 0 ? null : unknown(own, above === null ? [] : [above.exchange]);
  }
  const [apex] = await conversation.queryAll(servers.slice(0, 1), zone, 'CNAME');
  const alias = toUsableResponse(apex)?.answers.find((data) => data.type === 'CNAME' && data.name === zone);
  if (apex !== undefined && alias !== undefined) {
    const judgement = judge('ZONE_IS_ALIAS', { target: alias.value.toLowerCase() });
    return { judgement, zone, serverNames: known, exchanges: [apex] };
  }
  let own: Exchange | undefined;
  let inZone: string[] = [];
  for (const server of servers) {
    own = await conversation.query(server, { name: zone, type: 'NS', isRecursive: false });
    inZone = listNameServers(toUsableResponse(own), zone);
    if (inZone.length > 0) break;
  }
  const above = await conversation.queryParent(zone);
  if (own === undefined || inZone.length === 0 || above === null) return unknown(zone, own === undefined ? [] : [own]);
  if (above.serverNames.length === 0) return null;
  const onlyAbove = above.serverNames.filter((name) => !inZone.includes(name));
  const onlyInZone = inZone.filter((name) => !above.serverNames.includes(name)).toSorted();
  const serverNames = [...new Set([...above.serverNames, ...inZone])].toSorted();
  const all = await conversation.resolveDelegation(zone, serverNames, above.response);
  const exchanges = await conversation.queryAll(all.servers, zone, 'SOA');
  const evidence = [own, above.exchange, ...exchanges];
  const advise = (judgement: Judgement) => ({ judgement, zone, serverNames, exchanges: evidence });
  const errors = [
    ...exchanges.flatMap(describeLameServer),
    ...all.withoutAddress.map((server) => ({ server, error: 'no address' })),
  ];
  if (errors.length > 0) return advise(judge('DELEGATION_LAME', { errors }));
  const unsigned = await findUnsignedServers(conversation, zone, all.servers);
  if (unsigned.servers.length > 0) {
    evidence.push(...unsigned.exchanges);
    return advise(judge('SOME_UNSIGNED', { servers: unsigned.servers }));
  }
  if (onlyAbove.length + onlyInZone.length > 0) return advise(judge('DELEGATION_DIFFERS', { onlyAbove, onlyInZone }));
  const answered = new Set(exchanges.filter((one) => toUsableResponse(one) !== null).map(({ server }) => server.name));
  const unasked = serverNames.filter((name) => !answered.has(name));
  return advise(judge('DELEGATION_RIGHT', { names: serverNames, unasked }));
}

/** Why a name server is not authoritative. Those that this machine cannot reach are not reported. */
function describeLameServer(exchange: Exchange): ServerError[] {
  const error = classifyExchangeError(exchange);
  if (toUsableResponse(exchange) !== null || exchange.isCutOff || NOT_SENT.includes(error)) return [];
  const { name, address } = exchange.server;
  return [
    { server: name ?? address, error: error === 'refused address' ? `the address ${address} is not public` : error },
  ];
}

/** Those of `servers` without keys of a zone that is signed at others and has a DS record above. */
export async function findUnsignedServers(
  conversation: Conversation,
  zone: string,
  servers: readonly Server[],
): Promise<{ servers: string[]; exchanges: Exchange[] }> {
  const delegation = await conversation.queryDs(zone);
  if (delegation === null || delegation.records.length === 0) return { servers: [], exchanges: [] };
  const exchanges = await conversation.queryAll(servers, zone, 'DNSKEY');
  const without = exchanges.filter((exchange) => isSigned(exchange) === false);
  return exchanges.some(isSigned)
    ? { servers: without.map(({ server }) => server.name ?? '').toSorted(), exchanges }
    : { servers: [], exchanges: [] };
}

function isSigned(exchange: Exchange): boolean | null {
  return toUsableResponse(exchange)?.answers.some(({ type }) => type === 'DNSKEY') ?? null;
}
