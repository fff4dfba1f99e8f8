import { type AdviceJudgement, judgeNotAsked } from '../adviceJudgement.ts';
import { judge } from '../catalogue/catalogue.ts';
import type { LookUp } from '../conversation/lookUp.ts';

/** Whether resolvers find the SOA record of the zone of `name`, as Yahoo requires of the From domain and MAIL FROM. */
export async function adviseSoa(name: string, lookUp: LookUp): Promise<AdviceJudgement> {
  const resolution = await lookUp(name, 'SOA');
  if (resolution.records === null) return judgeNotAsked(resolution);
  const { authority = null, isNxdomain } = resolution;
  if (isNxdomain || authority === null)
    return { judgement: judge('SOA_NOT_FOUND', { exists: !isNxdomain }, { found: [] }), name, type: 'SOA' };
  // Its values are watched.
  return { judgement: judge('SOA_FOUND', { zone: authority.zone }, { found: [] }), name, type: 'SOA' };
}
