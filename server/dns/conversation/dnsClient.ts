import type { Query } from '../wire/message.ts';
import { type Endpoint, networkTransport, type Server, type Transport } from '../wire/transport.ts';
import { FairLimiter } from '../../limiter/fairLimiter.ts';

const IN_FLIGHT_MAX = 16;
const IN_FLIGHT_TO_ONE_MAX = 4;
/** Resolvers allow more queries in flight than name servers of others. One slow zone must not use all of them. */
const IN_FLIGHT_TO_RESOLVER_MAX = 12;

export type QueryLimits = {
  /** Milliseconds for one query. */
  timeout: number;
  /** Milliseconds for all records of a domain. */
  deadline: number;
  questionsPerRecord: number;
  questionsPerDomain: number;
};

export const LIMITS: QueryLimits = { timeout: 2000, deadline: 10_000, questionsPerRecord: 20, questionsPerDomain: 300 };

/** Name servers: `off`: not queried. `auto`: resolvers stand in. `on`: otherwise the result is unknown. */
export type AuthoritativeMode = 'auto' | 'on' | 'off';

export type DnsClientOptions = {
  resolvers: readonly Endpoint[];
  authoritativeMode?: AuthoritativeMode;
  limits?: Partial<QueryLimits>;
  transport?: Transport;
};

export class DnsClient {
  readonly resolvers: readonly Server[];
  readonly authoritativeMode: AuthoritativeMode;
  readonly limits: QueryLimits;
  /** Number of queries sent. A query that is repeated because of a timeout or truncation counts once. */
  queriesSent = 0;
  readonly #transport: Transport;
  readonly #limiter = new FairLimiter({ max: IN_FLIGHT_MAX });
  readonly #limitersAt = new Map<string, FairLimiter>();

  constructor({ resolvers, authoritativeMode = 'auto', limits, transport = networkTransport }: DnsClientOptions) {
    this.resolvers = resolvers.map((resolver) => ({ ...resolver, name: null }));
    this.authoritativeMode = authoritativeMode;
    this.limits = { ...LIMITS, ...limits };
    this.#transport = transport;
  }

  /** Runs `ask` when it is its turn at this server and in the process. Groups take turns. */
  async inTurn<T>(server: Server, group: unknown, ask: () => Promise<T>): Promise<T> {
    const place = JSON.stringify([server.address, server.port]);
    const limiterAt =
      this.#limitersAt.get(place) ??
      new FairLimiter({ max: server.name === null ? IN_FLIGHT_TO_RESOLVER_MAX : IN_FLIGHT_TO_ONE_MAX });
    this.#limitersAt.set(place, limiterAt);
    // A query that waits for a slow server must not block those to others.
    const result = await limiterAt.run(() => this.#limiter.run(ask, undefined, group), undefined, group);
    if (limiterAt.isIdle) this.#limitersAt.delete(place);
    return result;
  }

  send(server: Server, query: Query, left: number): ReturnType<Transport> {
    this.queriesSent++;
    return this.#transport(server, query, Math.min(this.limits.timeout, left));
  }
}
