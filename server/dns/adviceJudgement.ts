import { judge, type Judgement } from './catalogue/catalogue.ts';
import type { Resolution } from './conversation/lookUp.ts';

export type AdviceJudgement = { judgement: Judgement; name: string; type: string };

export function judgeNotAsked({ name, type, reason }: Resolution): AdviceJudgement {
  return { judgement: judge('NOT_ASKED', { name, reason }), name, type };
}
