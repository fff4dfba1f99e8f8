import {
  type Code,
  type FactsOf,
  judge,
  type Judgement,
  type JudgementOf,
  resultOf,
  turnOf,
} from './catalogue/catalogue.ts';

/** The result for a record, before it is put into words. */
export type Verdict = {
  judgement: Judgement;
  /** The values that were found. */
  found: readonly string[];
  /** Seconds for which resolvers cache the response. */
  ttl: number;
  /** When the last cached response expires, in milliseconds since the epoch. */
  until?: number;
};

/** A verdict without a response. */
export function createEmptyVerdict<C extends Code>(
  code: C,
  facts: FactsOf<C>,
  more: Pick<JudgementOf<C>, 'offer'> = {},
): Verdict {
  return { judgement: judge(code, facts, more) as Judgement, found: [], ttl: 0 };
}

/** A verdict with the records of `verdict` and another judgement. */
export function createVerdict<C extends Code>(
  verdict: Pick<Verdict, 'found' | 'ttl'>,
  code: C,
  facts: FactsOf<C>,
  more: Pick<JudgementOf<C>, 'offer' | 'found'> = {},
): Verdict {
  return { found: verdict.found, ttl: verdict.ttl, judgement: judge(code, facts, more) as Judgement };
}

/** As good as its owner can make it: right, nearly right, or with a fault that only the provider can fix. */
export function isPublished({ judgement }: Pick<Verdict, 'judgement'>): boolean {
  return resultOf(judgement.code, 'record') !== 'fail' || turnOf(judgement) === 'provider';
}
