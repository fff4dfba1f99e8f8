import type { DnsResponse, Query } from './message.ts';
import { type Endpoint, type TransportErrorCode, networkTransport, type Server, type Transport } from './transport.ts';
import { Turns } from '../limiter/turns.ts';

const IN_FLIGHT_MAX = 16;
const IN_FLIGHT_TO_ONE_MAX = 4;
/** They are ours to ask, and one silent zone must not take all turns at them. */
const IN_FLIGHT_TO_RESOLVER_MAX = 12;

export type QueryLimits = {
  /** Milliseconds for one question. */
  timeout: number;
  /** Milliseconds for all records of a domain. */
  deadline: number;
  questionsPerRecord: number;
  questionsPerDomain: number;
};

export const LIMITS: QueryLimits = { timeout: 2000, deadline: 10_000, questionsPerRecord: 15, questionsPerDomain: 150 };

/**
 * Whether the name servers of the domains are asked: `off` leaves them alone; where they cannot be asked, `auto` believes
 * resolvers, and `on` knows nothing.
 */
export type AuthoritativeMode = 'auto' | 'on' | 'off';

export type DnsClientOptions = {
  resolvers: readonly Endpoint[];
  authoritativeMode?: AuthoritativeMode;
  limits?: Partial<QueryLimits>;
  /** How servers are reached: over the network, unless their zones are in this process, as those of the demo are. */
  transport?: Transport;
};

/** Asks the DNS for one process: never more than 16 questions at once, 12 to a resolver, and 4 to a name server. */
export class DnsClient {
  readonly resolvers: readonly Server[];
  readonly authoritativeMode: AuthoritativeMode;
  readonly limits: QueryLimits;
  /** How many questions were sent; one that is sent again because its response is late or too large counts once. */
  queriesSent = 0;
  readonly #transport: Transport;
  readonly #turns = new Turns(IN_FLIGHT_MAX);
  readonly #turnsAt = new Map<string, Turns>();

  constructor({ resolvers, authoritativeMode = 'auto', limits, transport = networkTransport }: DnsClientOptions) {
    this.resolvers = resolvers.map((resolver) => ({ ...resolver, name: null }));
    this.authoritativeMode = authoritativeMode;
    this.limits = { ...LIMITS, ...limits };
    this.#transport = transport;
  }

  /**
   * Sends a query when it is its turn. `timeLeft` tells then how many milliseconds there are for it; null gives it up, and
   * so does the result. Turns go round those of a `group`. `learn` is told what came of it before those who wait for the same server get their turn.
   */
  async send(
    server: Server,
    query: Query,
    timeLeft: () => number | null,
    learn: (answer: DnsResponse | TransportErrorCode) => void,
    group: unknown,
  ): Promise<DnsResponse | TransportErrorCode | null> {
    const place = JSON.stringify([server.address, server.port]);
    const turnsAt =
      this.#turnsAt.get(place) ?? new Turns(server.name === null ? IN_FLIGHT_TO_RESOLVER_MAX : IN_FLIGHT_TO_ONE_MAX);
    this.#turnsAt.set(place, turnsAt);
    // Whoever waits for a slow server must not keep others from theirs.
    const ask = async () => {
      const left = timeLeft();
      if (left === null) return null;
      this.queriesSent++;
      const answer = await this.#transport(server, query, Math.min(this.limits.timeout, left));
      learn(answer);
      return answer;
    };
    const askInTurn = async () => (timeLeft() === null ? null : this.#turns.taking(ask, undefined, group));
    const response = await turnsAt.taking(askInTurn, undefined, group);
    if (turnsAt.isIdle) this.#turnsAt.delete(place);
    return response;
  }
}
