import { isIP } from 'node:net';
import { isWithin } from '#contract/values/dnsName.ts';
import type { RecordType, DnsResponse } from '../wire/message.ts';
import { isPublicSuffix, organisationOf, parentOf } from '../wire/names.ts';
import { type Exchange, type CheckRun, toUsableResponse } from './conversation.ts';
import type { Server } from '../wire/transport.ts';

/** No zone needs more: as many as the root has. */
const SERVERS_MAX = 13;
/** Queries for finding and asking them all, which no record has to pay for. */
export const SERVERS_QUESTIONS_MAX = 60;
const REFERRALS_MAX = 6;
/** Labels removed from a name while no server answers for it. */
const ANCESTORS_MAX = 4;
const ABOVE_QUESTIONS_MAX = 40;

/** The authoritative servers of a zone, from its parent zone or a resolver. */
type Delegation = {
  /** Empty for the root, or when it is not known. */
  zone: string;
  /** Names of all its servers, whether or not they respond. */
  serverNames: readonly string[];
  /** One address for each server. */
  servers: readonly Server[];
  /** Servers without an address. */
  withoutAddress: readonly string[];
};

/** The responses of the authoritative servers of a name: one exchange for each server that was queried. */
export type AuthoritativeAnswers = Delegation & {
  exchanges: readonly Exchange[];
  /** The parent zone, if the delegation was followed from there. */
  parentDelegation: Delegation | null;
  /** Servers in the delegation of the parent zone that the zone itself does not have. */
  onlyInParent: readonly string[];
};

const NO_DELEGATION: Delegation = { zone: '', serverNames: [], servers: [], withoutAddress: [] };

/**
 * Follows the delegations to the authoritative servers of `name`, which lies in `domain`, and queries all of them,
 * those only in the parent zone too, or one after the other until one responds.
 */
export async function queryAuthoritativeServers(
  run: CheckRun,
  domain: string,
  name: string,
  type: RecordType,
  whom: 'all' | 'first' = 'all',
): Promise<AuthoritativeAnswers> {
  let delegation = await findClosestZone(run, domain);
  let above: Delegation | null = null;
  // In parallel: when no name server can be reached from here, the registry cannot either.
  const comparison = whom === 'all' ? findServersOnlyInParent(run, delegation) : NO_DELEGATION;
  for (let step = 0; step < REFERRALS_MAX; step++) {
    const ask = (server: Server, isRepeated = false) =>
      run.query(server, { name, type, isRecursive: false }, { isRepeated });
    // A registry responds only with a referral, so one server is enough.
    const asksAll = whom === 'all' && !isPublicSuffix(delegation.zone);
    const { servers } = delegation;
    const [own, others] = await Promise.all([asksAll ? askAll(servers, ask) : askUntilOne(servers, ask), comparison]);
    const exchanges = step === 0 ? [...own, ...(await askAll(others.servers, ask))] : own;
    const onlyAbove = others.serverNames;
    const below = exchanges
      .map(({ answer }) => (typeof answer === 'string' ? null : answer))
      .find((answer) => answer?.referral && isDeeper(answer.referral.zone, delegation.zone, name));
    if (!below?.referral) return { ...delegation, parentDelegation: above, onlyInParent: onlyAbove, exchanges };
    above = delegation;
    delegation = await followReferral(run, below.referral, below, above);
  }
  return { ...delegation, parentDelegation: above, onlyInParent: (await comparison).serverNames, exchanges: [] };
}

/** The delegation of a zone in its parent zone. */
type ParentNameServers = {
  serverNames: readonly string[];
  exchange: Exchange;
  /** Addresses of some of them, from the additional section. */
  response: DnsResponse | null;
};

/** Queries the parent zone for the delegation of `zone`; null when it cannot be queried. */
export async function queryParentDelegation(run: CheckRun, zone: string): Promise<ParentNameServers | null> {
  const servers = await findParentServers(run, parentOf(zone));
  for (const server of servers) {
    const exchange = await run.query(server, { name: zone, type: 'NS', isRecursive: false });
    const response = typeof exchange.answer === 'string' ? null : exchange.answer;
    // A server of both zones responds for the lower one.
    const names = response?.referral?.zone === zone ? response.referral.servers : listNameServers(response, zone);
    if (names.length > 0) {
      return { serverNames: names.map((name) => name.toLowerCase()).toSorted(), exchange, response };
    }
  }
  return null;
}

