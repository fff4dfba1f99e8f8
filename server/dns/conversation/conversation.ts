import { randomBytes } from 'node:crypto';
import { isWithin } from '#contract/values/dnsName.ts';
import type { DnsResponse, Query, RecordType, ResourceRecord } from '../wire/message.ts';
import { isPublicSuffix, parentOf } from '../wire/names.ts';
import type { Server } from '../wire/transport.ts';
import {
  type Delegation,
  findGlue,
  findReferral,
  listNameServers,
  NO_DELEGATION,
  oneOfEachOperatorFirst,
  type ZoneResponses,
} from './delegation.ts';
import type { DnsClient } from './dnsClient.ts';
import { type Exchange, isAnswered, toUsableResponse } from './exchange.ts';

/** No zone needs more: as many as the root has. */
const SERVERS_MAX = 13;
/** Queries for finding and comparing name servers; they don't count for any record. */
export const SERVERS_QUESTIONS_MAX = 60;
const REFERRALS_MAX = 6;
const ANCESTORS_MAX = 4;
const ABOVE_QUESTIONS_MAX = 40;

type RunState = {
  end: number;
  signal: AbortSignal | undefined;
  exchanges: Map<string, Promise<Exchange>>;
  /** Those of referrals, by zone. */
  delegations: Map<string, Delegation>;
  questionsLeft: number;
  /** Servers that timed out, name servers that timed out twice, and resolvers that have responded. */
  silentServers: Set<string>;
  twiceSilentServers: Set<string>;
  answeringResolvers: Set<string>;
  unusedLabel: string;
};

type ParentDelegation = { serverNames: readonly string[]; exchange: Exchange; response: DnsResponse | null };

/** The conversation with the servers of a domain, or a part of it with its own limit. Each query is sent only once. */
export class Conversation {
  readonly client: DnsClient;
  readonly #shared: RunState;
  #questionsLeft: number;

  static start(client: DnsClient, signal?: AbortSignal): Conversation {
    const { deadline, questionsPerDomain } = client.limits;
    return new Conversation(client, questionsPerDomain, {
      end: performance.now() + deadline,
      signal,
      exchanges: new Map(),
      delegations: new Map(),
      questionsLeft: questionsPerDomain,
      silentServers: new Set(),
      twiceSilentServers: new Set(),
      answeringResolvers: new Set(),
      unusedLabel: `zz-${randomBytes(6).toString('hex')}`,
    });
  }

  private constructor(client: DnsClient, questions: number, shared: RunState) {
    this.client = client;
    this.#questionsLeft = questions;
    this.#shared = shared;
  }

