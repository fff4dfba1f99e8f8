import { isWithin } from '#contract/values/dnsName.ts';
import type { Judgement } from './catalogue/catalogue.ts';
import type { ServerError } from './catalogue/servers.ts';
import { type Conversation, SERVERS_QUESTIONS_MAX } from './conversation/conversation.ts';
import { NO_DELEGATION, type ZoneResponses } from './conversation/delegation.ts';
import { type Exchange, classifyExchangeError, NOT_SENT, toUsableResponse } from './conversation/exchange.ts';
import { type TracedResolution, createLookUp, type LookUp } from './conversation/lookUp.ts';
import type { ExpectedRecord } from './expectedRecord.ts';
import type { ResourceRecord, RecordType, DnsResponse, SoaAuthority } from './wire/message.ts';
import { foldName, isPublicSuffix, parentOf } from './wire/names.ts';
import type { Server } from './wire/transport.ts';

export class Inspection {
  readonly conversation: Conversation;
  readonly expected: ExpectedRecord;
  /** The domain that the record lies in: the sending domain, or its MAIL FROM name. */
  readonly baseDomain: string;
  readonly evidence: Exchange[] = [];
  /** What name servers were asked again, and what resolvers were asked, about the record itself. */
  readonly askedOverTcp: Exchange[] = [];
  readonly askedResolvers: Exchange[] = [];
  /** By what distinguishes responses. */
  readonly judgements = new Map<string, Promise<Judgement>>();
  /** Look-ups in the zone of the domain go to authoritative servers, all others to resolvers. */
  readonly lookUp: LookUp;
  delegation: ZoneResponses = { ...NO_DELEGATION, exchanges: [], parentDelegation: null, onlyInParent: [] };
  readonly #lookedUp: TracedResolution[] = [];
  readonly #aboutServers: Conversation;
  #resolved: DnsResponse | null = null;

  constructor(conversation: Conversation, expected: ExpectedRecord) {
    this.conversation = conversation;
    this.#aboutServers = conversation.withQueryLimit(SERVERS_QUESTIONS_MAX);
    this.expected = expected;
    const { name, domain } = expected;
    this.baseDomain = isWithin(name, domain) ? domain : parentOf(name);
    this.lookUp = createLookUp(conversation, (asked) => (this.#isOwn(asked) ? this.baseDomain : null), this.#lookedUp);
  }

  #isOwn(name: string): boolean {
    const { zone } = this.delegation;
    return isWithin(name, this.baseDomain) || (zone !== '' && !isPublicSuffix(zone) && isWithin(name, zone));
  }

  get #responses(): DnsResponse[] {
    return this.delegation.exchanges.flatMap((exchange) => toUsableResponse(exchange) ?? []);
  }

  get hasAuthoritativeAnswer(): boolean {
    return this.#responses.length > 0;
  }

  get zone(): string | null {
    const [named = null] = this.#responses.flatMap(({ authority }) => authority?.zone ?? []);
    const resolved = this.hasAuthoritativeAnswer ? undefined : this.#resolved?.authority?.zone;
    const zone = named ?? resolved ?? this.delegation.zone;
    return zone === '' || isPublicSuffix(zone) || !isWithin(this.expected.name, zone) ? null : zone;
  }

  get answeringZone(): string | null {
    return (this.#resolved ?? this.#responses[0])?.authority?.zone ?? null;
  }

  get primary(): string | undefined {
    return this.#responses.flatMap(({ authority }) => authority?.primary ?? [])[0];
  }

  get serverErrors(): { all: ServerError[]; theirs: ServerError[] } {
    const failed = this.delegation.exchanges.filter((exchange) => toUsableResponse(exchange) === null);
    const theirs = failed.filter((exchange) => !NOT_SENT.includes(classifyExchangeError(exchange)));
    return { all: failed.map(describeServerError), theirs: theirs.map(describeServerError) };
  }

  async queryAuthoritativeServers(): Promise<Exchange[]> {
    const { name, type } = this.expected;
    this.delegation = await this.#aboutServers.queryZone(this.baseDomain, name, type, 'all');
    this.evidence.push(...this.delegation.exchanges);
    return this.delegation.exchanges.filter((exchange) => toUsableResponse(exchange) !== null);
  }

  async queryEachResolver(): Promise<Exchange[]> {
    const { name, type } = this.expected;
    const { resolvers } = this.conversation.client;
    const exchanges = await this.conversation.queryPersistently(resolvers, { name, type, isRecursive: true });
    this.evidence.push(...exchanges);
    this.askedResolvers.push(...exchanges);
    return exchanges;
  }

  async queryResolver(options: { isUnchecked?: boolean } = {}): Promise<Exchange | null> {
    const { name, type } = this.expected;
    const exchange = await this.conversation.resolve(name, type, options);
    if (exchange !== null) this.evidence.push(exchange);
    if (exchange !== null && options.isUnchecked !== true) this.askedResolvers.push(exchange);
    if (exchange !== null && !this.hasAuthoritativeAnswer) this.#resolved = toUsableResponse(exchange);
    return exchange;
  }

  /** The SOA of the zone at each of these servers, in their order; null where it did not come. */
  async queryVersions(servers: readonly Server[]): Promise<(SoaAuthority | null)[]> {
    const { zone } = this;
    if (zone === null) return servers.map(() => null);
    const exchanges = await this.#aboutServers.queryAll(servers, zone, 'SOA');
    // A server that denies the zone itself has no version of it.
    const responses = exchanges.map(toUsableResponse);
    return responses.map((response) => (response?.rcode === 'NOERROR' ? response.authority : null));
  }

  async confirmAtServer({ server, query }: Exchange): Promise<Exchange> {
    const exchange = await this.#aboutServers.query(server, { ...query, isTcp: true });
    this.askedOverTcp.push(exchange);
    return exchange;
  }

  async addEvidence(name: string, ...types: readonly RecordType[]): Promise<void> {
    for (const type of types) {
      const exchange = await this.#query(name, type);
      if (exchange !== null) this.evidence.push(exchange);
    }
  }

  addLookUpEvidence(name: string, type: RecordType): void {
    const lookedUp = this.#lookedUp.find((one) => one.name === foldName(name) && one.type === type);
    this.evidence.push(...(lookedUp?.exchanges ?? []));
  }

  async queryRecords(name: string, type: RecordType): Promise<readonly ResourceRecord[]> {
    return (await this.queryResponse(name, type))?.answers ?? [];
  }

  async queryResponse(name: string, type: RecordType): Promise<DnsResponse | null> {
    return toUsableResponse(await this.#query(name, type));
  }

  /** One authoritative server, or a resolver when none responds about the record: further queries would time out. */
  async #query(name: string, type: RecordType): Promise<Exchange | null> {
    const base = isWithin(name, this.baseDomain) ? this.baseDomain : this.delegation.zone;
    if (this.hasAuthoritativeAnswer && isWithin(name, base)) {
      const { exchanges } = await this.conversation.queryZone(base, name, type, 'first');
      const usable = exchanges.find((exchange) => toUsableResponse(exchange) !== null);
      if (usable !== undefined) return usable;
    }
    return this.conversation.resolve(name, type);
  }
}

function describeServerError(exchange: Exchange): ServerError {
  const { name, address } = exchange.server;
  const error = classifyExchangeError(exchange);
  return {
    server: name ?? address,
    error: error === 'refused address' ? `its address ${address} is not public` : error,
  };
}
