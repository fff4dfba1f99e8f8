import { assessResponse } from './assessResponse.ts';
import type { Judgement } from './catalogue/catalogue.ts';
import { type Exchange, toUsableResponse } from './conversation/exchange.ts';
import type { Inspection } from './inspection.ts';

export type Assessed = { exchange: Exchange; judgement: Judgement };

export class Assessor {
  readonly inspection: Inspection;
  readonly #known = new Map<string, Promise<Judgement>>();

  constructor(inspection: Inspection) {
    this.inspection = inspection;
  }

  /** Null when the response is not usable. */
  async assess(exchange: Exchange | null): Promise<Judgement | null> {
    const response = toUsableResponse(exchange);
    if (response === null) return null;
    const { rcode, answers, authority } = response;
    const records = answers.map(({ name, type, value, priority }) => JSON.stringify([name, type, value, priority]));
    const key = JSON.stringify([rcode, records.toSorted()]);
    const judgement = this.#known.get(key) ?? assessResponse(this.inspection, response);
    this.#known.set(key, judgement);
    const own = answers.filter(({ name }) => name === this.inspection.expected.name);
    return {
      ...(await judgement),
      ttl: own.length > 0 ? Math.min(...own.map(({ ttl }) => ttl)) : (authority?.ttl ?? 0),
    };
  }

  async assessAll(exchanges: readonly Exchange[]): Promise<Assessed[]> {
    const all = await Promise.all(exchanges.map((exchange) => this.assess(exchange)));
    return exchanges.flatMap((exchange, index) => {
      const judgement = all[index];
      return judgement ? [{ exchange, judgement }] : [];
    });
  }
}
