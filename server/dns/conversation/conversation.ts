import { randomBytes } from 'node:crypto';
import type { DnsClient } from './dnsClient.ts';
import type { Query, RecordType, DnsResponse } from '../wire/message.ts';
import type { TransportErrorCode, Server } from '../wire/transport.ts';

/** One query to one server, with its response or error. */
export type Exchange = {
  server: Server;
  query: Query;
  /** When it was sent, in milliseconds since the epoch. */
  at: number;
  answer: DnsResponse | TransportErrorCode | 'too many questions' | 'out of time';
  /** The timeout came early, with the end of the time for the domain: the server may only be slow. */
  isCutOff?: boolean;
};

/** State shared by all records of a run. */
type RunState = {
  end: number;
  signal: AbortSignal | undefined;
  exchanges: Map<string, Promise<Exchange>>;
  questionsLeft: number;
  /** Servers that timed out, name servers that timed out twice, and resolvers that have responded. */
  silentServers: Set<string>;
  twiceSilentServers: Set<string>;
  answeringResolvers: Set<string>;
  unusedLabel: string;
};

/** The check of one domain, or a part of it with its own limit `questionsLeft`: resolvers and limits. */
export class CheckRun {
  readonly client: DnsClient;
  readonly #shared: RunState;
  #questionsLeft: number;

  /** Creates a run. Within it, each query is sent only once. After `signal` aborts, nothing more is sent. */
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

  /** The same run with a limit of further queries. */
  withQueryLimit(questions: number): CheckRun {
    return new CheckRun(this.client, questions, this.#shared);
  }

  /** A random label that does not exist, the same in the whole run. */
  get unusedLabel(): string {
    return this.#shared.unusedLabel;
  }

  get usesAuthoritativeServers(): boolean {
    return this.client.authoritativeMode !== 'off';
  }

  get trustsResolvers(): boolean {
    return this.client.authoritativeMode !== 'on';
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

  async #send(server: Server, query: Query, isRepeated: boolean): Promise<Pick<Exchange, 'answer' | 'isCutOff'>> {
    const { end, signal, silentServers, twiceSilentServers, answeringResolvers } = this.#shared;
    // A firewall may drop one transport only.
    const place = JSON.stringify([server.address, server.port, query.isTcp === true]);
    // A name server that timed out is not queried again in this run. A resolver is while no other responds, because it
    // may time out for one name only.
    const isGivenUp = () => {
      if (isRepeated) return twiceSilentServers.has(place);
      return (
        silentServers.has(place) &&
        (server.name !== null || (answeringResolvers.size > 0 && !answeringResolvers.has(place)))
      );
    };
    const isOver = () => end - performance.now() <= 0 || signal?.aborted === true;
    let given = 0;
    const timeLeft = () => {
      given = end - performance.now();
      return isOver() || isGivenUp() ? null : given;
    };
    const learn = (one: DnsResponse | TransportErrorCode) => {
      if (one === 'timeout' || one === 'garbled') {
        silentServers.add(place);
        if (isRepeated && server.name !== null) twiceSilentServers.add(place);
      } else if (typeof one !== 'string' && server.name === null) answeringResolvers.add(place);
    };
    const answer = await this.client.send(server, query, timeLeft, learn, this.#shared);
    if (answer === null) return { answer: isOver() ? 'out of time' : 'timeout' };
    return answer === 'timeout' && given < this.client.limits.timeout ? { answer, isCutOff: true } : { answer };
  }
}

/** The response of an exchange if it is usable: it has the record, or denies it. */
export function toUsableResponse({ server, answer }: Exchange): DnsResponse | null {
  if (typeof answer === 'string' || !['NOERROR', 'NXDOMAIN'].includes(answer.rcode)) return null;
  return answer.isTruncated || isNotInCharge(server, answer) ? null : answer;
}

/** Why an exchange has no usable response, in a word. */
export function classifyExchangeError({ server, answer }: Exchange): string {
  if (typeof answer === 'string') return answer;
  const isRefused = answer.rcode !== 'NOERROR' && answer.rcode !== 'NXDOMAIN';
  return !isRefused && isNotInCharge(server, answer) ? 'not in charge' : answer.rcode;
}

/** Limits of the check, before the query was sent. They say nothing about the server. */
export const NOT_ASKED: readonly string[] = ['out of time', 'too many questions'];

/** With those of the network of this machine. */
export const NOT_SENT: readonly string[] = ['no route', ...NOT_ASKED];

/** Whether a response is not authoritative, or a referral: resolvers do not accept it either. */
function isNotInCharge({ name }: Server, { referral, isAuthoritative }: DnsResponse): boolean {
  return referral !== null || (name !== null && !isAuthoritative);
}

/** Whether a resolver denies even the root, so that it cannot be trusted. */
export async function deniesAll(run: CheckRun): Promise<boolean> {
  const root = await run.resolve('', 'NS');
  return root !== null && toUsableResponse(root)?.rcode === 'NXDOMAIN';
}
