import { randomBytes } from 'node:crypto';
import type { DnsClient } from './dnsClient.ts';
import type { Query, RecordType, DnsResponse } from './message.ts';
import type { TransportErrorCode, Server } from './transport.ts';

/** What came of asking one server one question. */
export type Exchange = {
  server: Server;
  query: Query;
  /** When it was asked, in milliseconds since 1970. */
  at: number;
  answer: DnsResponse | TransportErrorCode | 'too many questions' | 'out of time';
};

/** What all records of a run share. */
type RunState = {
  end: number;
  signal: AbortSignal | undefined;
  exchanges: Map<string, Promise<Exchange>>;
  questionsLeft: number;
  /** Servers that were asked in vain, name servers that were so once more, and resolvers that were not. */
  silentServers: Set<string>;
  twiceSilentServers: Set<string>;
  answeringResolvers: Set<string>;
  unusedLabel: string;
};

/** A check of one domain, or the part of it that has `questionsLeft` of its own: resolvers, budget and cancellation. */
export class CheckRun {
  readonly client: DnsClient;
  readonly #shared: RunState;
  #questionsLeft: number;

  /** For one check of a domain: what was asked in it is not asked again. After `signal` nothing more is asked. */
  static start(client: DnsClient, signal?: AbortSignal): CheckRun {
    const { deadline, questionsPerDomain } = client.limits;
    return new CheckRun(client, questionsPerDomain, {
      end: performance.now() + deadline,
      signal,
      exchanges: new Map(),
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

  /** The same run with at most so many questions more. */
  withQueryLimit(questions: number): CheckRun {
    return new CheckRun(this.client, questions, this.#shared);
  }

  /** A label that nobody has, the same in a whole run. */
  get unusedLabel(): string {
    return this.#shared.unusedLabel;
  }

  get usesAuthoritativeServers(): boolean {
    return this.client.authoritativeMode !== 'off';
  }

  get trustsResolvers(): boolean {
    return this.client.authoritativeMode !== 'on';
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
        if (toUsableResponse(exchange) !== null) return exchange;
        // That there was no time left says less than that it was silent.
        if (!isRepeated || exchange.answer !== 'out of time') last = exchange;
      }
      if (last?.answer !== 'timeout') break;
    }
    return last;
  }

  async #send(server: Server, query: Query, isRepeated: boolean): Promise<Exchange['answer']> {
    const { end, signal, silentServers, twiceSilentServers, answeringResolvers } = this.#shared;
    const place = JSON.stringify([server.address, server.port]);
    // Who was silent once is not waited for again; a resolver is, while no other one answers: it may be silent about one name only.
    const isGivenUp = () => {
      if (isRepeated) return twiceSilentServers.has(place);
      return (
        silentServers.has(place) &&
        (server.name !== null || (answeringResolvers.size > 0 && !answeringResolvers.has(place)))
      );
    };
    const isOver = () => end - performance.now() <= 0 || signal?.aborted === true;
    const timeLeft = () => (isOver() || isGivenUp() ? null : end - performance.now());
    const learn = (one: DnsResponse | TransportErrorCode) => {
      if (one === 'timeout' || one === 'garbled') {
        silentServers.add(place);
        if (isRepeated && server.name !== null) twiceSilentServers.add(place);
      } else if (typeof one !== 'string' && server.name === null) answeringResolvers.add(place);
    };
    const answer = await this.client.send(server, query, timeLeft, learn, this.#shared);
    if (answer === null) return isOver() ? 'out of time' : 'timeout';
    return answer;
  }
}

/** The response in an exchange that says something about the name: the record, or that there is none. */
export function toUsableResponse({ server, answer }: Exchange): DnsResponse | null {
  if (typeof answer === 'string' || !['NOERROR', 'NXDOMAIN'].includes(answer.rcode)) return null;
  return answer.isTruncated || isNotInCharge(server, answer) ? null : answer;
}

/** Why an exchange says nothing, in a word. */
export function classifyExchangeError({ server, answer }: Exchange): string {
  if (typeof answer === 'string') return answer;
  const isRefused = answer.rcode !== 'NOERROR' && answer.rcode !== 'NXDOMAIN';
  return !isRefused && isNotInCharge(server, answer) ? 'not in charge' : answer.rcode;
}

/** A name server that refers to others, or that does not say that it has the zone, is not believed by resolvers either. */
function isNotInCharge({ name }: Server, { referral, isAuthoritative }: DnsResponse): boolean {
  return referral !== null || (name !== null && !isAuthoritative);
}

/** Whether the resolver says even of the root that it does not exist, so that it cannot be believed. */
export async function deniesAll(run: CheckRun): Promise<boolean> {
  const root = await run.resolve('', 'NS');
  return root !== null && toUsableResponse(root)?.rcode === 'NXDOMAIN';
}
