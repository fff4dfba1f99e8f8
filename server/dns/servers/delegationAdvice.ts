import { queryParentDelegation, resolveDelegation, findClosestZone } from '../conversation/delegation.ts';
import { judge, type Judgement } from '../catalogue/catalogue.ts';
import { isPublicSuffix } from '../wire/names.ts';
import { type Exchange, type CheckRun, classifyExchangeError, NOT_SENT, toUsableResponse } from '../conversation/conversation.ts';
import type { Server } from '../wire/transport.ts';
import { findUnsignedServers } from './unsignedServers.ts';

/** Compares the delegation of a zone with its own NS records, and checks its name servers. */
type DelegationAdvice = {
  judgement: Judgement;
  zone: string;
  serverNames: readonly string[];
  exchanges: readonly Exchange[];
};

/** Null when name servers are not to be queried, or cannot be: the findings on the records say so. */
export async function adviseDelegation(run: CheckRun, domain: string): Promise<DelegationAdvice | null> {
  const own = await findClosestZone(run, domain);
  const { zone } = own;
  if (own.servers.length === 0 || isPublicSuffix(zone)) return null;
  const alias = await queryApexAlias(run, zone, own.servers);
  if (alias !== null) return { ...alias, zone, serverNames: own.serverNames };
  const inZone = await queryZoneNameServers(run, zone, own.servers);
  const above = await queryParentDelegation(run, zone);
  if (inZone === null || above === null) return null;
  const onlyAbove = above.serverNames.filter((name) => !inZone.names.includes(name));
  const onlyInZone = inZone.names.filter((name) => !above.serverNames.includes(name));
  const serverNames = [...new Set([...above.serverNames, ...inZone.names])].toSorted();
  const { troubles, exchanges } = await findLameServers(run, zone, serverNames, above.exchange);
  const evidence = [inZone.exchange, above.exchange, ...exchanges];
  const told = (judgement: Judgement) => ({ judgement, zone, serverNames, exchanges: evidence });
  if (troubles.length > 0) return told(judge('DELEGATION_LAME', { troubles }));
  const unsigned = await findUnsignedServers(
    run,
    zone,
    exchanges.map(({ server }) => server),
  );
  if (unsigned.servers.length > 0) {
    evidence.push(...unsigned.exchanges);
    return told(judge('SOME_UNSIGNED', { servers: unsigned.servers }));
  }
  if (onlyAbove.length + onlyInZone.length > 0) return told(judge('DELEGATION_DIFFERS', { onlyAbove, onlyInZone }));
  const answered = new Set(exchanges.filter((one) => toUsableResponse(one) !== null).map(({ server }) => server.name));
  return told(
    judge('DELEGATION_RIGHT', { names: serverNames, unasked: serverNames.filter((name) => !answered.has(name)) }),
  );
}

/** The judgement on an alias at the top of the zone; null when there is none. */
async function queryApexAlias(
  run: CheckRun,
  zone: string,
  [server]: readonly Server[],
): Promise<Pick<DelegationAdvice, 'judgement' | 'exchanges'> | null> {
  if (server === undefined) return null;
  const exchange = await run.query(server, { name: zone, type: 'CNAME', isRecursive: false });
  const alias = toUsableResponse(exchange)?.answers.find((data) => data.type === 'CNAME' && data.name === zone);
  return alias === undefined
    ? null
    : { judgement: judge('ZONE_IS_ALIAS', { target: alias.value.toLowerCase() }), exchanges: [exchange] };
}

type ZoneNameServers = { names: readonly string[]; exchange: Exchange };

/** The NS records of the zone itself; null when none of its servers responds. */
async function queryZoneNameServers(
  run: CheckRun,
  zone: string,
  servers: readonly Server[],
): Promise<ZoneNameServers | null> {
  for (const server of servers) {
    const exchange = await run.query(server, { name: zone, type: 'NS', isRecursive: false });
    const answers =
      toUsableResponse(exchange)?.answers.filter((data) => data.type === 'NS' && data.name === zone) ?? [];
    if (answers.length > 0) return { names: answers.map(({ value }) => value.toLowerCase()).toSorted(), exchange };
  }
  return null;
}

/** Checks whether each name server is authoritative. Those that this machine cannot reach are not reported. */
async function findLameServers(
  run: CheckRun,
  zone: string,
  names: readonly string[],
  { answer }: Exchange,
): Promise<{ troubles: string[]; exchanges: Exchange[] }> {
  const came = typeof answer === 'string' ? null : answer;
  const { servers, withoutAddress } = await resolveDelegation(run, zone, names, came);
  const exchanges = await Promise.all(
    servers.map((server) => run.query(server, { name: zone, type: 'SOA', isRecursive: false })),
  );
  const lame = exchanges.flatMap((exchange) => {
    if (toUsableResponse(exchange) !== null) return [];
    const trouble = classifyExchangeError(exchange);
    if (exchange.isCutOff || NOT_SENT.includes(trouble)) return [];
    const what = trouble === 'refused address' ? `the address ${exchange.server.address} is not public` : trouble;
    return [`${exchange.server.name}: ${what}`];
  });
  return { troubles: [...lame, ...withoutAddress.map((name) => `${name}: no address`)], exchanges };
}
