import { exchange, type Endpoint, type Silence } from './exchange.ts';
import type { Message, Question } from './message.ts';
import { isSpecialUse } from './specialUse.ts';

/** A resolver, which has no name, or a name server of a domain. */
export type Server = Endpoint & { name: string | null };

/** What came of asking one server one question. */
export type Reply = {
  server: Server;
  question: Question;
  /** When it was asked, in milliseconds since 1970. */
  at: number;
  answer: Message | Silence | 'refused address' | 'too many questions' | 'out of time';
};

/** Asks in the name of one record. Never fails: why there is no answer is a reply, too. */
export type Ask = (server: Server, question: Question) => Promise<Reply>;

const IN_FLIGHT_MAX = 16;

type Limits = {
  /** Milliseconds for one question. */
  timeout: number;
  /** Milliseconds for all records of a domain. */
  deadline: number;
  questionsPerRecord: number;
  questionsPerDomain: number;
};

export const LIMITS: Limits = { timeout: 2000, deadline: 10_000, questionsPerRecord: 30, questionsPerDomain: 150 };

/**
 * Whether the name servers of the domains are asked: `off` leaves them alone; where they cannot be asked, `auto` believes
 * resolvers, and `on` knows nothing.
 */
export type Authorities = 'auto' | 'on' | 'off';

export type AskerOptions = {
  resolvers: readonly Endpoint[];
  authorities?: Authorities;
  limits?: Partial<Limits>;
  /** For tests only: name servers of domains listen on this port, and on this machine. */
  authorityPort?: number;
};

/** Asks for one process: never more than 16 questions at once. */
export class Asker {
  readonly resolvers: readonly Server[];
  readonly #authorities: Authorities;
  readonly #limits: Limits;
  readonly #authorityPort: number | null;
  readonly #waiting: (() => void)[] = [];
  #inFlight = 0;

  constructor({ resolvers, authorities = 'auto', limits, authorityPort }: AskerOptions) {
    this.resolvers = resolvers.map((resolver) => ({ ...resolver, name: null }));
    this.#authorities = authorities;
    this.#limits = { ...LIMITS, ...limits };
    this.#authorityPort = authorityPort ?? null;
  }

  get believesResolvers(): boolean {
    return this.#authorities !== 'on';
  }

  /** A name server of somebody's domain; null when those are left alone. */
  authority(name: string, address: string): Server | null {
    return this.#authorities === 'off' ? null : { name, address, port: this.#authorityPort ?? 53 };
  }

  /**
   * For one run over a domain: gives who asks for each record, and at most how many questions. The same question is asked
   * once, whoever needs it, and none after `signal`.
   */
  startRun(signal?: AbortSignal): (questions?: number) => Ask {
    const { deadline, questionsPerDomain, questionsPerRecord } = this.#limits;
    const end = performance.now() + deadline;
    const asked = new Map<string, Promise<Reply>>();
    let left = questionsPerDomain;
    return (questions = questionsPerRecord) => {
      let leftOfRecord = questions;
      return (server, question) => {
        const key = JSON.stringify([server.address, server.port, question]);
        const earlier = asked.get(key);
        if (earlier !== undefined) return earlier;
        const at = Date.now();
        if (left === 0 || leftOfRecord === 0) {
          return Promise.resolve({ server, question, at, answer: 'too many questions' });
        }
        left--;
        leftOfRecord--;
        const reply = this.#send(server, question, end, signal).then((answer) => ({ server, question, at, answer }));
        asked.set(key, reply);
        return reply;
      };
    };
  }

  async #send(
    server: Server,
    question: Question,
    end: number,
    signal: AbortSignal | undefined,
  ): Promise<Reply['answer']> {
    const isForeign = server.name !== null && this.#authorityPort === null;
    if (isForeign && isSpecialUse(server.address)) return 'refused address';
    while (this.#inFlight >= IN_FLIGHT_MAX) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#inFlight++;
    try {
      const left = end - performance.now();
      if (left <= 0 || signal?.aborted) return 'out of time';
      return await exchange(server, question, Math.min(this.#limits.timeout, left));
    } finally {
      this.#inFlight--;
      this.#waiting.shift()?.();
    }
  }
}
