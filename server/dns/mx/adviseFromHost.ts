import { type AdviceJudgement, judgeNotAsked } from '../adviceJudgement.ts';
import { judge, type Judgement } from '../catalogue/catalogue.ts';
import type { LookUp } from '../conversation/lookUp.ts';

const TYPES = ['MX', 'A', 'AAAA'] as const;

/** Whether the From domain has an MX record or an address, as GMX and WEB.DE require. */
export async function adviseFromHost(name: string, lookUp: LookUp): Promise<AdviceJudgement> {
  const at = (judgement: Judgement): AdviceJudgement => ({ judgement, name, type: 'MX' });
  for (const type of TYPES) {
    const resolution = await lookUp(name, type);
    if (resolution.records === null) return judgeNotAsked(resolution);
    if (resolution.records.length === 0) continue;
    const isNull = type === 'MX' && resolution.records.every(({ value }) => value === '');
    if (isNull) return at(judge('FROM_NULL_MX', {}));
    // MX records are watched.
    return { ...at(judge('FROM_HOST_FOUND', { type }, type === 'MX' ? { found: [] } : {})), type };
  }
  return at(judge('FROM_HOST_ABSENT', {}));
}
