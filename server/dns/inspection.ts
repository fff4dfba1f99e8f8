import { isWithin } from '#contract/dnsName.ts';
import { askAuthorities, type Authoritative, serverNamed } from './authorities.ts';
import type { Expectation } from './expectation.ts';
import { type LookedUp, lookUpBy } from './lookUp.ts';
import type { Data, RecordType, Response } from './message.ts';
import { foldName, isRegistry, parentOf } from './names.ts';
import type { LookUp } from './resolution.ts';
import { type Exchange, type Run, troubleOf, usable } from './run.ts';
import type { Server } from './transport.ts';

/** The check of one record: what is asked for it, and what was said. */
export class Inspection {
  readonly run: Run;
  readonly expected: Expectation;
  /** The names a record is searched below: the MAIL FROM name may lie outside the sending domain. */
  readonly base: string;
  readonly evidence: Exchange[] = [];
  /** Asks servers in charge for what lies in the zone of the domain, and resolvers for all else. */
  readonly lookUp: LookUp;
  readonly #lookedUp: LookedUp[] = [];
  #authoritative: Authoritative = {
    zone: '',
    serverNames: [],
    servers: [],
    withoutAddress: [],
    exchanges: [],
    above: null,
    onlyAbove: [],
  };
  /** What a resolver said about the name where no server in charge did. */
  #resolved: Response | null = null;

  constructor(run: Run, expected: Expectation) {
    this.run = run;
    this.expected = expected;
    const { name, domain } = expected;
    this.base = isWithin(name, domain) ? domain : parentOf(name);
    this.lookUp = lookUpBy(
      run,
      (asked) => (this.#isOwn(asked) ? this.base : null),
      (one) => this.#lookedUp.push(one),
    );
  }

  #isOwn(name: string): boolean {
    const { zone } = this.#authoritative;
    return isWithin(name, this.base) || (zone !== '' && !isRegistry(zone) && isWithin(name, zone));
  }

  get delegation(): Authoritative {
    return this.#authoritative;
  }

  /** Whether a server in charge said something about the record. */
  get isTold(): boolean {
    return this.#told().length > 0;
  }

  /** The zone that the name lies in; null while nobody could tell. */
  get zone(): string | null {
    const told = this.#told()
      .map((exchange) => usable(exchange)?.authority?.zone)
      .find((zone) => zone !== undefined);
    const zone =
      told ?? (this.isTold ? this.#authoritative.zone : this.#resolved?.authority?.zone) ?? this.#authoritative.zone;
    return zone === '' || isRegistry(zone) || !isWithin(this.expected.name, zone) ? null : zone;
  }

  /** The zone that says that there is nothing, also where it is the root or that of a registry; null when nobody said. */
  get answeringZone(): string | null {
    const said = this.#resolved ?? this.#told().map(usable)[0];
    return said?.authority?.zone ?? null;
  }

  /** The server that has changes of the zone first; undefined when nobody named it. */
  get primary(): string | undefined {
    return this.#told()
      .map((exchange) => usable(exchange)?.authority?.primary)
      .find((name) => name !== undefined);
  }

  /** What the servers in charge did that were asked and did not tell. */
  get troubles(): string[] {
    return this.#authoritative.exchanges
      .filter((exchange) => usable(exchange) === null)
      .map((exchange) => {
        const { name, address } = exchange.server;
        const trouble = troubleOf(exchange);
        return `${name}: ${trouble === 'refused address' ? `its address ${address} is not public` : trouble}`;
      });
  }

  /** Asks the servers in charge for the record, and gives the exchanges that say something about it. */
  async askAuthorities(): Promise<Exchange[]> {
    const { name, type } = this.expected;
    this.#authoritative = await askAuthorities(this.run, this.base, name, type);
    this.evidence.push(...this.#authoritative.exchanges);
    return this.#told();
  }

  /** Asks all resolvers for the record, and where none answers, those that were silent once more. */
  async askEachResolver(): Promise<Exchange[]> {
    const { name, type } = this.expected;
    const ask = (resolver: Server, isRepeated = false) =>
      this.run.query(resolver, { name, type, isRecursive: true }, { isRepeated });
    const first = await Promise.all(this.run.client.resolvers.map((resolver) => ask(resolver)));
    const exchanges = first.some((one) => usable(one) !== null)
      ? first
      : await Promise.all(first.map(async (one) => (one.answer === 'timeout' ? ask(one.server, true) : one)));
    this.evidence.push(...exchanges);
    return exchanges;
  }

  /** Asks the first resolver that answers for the record. */
  async askResolver(options: { isUnchecked?: boolean } = {}): Promise<Exchange | null> {
    const { name, type } = this.expected;
    const exchange = await this.run.resolve(name, type, options);
    if (exchange !== null) this.evidence.push(exchange);
    if (exchange !== null && !this.isTold) this.#resolved = usable(exchange);
    return exchange;
  }

  ask(server: Server, name: string, type: RecordType, isTcp = false): Promise<Exchange> {
    return this.run.query(server, { name, type, isRecursive: false, ...(isTcp && { isTcp }) });
  }

  serverNamed(name: string): Promise<Server | null> {
    return serverNamed(this.run, name);
  }

  /** Asks one server in charge, or a resolver where none can be asked. */
  async response(name: string, type: RecordType): Promise<Response | null> {
    const exchange = await this.#exchange(name, type);
    return exchange && usable(exchange);
  }

  /** Puts what was asked among the evidence; it is not asked again. */
  async show(name: string, ...types: readonly RecordType[]): Promise<void> {
    for (const type of types) {
      const exchange = await this.#exchange(name, type);
      if (exchange !== null) this.evidence.push(exchange);
    }
  }

  /** Puts what was asked for a look-up among the evidence; nothing where nothing was. */
  showLookUp(name: string, type: RecordType): void {
    const lookedUp = this.#lookedUp.find((one) => one.name === foldName(name) && one.type === type);
    this.evidence.push(...(lookedUp?.exchanges ?? []));
  }

  async #exchange(name: string, type: RecordType): Promise<Exchange | null> {
    const { zone } = this.#authoritative;
    const [inCharge] = this.#told();
    if (inCharge !== undefined && isWithin(name, zone)) {
      const exchange = await this.ask(inCharge.server, name, type);
      if (usable(exchange) !== null) return exchange;
    }
    const base = isWithin(name, this.base) ? this.base : zone;
    // Where none of them answered, each question would only cost the time it takes to find that out again.
    if (inCharge !== undefined && isWithin(name, base)) {
      const { exchanges } = await askAuthorities(this.run, base, name, type, 'first');
      const told = exchanges.find((exchange) => usable(exchange) !== null);
      if (told !== undefined) return told;
    }
    return this.run.resolve(name, type);
  }

  /** The records of a type at a name, with the aliases that lead to them. */
  async recordsAt(name: string, type: RecordType): Promise<readonly Data[]> {
    return (await this.response(name, type))?.answers ?? [];
  }

  #told(): Exchange[] {
    return this.#authoritative.exchanges.filter((exchange) => usable(exchange) !== null);
  }
}
