import { judge, type Judgement } from './catalogue/catalogue.ts';
import type { Resolution } from './conversation/lookUp.ts';

/** A judgement on the records at a name; null when there is nothing to say, or when a listed record says it already. */
export type AdviceJudgement = { judgement: Judgement; name: string; type: string };

export function judgeNotAsked({ name, type, reason }: Resolution): AdviceJudgement {
  return { judgement: judge('NOT_ASKED', { name, reason }), name, type };
}