  withQueryLimit(questions: number): Conversation {
    return new Conversation(this.client, questions, this.#shared);
  }

  /** A random label that does not exist, the same in the whole run. */
  get unusedLabel(): string {
    return this.#shared.unusedLabel;
  }

  get usesAuthoritativeServers(): boolean {
    return this.client.authoritativeMode !== 'off';
  }

  /** Never rejects: errors are in the exchange. `isRepeated` also queries a server that has timed out before. */
  query(server: Server, query: Query, { isRepeated = false } = {}): Promise<Exchange> {
    const { exchanges } = this.#shared;
    const key = JSON.stringify([server.address, server.port, query, isRepeated]);
    const earlier = exchanges.get(key);
    if (earlier !== undefined) return earlier;
    const at = Date.now();
    if (!isRepeated) {
      if (this.#shared.questionsLeft === 0 || this.#questionsLeft === 0) {
        return Promise.resolve({ server, query, at, answer: 'too many questions' });
      }
      this.#shared.questionsLeft--;
      this.#questionsLeft--;
    }
    const exchange = this.#send(server, query, isRepeated).then((result) => ({ server, query, at, ...result }));
    exchanges.set(key, exchange);
    return exchange;
  }

  async #send(server: Server, query: Query, isRepeated: boolean): Promise<Pick<Exchange, 'answer' | 'isCutOff'>> {
    const { end, signal, silentServers, twiceSilentServers, answeringResolvers } = this.#shared;
    // A firewall may drop one transport only.
    const place = JSON.stringify([server.address, server.port, query.isTcp === true]);
    const isNameServer = server.name !== null;
    // A resolver is still queried while no other responds, because it may time out for one name only.
    const isGivenUp = () =>
      isRepeated
        ? twiceSilentServers.has(place)
        : silentServers.has(place) && (isNameServer || (answeringResolvers.size > 0 && !answeringResolvers.has(place)));
    return this.client.inTurn(server, this.#shared, async () => {
      const left = end - performance.now();
      if (left <= 0 || signal?.aborted === true) return { answer: 'out of time' };
      if (isGivenUp()) return { answer: 'timeout' };
      const answer = await this.client.send(server, query, left);
      // Before the next query to the same server.
      if (answer === 'timeout' || answer === 'garbled') {
        silentServers.add(place);
        if (isRepeated && isNameServer) twiceSilentServers.add(place);
      } else if (typeof answer !== 'string' && !isNameServer) answeringResolvers.add(place);
      return answer === 'timeout' && left < this.client.limits.timeout ? { answer, isCutOff: true } : { answer };
    });
  }

  queryAll(servers: readonly Server[], name: string, type: RecordType): Promise<Exchange[]> {
    return Promise.all(servers.map((server) => this.query(server, { name, type, isRecursive: false })));
  }

  /** Until one responds; all once more when all time out, as they go on resolving. Null without resolvers. */
  async resolve(name: string, type: RecordType, { isUnchecked = false } = {}): Promise<Exchange | null> {
    const query: Query = { name, type, isRecursive: true, ...(isUnchecked && { isUnchecked }) };
    let last: Exchange | null = null;
    for (const isRepeated of [false, true]) {
      for (const resolver of this.client.resolvers) {
        const exchange = await this.query(resolver, query, { isRepeated });
        if (toUsableResponse(exchange) !== null) return exchange;
        // Keeps the timeout, which says more than that the second query had no time left.
        if (!isRepeated || (exchange.answer !== 'out of time' && !exchange.isCutOff)) last = exchange;
      }
      if (last?.answer !== 'timeout') break;
    }
    return last;
  }

  async queryPersistently(servers: readonly Server[], query: Query): Promise<Exchange[]> {
    const exchanges = await Promise.all(servers.map((server) => this.query(server, query)));
    if (exchanges.some(isAnswered)) return exchanges;
    return Promise.all(
      exchanges.map(async (one) => {
        if (one.answer !== 'timeout') return one;
        const again = await this.query(one.server, query, { isRepeated: true });
        return again.answer === 'out of time' ? one : again;
      }),
    );
  }

  async #queryUntilOne(servers: readonly Server[], query: Query): Promise<Exchange[]> {
    const exchanges: Exchange[] = [];
    for (const server of servers) {
      exchanges.push(await this.query(server, query));
      if (exchanges.some(isAnswered)) break;
    }
    return exchanges;
  }

  /** Whether resolvers deny even the root, so that they cannot be trusted. */
  async deniesAll(): Promise<boolean> {
    return toUsableResponse(await this.resolve('', 'NS'))?.rcode === 'NXDOMAIN';
  }

  /**
   * Follows the delegations to the authoritative servers of `name`, which lies in `domain`, and queries all of them,
   * those only in the parent zone too, or one after the other until one responds.
   */
  async queryZone(domain: string, name: string, type: RecordType, which: 'all' | 'first'): Promise<ZoneResponses> {
    const query: Query = { name, type, isRecursive: false };
    let delegation = (which === 'first' && this.#findKnownZone(name)) || (await this.findZone(domain));
    let parentDelegation: Delegation | null = null;
    // In parallel: when no name server can be reached from here, the registry cannot either.
    const comparison = which === 'all' ? this.#findServersOnlyInParent(delegation) : NO_DELEGATION;
    for (let step = 0; step < REFERRALS_MAX; step++) {
      const { servers, zone } = delegation;
      // A registry responds only with a referral, so one server is enough.
      const queriesAll = which === 'all' && !isPublicSuffix(zone);
      const [own, others] = await Promise.all([
        queriesAll ? this.queryPersistently(servers, query) : this.#queryUntilOne(servers, query),
        comparison,
      ]);
      const exchanges = step === 0 ? [...own, ...(await this.queryPersistently(others.servers, query))] : own;
      const below = findReferral(exchanges, zone, name);
      if (below === null) return { ...delegation, parentDelegation, onlyInParent: others.serverNames, exchanges };
      parentDelegation = delegation;
      delegation = await this.#followReferral(below.referral, below.response, parentDelegation);
      this.#shared.delegations.set(delegation.zone, delegation);
    }
    return { ...delegation, parentDelegation, onlyInParent: (await comparison).serverNames, exchanges: [] };
  }

  /** The lowest zone above `name` that a referral has led to. */
  #findKnownZone(name: string): Delegation | undefined {
    const above = [...this.#shared.delegations.values()].filter(({ zone }) => isWithin(name, zone));
    return above.toSorted((one, other) => other.zone.length - one.zone.length)[0];
  }

  /** Never sends a record's name to resolvers: they would cache a negative response. */
  async findZone(domain: string): Promise<Delegation> {
    for (let name = domain, step = 0; name !== '' && step < ANCESTORS_MAX; name = parentOf(name), step++) {
      // The apex of a zone has name servers. Any other name has an SOA that names its zone.
      const exchange = await this.resolve(name, 'NS');
      if (typeof exchange?.answer === 'string' && step === 0 && !(await this.#anyResolverResponds())) break;
      const response = toUsableResponse(exchange);
      const isTop = listNameServers(response, name).length > 0;
      const zone = isTop ? name : response?.authority?.zone;
      if (zone === undefined || !isWithin(domain, zone)) continue;
      const list = isTop ? response : toUsableResponse(await this.resolve(zone, 'NS'));
      const serverNames = listNameServers(list, zone);
      // When resolvers cannot reach the servers, the parent zone still names them.
      if (serverNames.length === 0 && this.usesAuthoritativeServers) continue;
      return this.resolveDelegation(zone, serverNames, list);
    }
    return NO_DELEGATION;
  }

  async #anyResolverResponds(): Promise<boolean> {
    const query: Query = { name: '', type: 'NS', isRecursive: true };
    const exchanges = await Promise.all(this.client.resolvers.map((resolver) => this.query(resolver, query)));
    return exchanges.some(({ answer }) => typeof answer !== 'string');
  }

  /** What the zone above delegates `zone` to: nothing if the name doesn't exist. Null when that is not known. */
  async queryParent(zone: string): Promise<ParentDelegation | null> {
    for (const server of await this.#findServersOf(parentOf(zone))) {
      const exchange = await this.query(server, { name: zone, type: 'NS', isRecursive: false });
      const response = typeof exchange.answer === 'string' ? null : exchange.answer;
      // A server of both zones responds for the lower one.
      const names = response?.referral?.zone === zone ? response.referral.servers : listNameServers(response, zone);
      const serverNames = names.map((name) => name.toLowerCase()).toSorted();
      const isDenied = toUsableResponse(exchange)?.rcode === 'NXDOMAIN';
      if (names.length > 0 || isDenied) return { serverNames, exchange, response };
    }
    return null;
  }

  /** The DS records of `zone` in the zone above, and the exchange; null when they are not known. */
  async queryDs(zone: string): Promise<{ records: readonly ResourceRecord[]; exchange: Exchange } | null> {
    const above = await this.queryParent(zone);
    if (above === null) return null;
    const exchange = await this.query(above.exchange.server, { name: zone, type: 'DS', isRecursive: false });
    // A server without DNSSEC refers to the zone (RFC 4035, section 3.1.4.1).
    const isReferral = typeof exchange.answer !== 'string' && exchange.answer.referral?.zone === zone;
    const answers = isReferral ? [] : toUsableResponse(exchange)?.answers;
    return answers ? { records: answers.filter(({ type, name }) => type === 'DS' && name === zone), exchange } : null;
  }

  /** One server of the zone that `name` lies in. `name` is usually a zone itself, so that one query is enough. */
  async #findServersOf(name: string): Promise<readonly Server[]> {
    const response = toUsableResponse(await this.resolve(name, 'NS'));
    const names = (response?.answers ?? []).flatMap(({ type, value }) => (type === 'NS' ? [value.toLowerCase()] : []));
    if (names.length > 0) return (await this.resolveDelegation(name, names, response, 1)).servers;
    return (await this.findZone(name)).servers;
  }

  /** Servers that only the parent zone names. Queried once for all records, with a query limit of its own. */
  async #findServersOnlyInParent({ zone, serverNames, servers }: Delegation): Promise<Delegation> {
    if (servers.length === 0 || isPublicSuffix(zone)) return NO_DELEGATION;
    const own = this.withQueryLimit(ABOVE_QUESTIONS_MAX);
    const above = await own.queryParent(zone);
    const only = above?.serverNames.filter((name) => !serverNames.includes(name)) ?? [];
    return above === null || only.length === 0 ? NO_DELEGATION : own.resolveDelegation(zone, only, above.response);
  }

  async #followReferral(
    { zone, servers }: NonNullable<DnsResponse['referral']>,
    response: DnsResponse,
    above: Delegation,
  ): Promise<Delegation> {
    const names = servers.map((name) => name.toLowerCase());
    const unreachable: Delegation = { zone, serverNames: names, servers: [], withoutAddress: names };
    // Resolvers look for such servers until the time is over.
    const isGlued = response.glue.some(({ name }) => names.includes(name));
    if (
      !isGlued &&
      (await this.#areUnreachable(zone, names, async (name) =>
        isWithin(name, above.zone) || isPublicSuffix(above.zone) ? above.servers : [],
      ))
    )
      return unreachable;
    const delegation = await this.resolveDelegation(zone, names, response);
    if (isGlued || delegation.servers.length > 0) return delegation;
    const parentServers = (name: string) => this.#findServersOf(parentOf(name));
    return (await this.#areUnreachable(zone, names, parentServers)) ? unreachable : delegation;
  }

  /**
   * Whether referrals show that the servers of `zone` can't be found. There are no addresses with the
   * referral: each is in the zone, or in one whose servers are all in one of the two in the same way.
   */
  async #areUnreachable(
    zone: string,
    names: readonly string[],
    serversAbove: (name: string) => Promise<readonly Server[]>,
  ): Promise<boolean> {
    if (!this.usesAuthoritativeServers) return false;
    for (const name of names) {
      if (isWithin(name, zone)) continue;
      const [exchange] = await this.queryAll((await serversAbove(name)).slice(0, 1), name, 'A');
      const answer = exchange === undefined || typeof exchange.answer === 'string' ? null : exchange.answer;
      if (!answer?.referral || !isWithin(name, answer.referral.zone) || answer.glue.length > 0) return false;
      const { zone: other, servers } = answer.referral;
      if (!servers.every((one) => isWithin(one, other) || isWithin(one, zone))) return false;
    }
    return true;
  }

  /** One address for each server, one server of each operator first. Addresses from `came` need no query. */
  async resolveDelegation(
    zone: string,
    serverNames: readonly string[],
    came: DnsResponse | null,
    max = SERVERS_MAX,
  ): Promise<Delegation> {
    if (!this.usesAuthoritativeServers) return { zone, serverNames, servers: [], withoutAddress: [] };
    const first = oneOfEachOperatorFirst(serverNames).slice(0, max);
    const found = await Promise.all(first.map(async (name) => findGlue(name, came) ?? this.#resolveAddress(name)));
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

  /** An address of a name server; null when it has none, undefined when that is not known. */
  async #resolveAddress(name: string): Promise<string | null | undefined> {
    let hasAnswer = true;
    for (const type of ['A', 'AAAA'] as const) {
      const answers = toUsableResponse(await this.resolve(name, type))?.answers;
      const address = answers?.find((data) => data.type === type)?.value;
      if (address !== undefined) return address;
      hasAnswer &&= answers !== undefined;
    }
    return hasAnswer ? null : undefined;
  }
}
