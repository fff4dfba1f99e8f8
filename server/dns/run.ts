import { randomBytes } from 'node:crypto';
import type { DnsClient } from './dnsClient.ts';
import type { Query, RecordType, Response } from './message.ts';
import type { Failure, Server } from './transport.ts';

/** What came of asking one server one question. */
export type Exchange = {
  server: Server;
  query: Query;
  /** When it was asked, in milliseconds since 1970. */
  at: number;
  answer: Response | Failure | 'too many questions' | 'out of time';
};

/** What all records of a run share. */
type Shared = {
  end: number;
  signal: AbortSignal | undefined;
  exchanges: Map<string, Promise<Exchange>>;
  questionsLeft: number;
  /** Servers that were asked in vain, name servers that were so once more, and resolvers that were not. */
  silent: Set<string>;
  silentAgain: Set<string>;
  answering: Set<string>;
  unusedLabel: string;
};

/** A check of one domain, or the part of it that has `questionsLeft` of its own: resolvers, budget and cancellation. */
export class Run {
  readonly client: DnsClient;
  readonly #shared: Shared;
  #questionsLeft: number;

  /** For one check of a domain: what was asked in it is not asked again. After `signal` nothing more is asked. */
  static start(client: DnsClient, signal?: AbortSignal): Run {
    const { deadline, questionsPerDomain } = client.limits;
    return new Run(client, questionsPerDomain, {
      end: performance.now() + deadline,
      signal,
      exchanges: new Map(),
      questionsLeft: questionsPerDomain,
      silent: new Set(),
      silentAgain: new Set(),
      answering: new Set(),
      unusedLabel: `zz-${randomBytes(6).toString('hex')}`,
    });
  }

  private constructor(client: DnsClient, questions: number, shared: Shared) {
    this.client = client;
    this.#questionsLeft = questions;
    this.#shared = shared;
  }

  /** The same run with at most so many questions more. */
  within(questions: number): Run {
    return new Run(this.client, questions, this.#shared);
  }

  /** A label that nobody has, the same in a whole run. */
  get unusedLabel(): string {
    return this.#shared.unusedLabel;
  }

  get asksAuthorities(): boolean {
    return this.client.authorities !== 'off';
  }

  get believesResolvers(): boolean {
    return this.client.authorities !== 'on';
  }

  /** Never fails: why there is no response is in the exchange. `isRepeated` asks a server again that was silent before. */
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
    const exchange = this.#send(server, query, isRepeated).then((answer) => ({ server, query, at, answer }));
    exchanges.set(key, exchange);
    return exchange;
  }

  /**
   * Asks the first resolver that answers. Where all are silent it asks once more: they go on looking for an answer when
   * nobody waits for it. Null without resolvers.
   */
  async resolve(name: string, type: RecordType, { isUnchecked = false } = {}): Promise<Exchange | null> {
    const query: Query = { name, type, isRecursive: true, ...(isUnchecked && { isUnchecked }) };
    let last: Exchange | null = null;
    for (const isRepeated of [false, true]) {
      for (const resolver of this.client.resolvers) {
        const exchange = await this.query(resolver, query, { isRepeated });
        if (usable(exchange) !== null) return exchange;
        // That there was no time left says less than that it was silent.
        if (!isRepeated || exchange.answer !== 'out of time') last = exchange;
      }
      if (last?.answer !== 'timeout') break;
    }
    return last;
  }

  async #send(server: Server, query: Query, isRepeated: boolean): Promise<Exchange['answer']> {
    const { end, signal, silent, silentAgain, answering } = this.#shared;
    const place = JSON.stringify([server.address, server.port]);
    // Who was silent once is not waited for again; a resolver is, while no other one answers: it may be silent about one name only.
    const isGivenUp = () => {
      if (isRepeated) return silentAgain.has(place);
      return silent.has(place) && (server.name !== null || (answering.size > 0 && !answering.has(place)));
    };
    const isOver = () => end - performance.now() <= 0 || signal?.aborted === true;
    const timeLeft = () => (isOver() || isGivenUp() ? null : end - performance.now());
    const learn = (one: Response | Failure) => {
      if (one === 'timeout' || one === 'garbled') {
        silent.add(place);
        if (isRepeated && server.name !== null) silentAgain.add(place);
      } else if (typeof one !== 'string' && server.name === null) answering.add(place);
    };
    const answer = await this.client.send(server, query, timeLeft, learn, this.#shared);
    if (answer === null) return isOver() ? 'out of time' : 'timeout';
    return answer;
  }
}

/** The response in an exchange that says something about the name: the record, or that there is none. */
export function usable({ server, answer }: Exchange): Response | null {
  if (typeof answer === 'string' || !['NOERROR', 'NXDOMAIN'].includes(answer.rcode)) return null;
  return answer.isTruncated || isNotInCharge(server, answer) ? null : answer;
}

/** Why an exchange says nothing, in a word. */
export function troubleOf({ server, answer }: Exchange): string {
  if (typeof answer === 'string') return answer;
  const isRefused = answer.rcode !== 'NOERROR' && answer.rcode !== 'NXDOMAIN';
  return !isRefused && isNotInCharge(server, answer) ? 'not in charge' : answer.rcode;
}

/** A name server that refers to others, or that does not say that it has the zone, is not believed by resolvers either. */
function isNotInCharge({ name }: Server, { referral, isAuthoritative }: Response): boolean {
  return referral !== null || (name !== null && !isAuthoritative);
}

/** Whether the resolver says even of the root that it does not exist, so that it cannot be believed. */
export async function deniesAll(run: Run): Promise<boolean> {
  const root = await run.resolve('', 'NS');
  return root !== null && usable(root)?.rcode === 'NXDOMAIN';
}