/** Finds one server of the zone that `name` lies in. `name` is usually a zone itself, so that one query is enough. */
async function findParentServers(run: CheckRun, name: string): Promise<readonly Server[]> {
  const list = await run.resolve(name, 'NS');
  const message = list && toUsableResponse(list);
  const names = (message?.answers ?? []).flatMap(({ type, value }) => (type === 'NS' ? [value.toLowerCase()] : []));
  // One server is enough.
  if (names.length > 0) return (await resolveDelegation(run, name, names, message, 1)).servers;
  return (await findClosestZone(run, name)).servers;
}

/** Servers that only the parent zone names. Queried once for all records, with a query limit of its own. */
async function findServersOnlyInParent(run: CheckRun, { zone, serverNames, servers }: Delegation): Promise<Delegation> {
  if (servers.length === 0 || isPublicSuffix(zone)) return NO_DELEGATION;
  const own = run.withQueryLimit(ABOVE_QUESTIONS_MAX);
  const above = await queryParentDelegation(own, zone);
  const only = above?.serverNames.filter((name) => !serverNames.includes(name)) ?? [];
  return above === null || only.length === 0 ? NO_DELEGATION : resolveDelegation(own, zone, only, above.response);
}

/** The delegation of a referral of `response`, which came from the servers of `above`. */
async function followReferral(
  run: CheckRun,
  { zone, servers }: NonNullable<DnsResponse['referral']>,
  response: DnsResponse,
  above: Delegation,
): Promise<Delegation> {
  const names = servers.map((name) => name.toLowerCase());
  const unreachable: Delegation = { zone, serverNames: names, servers: [], withoutAddress: names };
  // Resolvers look for such servers until the time is over.
  const isGlued = response.glue.some(({ name }) => names.includes(name));
  if (!isGlued && (await areUnreachable(run, zone, names, async () => above.servers))) return unreachable;
  const delegation = await resolveDelegation(run, zone, names, response);
  if (isGlued || delegation.servers.length > 0) return delegation;
  const parentServers = (name: string) => findParentServers(run, parentOf(name));
  return (await areUnreachable(run, zone, names, parentServers)) ? unreachable : delegation;
}

/**
 * Whether referrals show that nobody can find the servers of `zone`, for which there are no addresses beside the referral:
 * each is in the zone, or in one whose servers are all in one of the two in the same way.
 */
async function areUnreachable(
  run: CheckRun,
  zone: string,
  names: readonly string[],
  serversAbove: (name: string) => Promise<readonly Server[]>,
): Promise<boolean> {
  if (!run.usesAuthoritativeServers) return false;
  const unreachable = await Promise.all(
    names.map(async (name) => {
      if (isWithin(name, zone)) return true;
      const [server] = await serversAbove(name);
      const exchange = server && (await run.query(server, { name, type: 'A', isRecursive: false }));
      const answer = exchange === undefined || typeof exchange.answer === 'string' ? null : exchange.answer;
      if (!answer?.referral || !isWithin(name, answer.referral.zone) || answer.glue.length > 0) return false;
      const { zone: other, servers } = answer.referral;
      return servers.every((one) => isWithin(one, other) || isWithin(one, zone));
    }),
  );
  return unreachable.every(Boolean);
}

type QueryServer = (server: Server, isRepeated?: boolean) => Promise<Exchange>;

/** Queries the servers, and once more those that timed out when no server has responded. */
async function askAll(servers: readonly Server[], ask: QueryServer): Promise<Exchange[]> {
  const exchanges = await Promise.all(servers.map((server) => ask(server)));
  if (exchanges.some((exchange) => isAnswered(exchange))) return exchanges;
  return Promise.all(
    exchanges.map(async (one) => {
      if (one.answer !== 'timeout') return one;
      const again = await ask(one.server, true);
      // Keeps the timeout, which says more than that the second query had no time left.
      return again.answer === 'out of time' ? one : again;
    }),
  );
}

async function askUntilOne(servers: readonly Server[], ask: QueryServer): Promise<Exchange[]> {
  const exchanges: Exchange[] = [];
  for (const server of servers) {
    const exchange = await ask(server);
    exchanges.push(exchange);
    if (isAnswered(exchange)) return exchanges;
  }
  return exchanges;
}

function isAnswered({ answer }: Exchange): boolean {
  return typeof answer !== 'string' && ['NOERROR', 'NXDOMAIN'].includes(answer.rcode);
}

/** Whether a referral leads down: a lame server refers to the root or to itself. */
function isDeeper(to: string, from: string, name: string): boolean {
  return to !== from && isWithin(to, from) && isWithin(name, to);
}

