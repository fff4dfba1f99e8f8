import {
  type Code,
  type FactsOf,
  judge,
  type Judgement,
  type JudgementOf,
  resultOf,
  turnOf,
} from './catalogue/catalogue.ts';

/** What the answers came to, before it is put in words. */
export type Verdict = {
  judgement: Judgement;
  /** The values that were found. */
  found: readonly string[];
  /** Seconds until a resolver that gave this answer asks again. */
  ttl: number;
  /** When what is remembered is forgotten at the latest, in milliseconds since 1970. */
  until?: number;
};

/** A verdict for which nothing was found. */
export function createEmptyVerdict<C extends Code>(
  code: C,
  facts: FactsOf<C>,
  more: Pick<JudgementOf<C>, 'offer'> = {},
): Verdict {
  return { judgement: judge(code, facts, more) as Judgement, found: [], ttl: 0 };
}

/** The same findings under another code. */
export function createVerdict<C extends Code>(
  verdict: Pick<Verdict, 'found' | 'ttl'>,
  code: C,
  facts: FactsOf<C>,
  more: Pick<JudgementOf<C>, 'offer' | 'found'> = {},
): Verdict {
  return { found: verdict.found, ttl: verdict.ttl, judgement: judge(code, facts, more) as Judgement };
}

/** Whether the record is there as its owner can have it: right, nearly so, or with a fault that only its provider can mend. */
export function isPublished({ judgement }: Pick<Verdict, 'judgement'>): boolean {
  return resultOf(judgement.code, 'record') !== 'fail' || turnOf(judgement) === 'provider';
}
