import { isIP } from 'node:net';
import { isWithin } from '#contract/dnsName.ts';
import type { RecordType, DnsResponse } from './message.ts';
import { isPublicSuffix, parentOf } from './names.ts';
import { type Exchange, type CheckRun, toUsableResponse } from './checkRun.ts';
import type { Server } from './transport.ts';

const SERVERS_MAX = 4;
const REFERRALS_MAX = 6;
/** Labels that are taken off while nobody answers for a name. */
const ANCESTORS_MAX = 4;
const ABOVE_QUESTIONS_MAX = 12;

/** The name servers that are in charge of a zone, by what the zone above or a resolver says. */
export type Delegation = {
  /** Empty for the root, or when nobody could tell. */
  zone: string;
  /** Names of its servers, whether or not they answer. */
  serverNames: readonly string[];
  /** One address of each of the first. */
  servers: readonly Server[];
  /** Names that have no address. */
  withoutAddress: readonly string[];
};

/** What the name servers in charge of a name say: one exchange for each that was asked. */
export type AuthoritativeAnswers = Delegation & {
  exchanges: readonly Exchange[];
  /** The zone that led here, where that was not a resolver's word. */
  parentDelegation: Delegation | null;
  /** Name servers that the zone above names, and the zone itself does not. */
  onlyInParent: readonly string[];
};

const NO_DELEGATION: Delegation = { zone: '', serverNames: [], servers: [], withoutAddress: [] };

/**
 * Walks through the delegations to the servers in charge of `name`, which lies in `domain`, and asks all of them, those that
 * only the zone above names too, or one after the other until one answers.
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
  // Side by side: where no name server can be reached from here, the registry cannot be either.
  const comparison = whom === 'all' ? findServersOnlyInParent(run, delegation) : NO_DELEGATION;
  for (let step = 0; step < REFERRALS_MAX; step++) {
    const ask = (server: Server, isRepeated = false) =>
      run.query(server, { name, type, isRecursive: false }, { isRepeated });
    // A registry only tells the way.
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
    delegation = await resolveDelegation(run, below.referral.zone, below.referral.servers, below);
  }
  return { ...delegation, parentDelegation: above, onlyInParent: (await comparison).serverNames, exchanges: [] };
}

/** Name servers of a zone as the zone above names them. */
export type ParentNameServers = {
  serverNames: readonly string[];
  exchange: Exchange;
  /** Some of their addresses may have come along. */
  response: DnsResponse | null;
};

/** What the name servers of the zone above say of `zone`; null when they cannot be asked. */
export async function queryParentDelegation(run: CheckRun, zone: string): Promise<ParentNameServers | null> {
  const servers = await findParentServers(run, parentOf(zone));
  for (const server of servers) {
    const exchange = await run.query(server, { name: zone, type: 'NS', isRecursive: false });
    const response = typeof exchange.answer === 'string' ? null : exchange.answer;
    // A server that has both zones says what the lower one says.
    const names = response?.referral?.zone === zone ? response.referral.servers : listNameServers(response, zone);
    if (names.length > 0) {
      return { serverNames: names.map((name) => name.toLowerCase()).toSorted(), exchange, response };
    }
  }
  return null;
}

/** Mostly the name above is a zone of its own, and one question tells its servers. */
async function findParentServers(run: CheckRun, name: string): Promise<readonly Server[]> {
  const list = await run.resolve(name, 'NS');
  const message = list && toUsableResponse(list);
  const names = (message?.answers ?? []).flatMap(({ type, value }) => (type === 'NS' ? [value.toLowerCase()] : []));
  // One of them is enough to ask.
  if (names.length > 0) return (await resolveDelegation(run, name, names, message, 1)).servers;
  return (await findClosestZone(run, name)).servers;
}

/** Asked once for all records of a domain, so that it is not taken from the questions of one. */
async function findServersOnlyInParent(run: CheckRun, { zone, serverNames, servers }: Delegation): Promise<Delegation> {
  if (servers.length === 0 || isPublicSuffix(zone)) return NO_DELEGATION;
  const own = run.withQueryLimit(ABOVE_QUESTIONS_MAX);
  const above = await queryParentDelegation(own, zone);
  const only = above?.serverNames.filter((name) => !serverNames.includes(name)) ?? [];
  return above === null || only.length === 0 ? NO_DELEGATION : resolveDelegation(own, zone, only, above.response);
}

