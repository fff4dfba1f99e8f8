import { randomBytes } from 'node:crypto';
import { exchange, type Endpoint, type Silence } from './exchange.ts';
import type { Message, Question } from './message.ts';
import { isSpecialUse } from './specialUse.ts';
import { Turns } from '../turns.ts';

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
export type Ask = ((server: Server, question: Question) => Promise<Reply>) & {
  /** A label that nobody has, the same for all records of a run. */
  unusedLabel: string;
};

type Run = {
  end: number;
  signal: AbortSignal | undefined;
  /** Servers that were asked in vain, and resolvers that were not. */
  silent: Set<string>;
  answering: Set<string>;
};

const IN_FLIGHT_MAX = 16;
const IN_FLIGHT_TO_ONE_MAX = 4;

type Limits = {
  /** Milliseconds for one question. */
  timeout: number;
  /** Milliseconds for all records of a domain. */
  deadline: number;
  questionsPerRecord: number;
  questionsPerDomain: number;
};

export const LIMITS: Limits = { timeout: 2000, deadline: 10_000, questionsPerRecord: 15, questionsPerDomain: 150 };

/**
 * Whether the name servers of the domains are asked: `off` leaves them alone; where they cannot be asked, `auto` believes
 * resolvers, and `on` knows nothing.
 */
export type Authorities = 'auto' | 'on' | 'off';

export type AskerOptions = {
  resolvers: readonly Endpoint[];
  authorities?: Authorities;
  limits?: Partial<Limits>;
  /**
   * For tests and for the DNS of the demo, whose zones are ours: name servers listen on this port, and on this machine. An
   * asker that has it must never hear of a zone that somebody else wrote.
   */
  authorityPort?: number;
};

/** Asks for one process: never more than 16 questions at once, and 4 to one server. */
export class Asker {
  readonly resolvers: readonly Server[];
  /** How many questions were sent; one that is repeated because its answer is late or too large counts once. */
  questions = 0;
  readonly #authorities: Authorities;
  readonly #limits: Limits;
  readonly #authorityPort: number | null;
  readonly #turns = new Turns(IN_FLIGHT_MAX);
  readonly #turnsAt = new Map<string, Turns>();

  constructor({ resolvers, authorities = 'auto', limits, authorityPort }: AskerOptions) {
    this.resolvers = resolvers.map((resolver) => ({ ...resolver, name: null }));
    this.#authorities = authorities;
    this.#limits = { ...LIMITS, ...limits };
    this.#authorityPort = authorityPort ?? null;
  }

  get asksAuthorities(): boolean {
    return this.#authorities !== 'off';
  }

  get believesResolvers(): boolean {
    return this.#authorities !== 'on';
  }

  /** A name server of somebody's domain. */
  authority(name: string, address: string): Server {
    return { name, address, port: this.#authorityPort ?? 53 };
  }

  /**
   * For one run over a domain: gives who asks for each record, and at most how many questions. The same question is asked
   * once, whoever needs it, and none after `signal`. A name server that was silent is not waited for again; a resolver
   * is, unless another one answers: it may be silent about one name only.
   */
  startRun(signal?: AbortSignal): (questions?: number) => Ask {
    const { deadline, questionsPerDomain, questionsPerRecord } = this.#limits;
    const run: Run = { end: performance.now() + deadline, signal, silent: new Set(), answering: new Set() };
    const unusedLabel = `zz-${randomBytes(6).toString('hex')}`;
    const asked = new Map<string, Promise<Reply>>();
    let left = questionsPerDomain;
    return (questions = questionsPerRecord) => {
      let leftOfRecord = questions;
      const ask = (server: Server, question: Question): Promise<Reply> => {
        const key = JSON.stringify([server.address, server.port, question]);
        const earlier = asked.get(key);
        if (earlier !== undefined) return earlier;
        const at = Date.now();
        if (left === 0 || leftOfRecord === 0) {
          return Promise.resolve({ server, question, at, answer: 'too many questions' });
        }
        left--;
        leftOfRecord--;
        const reply = this.#send(server, question, run).then((answer) => ({ server, question, at, answer }));
        asked.set(key, reply);
        return reply;
      };
      return Object.assign(ask, { unusedLabel });
    };
  }

  async #send(server: Server, question: Question, run: Run): Promise<Reply['answer']> {
    const isForeign = server.name !== null && this.#authorityPort === null;
    if (isForeign && isSpecialUse(server.address)) return 'refused address';
    const place = JSON.stringify([server.address, server.port]);
    const turnsAt = this.#turnsAt.get(place) ?? new Turns(IN_FLIGHT_TO_ONE_MAX);
    this.#turnsAt.set(place, turnsAt);
    // Whoever waits for a slow server must not keep others from theirs.
    const answer = await turnsAt.taking(async () => {
      if (isGivenUp(server, place, run)) return 'timeout';
      const answer = await this.#turns.taking(async () => {
        const left = run.end - performance.now();
        if (left <= 0 || run.signal?.aborted) return 'out of time';
        this.questions++;
        return exchange(server, question, Math.min(this.#limits.timeout, left));
      });
      if (answer === 'timeout') run.silent.add(place);
      if (typeof answer !== 'string' && server.name === null) run.answering.add(place);
      return answer;
    });
    if (turnsAt.isIdle) this.#turnsAt.delete(place);
    return answer;
  }
}

function isGivenUp({ name }: Server, place: string, { silent, answering }: Run): boolean {
  return silent.has(place) && (name !== null || (answering.size > 0 && !answering.has(place)));
}
