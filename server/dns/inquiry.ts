import { isWithin } from '#contract/dnsName.ts';
import type { Ask, Asker, Reply, Server } from './asker.ts';
import { askAuthorities, askResolvers, type Authoritative, reasonOf, serverNamed, usable } from './authorities.ts';
import type { Expectation } from './expectation.ts';
import type { Code } from './findings.ts';
import type { Data, Message, Question } from './message.ts';
import { parentOf } from './names.ts';
import { type Reading, readReply } from './readReply.ts';

type Type = Question['type'];

/** What the replies came to, before it is put in words. */
export type Judgement = Reading & { foundAt?: string; until?: number };

/** A judgement that nothing was found for. */
export function none(code: Code, detail = ''): Judgement {
  return { code, detail, found: [], ttl: 0 };
}

/** Asks about one record, and keeps what was said. */
export class Inquiry {
  readonly expected: Expectation;
  /** The names a record is searched below: the MAIL FROM name may lie outside the sending domain. */
  readonly base: string;
  readonly evidence: Reply[] = [];
  /** What the servers in charge of the name said. */
  #authoritative: Authoritative = { zone: '', serverNames: [], replies: [] };
  /** What a resolver said about the name where no server in charge did. */
  #resolved: Message | null = null;
  readonly #asker: Asker;
  readonly #ask: Ask;

  constructor(asker: Asker, ask: Ask, expected: Expectation) {
    this.#asker = asker;
    this.#ask = ask;
    this.expected = expected;
    const { name, domain } = expected;
    this.base = isWithin(name, domain) ? domain : parentOf(name);
  }

  get believesResolvers(): boolean {
    return this.#asker.believesResolvers;
  }

  /** Whether a server in charge said something about the record. */
  get isTold(): boolean {
    return this.#told().length > 0;
  }

  /** Where the name lies, as far as anybody could tell; empty for the root, or when nobody could. */
  get zone(): string {
    const { zone } = this.#authoritative;
    return this.#resolved === null ? zone : (this.#resolved.authority?.zone ?? (zone || this.base));
  }

  get serverNames(): readonly string[] {
    return this.#authoritative.serverNames;
  }

  /** The server that has changes of the zone first; undefined when nobody named it. */
  get primary(): string | undefined {
    return this.#told()
      .map((reply) => usable(reply)?.authority?.primary)
      .find((name) => name !== undefined);
  }

  /** A label that nobody has. */
  get unusedLabel(): string {
    return this.#ask.unusedLabel;
  }

  ask(server: Server, name: string, type: Type, isTcp = false): Promise<Reply> {
    return this.#ask(server, { name, type, isRecursive: false, ...(isTcp && { isTcp }) });
  }

  /** Asks the servers in charge for the record, and gives the replies that say something about it. */
  async askAuthorities(): Promise<Reply[]> {
    const { name, type } = this.expected;
    this.#authoritative = await askAuthorities(this.#asker, this.#ask, this.base, name, type);
    this.evidence.push(...this.#authoritative.replies);
    return this.#told();
  }

  /** Asks all resolvers for the record. */
  async askEachResolver(): Promise<Reply[]> {
    const { name, type } = this.expected;
    const question = { name, type, isRecursive: true };
    const replies = await Promise.all(this.#asker.resolvers.map((resolver) => this.#ask(resolver, question)));
    this.evidence.push(...replies);
    return replies;
  }

  /** Asks the first resolver that answers for the record. */
  async askResolver(isUnchecked = false): Promise<Reply | null> {
    const { name, type } = this.expected;
    const reply = await this.resolve(name, type, isUnchecked);
    if (reply !== null) this.evidence.push(reply);
    if (reply !== null && !this.isTold) this.#resolved = usable(reply);
    return reply;
  }

  resolve(name: string, type: Type, isUnchecked = false): Promise<Reply | null> {
    return askResolvers(this.#asker, this.#ask, name, type, isUnchecked);
  }

  serverNamed(name: string): Promise<Server | null> {
    return serverNamed(this.#asker, this.#ask, name);
  }

  /** Asks one server in charge, or a resolver where none can be asked. */
  async lookUp(name: string, type: Type): Promise<Message | null> {
    const reply = await this.#lookUp(name, type);
    return reply && usable(reply);
  }

  /** Puts what was looked up among the evidence; it is not asked again. */
  async show(name: string, ...types: readonly Type[]): Promise<void> {
    for (const type of types) {
      const reply = await this.#lookUp(name, type);
      if (reply !== null) this.evidence.push(reply);
    }
  }

  async #lookUp(name: string, type: Type): Promise<Reply | null> {
    const { zone } = this.#authoritative;
    const [inCharge] = this.#told();
    if (inCharge !== undefined && isWithin(name, zone)) {
      const reply = await this.ask(inCharge.server, name, type);
      if (usable(reply) !== null) return reply;
    }
    const base = isWithin(name, this.base) ? this.base : zone;
    // Where none of them answered, each question would only cost the time it takes to find that out again.
    if (inCharge !== undefined && isWithin(name, base)) {
      const { replies } = await askAuthorities(this.#asker, this.#ask, base, name, type, 'first');
      const told = replies.find((reply) => usable(reply) !== null);
      if (told !== undefined) return told;
    }
    return this.resolve(name, type);
  }

  /** The records of a type at a name, with the aliases that lead to them. */
  async recordsAt(name: string, type: Type): Promise<Data[]> {
    return (await this.lookUp(name, type))?.answers ?? [];
  }

  /** What another name holds of what is expected; null when it could not be asked. */
  async look(name: string): Promise<Reading | null> {
    const message = await this.lookUp(name, this.expected.type);
    return message && readReply({ ...this.expected, name }, message, this.zone);
  }

  /** What a reply says about the record; null when it says nothing. */
  read(reply: Reply | null): Reading | null {
    const message = reply && usable(reply);
    return message && readReply(this.expected, message, this.zone);
  }

  /** The servers in charge that were asked and did not tell, with what they said instead. */
  untold(): string {
    return this.#authoritative.replies
      .filter((reply) => usable(reply) === null)
      .map(reasonOf)
      .join('; ');
  }

  #told(): Reply[] {
    return this.#authoritative.replies.filter((reply) => usable(reply) !== null);
  }
}
