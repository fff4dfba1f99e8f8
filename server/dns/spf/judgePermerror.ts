import { type Judgement, judge } from '../catalogue/catalogue.ts';
import type { SpfOfferFacts, SpfPermerrorFacts } from '../catalogue/spfFacts.ts';
import { countLookUps, type PublishedSpf } from './evaluation/evaluateText.ts';
import { type SpfEvaluation, topLevelTerm, type SpfPermerror } from './evaluation/evaluation.ts';
import { repairSpf } from './repairSpf.ts';
import { createOfferFacts } from './offerSpf.ts';
import { toPermerrorFacts } from './judgementFacts.ts';

export async function judgePermerror(
  published: PublishedSpf,
  record: string,
  evaluation: SpfEvaluation,
  error: SpfPermerror,
): Promise<Judgement> {
  const offered = await createOfferFacts(published);
  const { offer } = offered;
  const broken = toPermerrorFacts(error);
  const rest = withoutRepeatedReason(offered.rest, broken);
  switch (error.kind) {
    case 'lookUps': {
      const count = await countLookUps(record, published);
      return judge('SPF_TOO_MANY_LOOKUPS', { ...rest, ...count }, { offer });
    }
    case 'voids':
    case 'voids6': {
      const voids = evaluation.voids.map((met) => ({ term: topLevelTerm(met), target: met.target }));
      return judge('SPF_VOID_LOOKUPS', { ...rest, voids, isIpv6: error.kind === 'voids6' }, { offer });
    }
    case 'loop':
      return judge('SPF_LOOP', { ...rest, ...broken }, { offer });
    case 'mxHosts':
      return judge('SPF_TOO_MANY_MX', { ...rest, ...broken }, { offer });
    case 'none':
    case 'several':
    case 'long':
    case 'syntax': {
      const correction = repairSpf(record)?.corrections.find(({ found }) => found === topLevelTerm(error));
      const should = correction?.should || null;
      return judge('SPF_INCLUDE_BROKEN', { ...rest, ...broken, should }, { offer });
    }
  }
}

/** The reason why nothing is offered is left out when it is the diagnosis itself. */
function withoutRepeatedReason(rest: SpfOfferFacts, { kind, term }: SpfPermerrorFacts): SpfOfferFacts {
  const { why } = rest;
  const isSaid =
    why?.kind === 'lookUps'
      ? kind === 'lookUps'
      : why?.kind === 'broken' &&
        why.error.kind === kind &&
        (kind === 'voids' || kind === 'voids6' || why.error.term === term);
  return isSaid ? { ...rest, why: null } : rest;
}