/** Resolvers are never asked for the name of a record: they would cache a negative response. */
export async function findClosestZone(run: CheckRun, domain: string): Promise<Delegation> {
  for (let name = domain, step = 0; name !== '' && step < ANCESTORS_MAX; name = parentOf(name), step++) {
    // The apex of a zone has name servers. Any other name has an SOA that names its zone.
    const exchange = await run.resolve(name, 'NS');
    if (typeof exchange?.answer === 'string' && step === 0 && !(await answersAtAll(run))) return NO_DELEGATION;
    const response = exchange && toUsableResponse(exchange);
    const isTop = listNameServers(response, name).length > 0;
    const zone = isTop ? name : response?.authority?.zone;
    if (zone === undefined || !isWithin(domain, zone)) continue;
    const list = isTop ? exchange : await run.resolve(zone, 'NS');
    const message = list && toUsableResponse(list);
    const serverNames = listNameServers(message, zone);
    // When resolvers cannot reach the servers, the parent zone still names them.
    if (serverNames.length === 0 && run.usesAuthoritativeServers) continue;
    return resolveDelegation(run, zone, serverNames, message);
  }
  return NO_DELEGATION;
}

function listNameServers(response: DnsResponse | null, zone: string): string[] {
  const own = response?.answers.filter(({ type, name }) => type === 'NS' && name === zone) ?? [];
  return own.map(({ value }) => value.toLowerCase());
}

/** Whether any resolver responds to any query. */
async function answersAtAll(run: CheckRun): Promise<boolean> {
  const exchanges = await Promise.all(
    run.client.resolvers.map((resolver) => run.query(resolver, { name: '', type: 'NS', isRecursive: true })),
  );
  return exchanges.some(({ answer }) => typeof answer !== 'string');
}

/** One address for each server, one server of each operator first. Addresses from the additional section need no query. */
export async function resolveDelegation(
  run: CheckRun,
  zone: string,
  serverNames: readonly string[],
  came: DnsResponse | null,
  max = SERVERS_MAX,
): Promise<Delegation> {
  if (!run.usesAuthoritativeServers) return { zone, serverNames, servers: [], withoutAddress: [] };
  const first = oneOfEachOperatorFirst(serverNames.toSorted()).slice(0, max);
  const found = await Promise.all(first.map((name) => resolveServerAddress(run, name, came)));
  return {
    zone,
    serverNames,
    // Two names of one address are one server.
    servers: first.flatMap((name, index) => {
      const address = found[index];
      return typeof address === 'string' && found.indexOf(address) === index ? [{ name, address, port: 53 }] : [];
    }),
    withoutAddress: first.filter((_, index) => found[index] === null),
  };
}

/** Guesses who runs a name server: Amazon has `ns-1.awsdns-07.org` and `ns-2.awsdns-12.co.uk`. */
export function operatorOf(serverName: string): string {
  const [label = ''] = organisationOf(serverName).split('.');
  return label.replace(/-?(?<!\d)\d+$/, '');
}

function oneOfEachOperatorFirst(serverNames: readonly string[]): string[] {
  const places = new Map<string, number>();
  const placed = serverNames.map((name) => {
    const place = (places.get(operatorOf(name)) ?? 0) + 1;
    places.set(operatorOf(name), place);
    return { name, place };
  });
  return placed.toSorted((one, other) => one.place - other.place).map(({ name }) => name);
}

/** An address of a name server; null when it has none, undefined when that is not known. */
async function resolveServerAddress(
  run: CheckRun,
  name: string,
  came: DnsResponse | null,
): Promise<string | null | undefined> {
  const glued = came?.glue.filter((data) => data.name === name && isIP(data.value) !== 0) ?? [];
  const glue = glued.find(({ type }) => type === 'A') ?? glued[0];
  if (glue !== undefined) return glue.value;
  let hasAnswer = true;
  for (const type of ['A', 'AAAA'] as const) {
    const exchange = await run.resolve(name, type);
    const answers = exchange && toUsableResponse(exchange)?.answers;
    const address = answers?.find((data) => data.type === type)?.value;
    if (address !== undefined) return address;
    hasAnswer &&= answers !== null && answers !== undefined;
  }
  return hasAnswer ? null : undefined;
}

/** A server that may not be authoritative; null when it has no address, or name servers are not to be queried. */
export async function resolveServer(run: CheckRun, name: string): Promise<Server | null> {
  const { servers } = await resolveDelegation(run, '', [name], null);
  return servers[0] ?? null;
}