type QueryServer = (server: Server, isRepeated?: boolean) => Promise<Exchange>;

/** Where nobody says anything, those who were silent are asked once more. */
async function askAll(servers: readonly Server[], ask: QueryServer): Promise<Exchange[]> {
  const exchanges = await Promise.all(servers.map((server) => ask(server)));
  if (exchanges.some((exchange) => isAnswered(exchange))) return exchanges;
  return Promise.all(
    exchanges.map(async (one) => {
      if (one.answer !== 'timeout') return one;
      const again = await ask(one.server, true);
      // That there was no time left says less than that it was silent.
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

/** A lame server refers to the root or to itself. */
function isDeeper(to: string, from: string, name: string): boolean {
  return to !== from && isWithin(to, from) && isWithin(name, to);
}

/**
 * The closest zone above which resolvers know. They are asked for the domain and never for the name of a record: what
 * they are asked for too early they remember as missing.
 */
export async function findClosestZone(run: CheckRun, domain: string): Promise<Delegation> {
  for (let name = domain, step = 0; name !== '' && step < ANCESTORS_MAX; name = parentOf(name), step++) {
    // The top of a zone answers with its name servers; anything else, with whose zone it lies in.
    const exchange = await run.resolve(name, 'NS');
    if (typeof exchange?.answer === 'string' && step === 0 && !(await answersAtAll(run))) return NO_DELEGATION;
    const response = exchange && toUsableResponse(exchange);
    const isTop = listNameServers(response, name).length > 0;
    const zone = isTop ? name : response?.authority?.zone;
    if (zone === undefined || !isWithin(domain, zone)) continue;
    const list = isTop ? exchange : await run.resolve(zone, 'NS');
    const message = list && toUsableResponse(list);
    const serverNames = listNameServers(message, zone);
    // Where resolvers do not come through to the servers, the zone above knows them.
    if (serverNames.length === 0 && run.usesAuthoritativeServers) continue;
    return resolveDelegation(run, zone, serverNames, message);
  }
  return NO_DELEGATION;
}

function listNameServers(response: DnsResponse | null, zone: string): string[] {
  const own = response?.answers.filter(({ type, name }) => type === 'NS' && name === zone) ?? [];
  return own.map(({ value }) => value.toLowerCase());
}

/** Whether any resolver answers, about whatever it is. */
async function answersAtAll(run: CheckRun): Promise<boolean> {
  const exchanges = await Promise.all(
    run.client.resolvers.map((resolver) => run.query(resolver, { name: '', type: 'NS', isRecursive: true })),
  );
  return exchanges.some(({ answer }) => typeof answer !== 'string');
}

/** One address for each of the first servers, without a question where it came along with their names. */
export async function resolveDelegation(
  run: CheckRun,
  zone: string,
  serverNames: readonly string[],
  came: DnsResponse | null,
  max = SERVERS_MAX,
): Promise<Delegation> {
  if (!run.usesAuthoritativeServers) return { zone, serverNames, servers: [], withoutAddress: [] };
  const first = serverNames.toSorted().slice(0, max);
  const found = await Promise.all(first.map((name) => resolveServerAddress(run, name, came)));
  return {
    zone,
    serverNames,
    servers: first.flatMap((name, index) => {
      const address = found[index];
      return typeof address === 'string' ? [{ name, address, port: 53 }] : [];
    }),
    withoutAddress: first.filter((_, index) => found[index] === null),
  };
}

/** An address of a name server; null when it has none, undefined when nobody could tell. */
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

/** A server that is not known to be in charge; null when it has no address, or name servers are left alone. */
export async function resolveServer(run: CheckRun, name: string): Promise<Server | null> {
  const { servers } = await resolveDelegation(run, '', [name], null);
  return servers[0] ?? null;
}
