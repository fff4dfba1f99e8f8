import { isWithin } from '#contract/values/dnsName.ts';
import {
  queryAuthoritativeServers,
  type AuthoritativeAnswers,
  resolveServer,
  SERVERS_QUESTIONS_MAX,
} from './conversation/delegation.ts';
import type { ExpectedRecord } from './expectedRecord.ts';
import { type TracedResolution, createLookUp, type LookUp } from './conversation/lookUp.ts';
import type { ResourceRecord, RecordType, DnsResponse, SoaAuthority } from './wire/message.ts';
import { foldName, isPublicSuffix, parentOf } from './wire/names.ts';
import { type Exchange, type CheckRun, classifyExchangeError, NOT_SENT, toUsableResponse } from './conversation/conversation.ts';
import type { Server } from './wire/transport.ts';

/** The check of one record: its queries and their responses. */
export class Inspection {
  readonly run: CheckRun;
  readonly expected: ExpectedRecord;
  /** The domain that the record lies in: the sending domain, or its MAIL FROM name. */
  readonly baseDomain: string;
  readonly evidence: Exchange[] = [];
  /** Look-ups in the zone of the domain go to authoritative servers, all others to resolvers. */
  readonly lookUp: LookUp;
  readonly #lookedUp: TracedResolution[] = [];
  readonly #serversRun: CheckRun;
  #authoritative: AuthoritativeAnswers = {
    zone: '',
    serverNames: [],
    servers: [],
    withoutAddress: [],
    exchanges: [],
    parentDelegation: null,
    onlyInParent: [],
  };
  /** The response of a resolver, when no authoritative server has responded. */
  #resolved: DnsResponse | null = null;

  constructor(run: CheckRun, expected: ExpectedRecord) {
    this.run = run;
    this.#serversRun = run.withQueryLimit(SERVERS_QUESTIONS_MAX);
    this.expected = expected;
    const { name, domain } = expected;
    this.baseDomain = isWithin(name, domain) ? domain : parentOf(name);
    this.lookUp = createLookUp(
      run,
      (asked) => (this.#isOwn(asked) ? this.baseDomain : null),
      (one) => this.#lookedUp.push(one),
    );
  }

  #isOwn(name: string): boolean {
    const { zone } = this.#authoritative;
    return isWithin(name, this.baseDomain) || (zone !== '' && !isPublicSuffix(zone) && isWithin(name, zone));
  }

  get delegation(): AuthoritativeAnswers {
    return this.#authoritative;
  }

  /** Whether an authoritative server has responded about the record. */
  get hasAuthoritativeAnswer(): boolean {
    return this.#answeredExchanges().length > 0;
  }

  /** The zone of the name; null when it is not known. */
  get zone(): string | null {
    const told = this.#answeredExchanges()
      .map((exchange) => toUsableResponse(exchange)?.authority?.zone)
      .find((zone) => zone !== undefined);
    const zone =
      told ??
      (this.hasAuthoritativeAnswer ? this.#authoritative.zone : this.#resolved?.authority?.zone) ??
      this.#authoritative.zone;
    return zone === '' || isPublicSuffix(zone) || !isWithin(this.expected.name, zone) ? null : zone;
  }

  /** The zone of a negative response, which may be the root or a registry; null when there is none. */
  get answeringZone(): string | null {
    const said = this.#resolved ?? this.#answeredExchanges().map(toUsableResponse)[0];
    return said?.authority?.zone ?? null;
  }

  /** The primary server of the zone; undefined when it is not known. */
  get primary(): string | undefined {
    return this.#answeredExchanges()
      .map((exchange) => toUsableResponse(exchange)?.authority?.primary)
      .find((name) => name !== undefined);
  }

  /** The failures of authoritative servers. */
  get serverErrors(): string[] {
    return this.#authoritative.exchanges
      .filter((exchange) => toUsableResponse(exchange) === null)
      .map(describeServerError);
  }

  /** Those that are no fault of this machine. */
  get serverFaults(): string[] {
    return this.#authoritative.exchanges
      .filter((one) => toUsableResponse(one) === null && !NOT_SENT.includes(classifyExchangeError(one)))
      .map(describeServerError);
  }

  /** Queries the authoritative servers for the record, and returns the exchanges with a usable response. */
  async queryAuthoritativeServers(): Promise<Exchange[]> {
    const { name, type } = this.expected;
    this.#authoritative = await queryAuthoritativeServers(this.#serversRun, this.baseDomain, name, type);
    this.evidence.push(...this.#authoritative.exchanges);
    return this.#answeredExchanges();
  }

  /** Queries all resolvers for the record, and once more those that timed out when none has responded. */
  async queryEachResolver(): Promise<Exchange[]> {
    const { name, type } = this.expected;
    const ask = (resolver: Server, isRepeated = false) =>
      this.run.query(resolver, { name, type, isRecursive: true }, { isRepeated });
    const first = await Promise.all(this.run.client.resolvers.map((resolver) => ask(resolver)));
    const exchanges = first.some((one) => toUsableResponse(one) !== null)
      ? first
      : await Promise.all(first.map(async (one) => (one.answer === 'timeout' ? ask(one.server, true) : one)));
    this.evidence.push(...exchanges);
    return exchanges;
  }

  /** Queries resolvers for the record until one responds. */
  async queryResolver(options: { isUnchecked?: boolean } = {}): Promise<Exchange | null> {
    const { name, type } = this.expected;
    const exchange = await this.run.resolve(name, type, options);
    if (exchange !== null) this.evidence.push(exchange);
    if (exchange !== null && !this.hasAuthoritativeAnswer) this.#resolved = toUsableResponse(exchange);
    return exchange;
  }

  /** The SOA of the zone at each of these servers, in their order; null where it did not come. */
  async queryVersions(servers: readonly Server[]): Promise<(SoaAuthority | null)[]> {
    const { zone } = this;
    if (zone === null) return servers.map(() => null);
    const query = { name: zone, type: 'SOA', isRecursive: false } as const;
    const exchanges = await Promise.all(servers.map((server) => this.#serversRun.query(server, query)));
    // A server that denies the zone itself has no version of it.
    const responses = exchanges.map(toUsableResponse);
    return responses.map((response) => (response?.rcode === 'NOERROR' ? response.authority : null));
  }

  queryServer(server: Server, name: string, type: RecordType): Promise<Exchange> {
    return this.run.query(server, { name, type, isRecursive: false });
  }

  /** Sends the query of `exchange` over TCP. */
  confirmAtServer({ server, query }: Exchange): Promise<Exchange> {
    return this.#serversRun.query(server, { ...query, isTcp: true });
  }

  resolveServer(name: string): Promise<Server | null> {
    return resolveServer(this.run, name);
  }

  /** Queries one authoritative server, or a resolver when none can be queried. */
  async queryResponse(name: string, type: RecordType): Promise<DnsResponse | null> {
    const exchange = await this.#queryAny(name, type);
    return exchange && toUsableResponse(exchange);
  }

  /** Adds an exchange to the evidence. */
  async addEvidence(name: string, ...types: readonly RecordType[]): Promise<void> {
    for (const type of types) {
      const exchange = await this.#queryAny(name, type);
      if (exchange !== null) this.evidence.push(exchange);
    }
  }

  /** Adds the exchange of a look-up to the evidence, if it has one. */
  addLookUpEvidence(name: string, type: RecordType): void {
    const lookedUp = this.#lookedUp.find((one) => one.name === foldName(name) && one.type === type);
    this.evidence.push(...(lookedUp?.exchanges ?? []));
  }

  async #queryAny(name: string, type: RecordType): Promise<Exchange | null> {
    const { zone } = this.#authoritative;
    const [inCharge] = this.#answeredExchanges();
    if (inCharge !== undefined && isWithin(name, zone)) {
      const exchange = await this.queryServer(inCharge.server, name, type);
      if (toUsableResponse(exchange) !== null) return exchange;
    }
    const base = isWithin(name, this.baseDomain) ? this.baseDomain : zone;
    // When none of them responds, further queries would only time out.
    if (inCharge !== undefined && isWithin(name, base)) {
      const { exchanges } = await queryAuthoritativeServers(this.run, base, name, type, 'first');
      const told = exchanges.find((exchange) => toUsableResponse(exchange) !== null);
      if (told !== undefined) return told;
    }
    return this.run.resolve(name, type);
  }

  /** Records of a type at a name, with the aliases that lead to them. */
  async queryRecords(name: string, type: RecordType): Promise<readonly ResourceRecord[]> {
    return (await this.queryResponse(name, type))?.answers ?? [];
  }

  #answeredExchanges(): Exchange[] {
    return this.#authoritative.exchanges.filter((exchange) => toUsableResponse(exchange) !== null);
  }
}

function describeServerError(exchange: Exchange): string {
  const { name, address } = exchange.server;
  const trouble = classifyExchangeError(exchange);
  return `${name}: ${trouble === 'refused address' ? `its address ${address} is not public` : trouble}`;
}
