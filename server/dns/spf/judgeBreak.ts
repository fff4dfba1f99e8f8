import { type Judgement, judge } from '../catalogue/catalogue.ts';
import type { SpfBreak } from '../catalogue/spfBreak.ts';
import type { Rest } from '../catalogue/spfRest.ts';
import { breakOf } from './breakOf.ts';
import { countLookUps } from './countLookUps.ts';
import { type Evaluation, ownTerm, type SpfPermerror } from './evaluation.ts';
import { mendSpf } from './mendSpf.ts';
import { factsOfOffer, type Published } from './offerSpf.ts';
import { shortened } from './shortened.ts';

/** Voids beyond the limit are as many as one needs to know. */
const VOIDS_MAX = 20;

/** What makes receivers treat a record as broken that they can read. */
export async function judgeBreak(
  published: Published,
  record: string,
  evaluation: Evaluation,
  fault: SpfPermerror,
): Promise<Judgement> {
  const offered = await factsOfOffer(published);
  const { offer } = offered;
  const broken = breakOf(fault);
  const rest = unlessSaid(offered.rest, broken);
  switch (fault.kind) {
    case 'lookUps': {
      const count = await countLookUps(record, published.name, published.lookUp);
      return judge('SPF_TOO_MANY_LOOKUPS', { ...rest, ...count }, { offer });
    }
    case 'voids': {
      const voids = evaluation.voids
        .slice(0, VOIDS_MAX)
        .map((met) => ({ term: shortened(ownTerm(met)), target: shortened(met.target) }));
      return judge('SPF_VOID_LOOKUPS', { ...rest, voids }, { offer });
    }
    case 'loop':
      return judge('SPF_LOOP', { ...rest, ...broken }, { offer });
    case 'mxHosts':
      return judge('SPF_TOO_MANY_MX', { ...rest, ...broken }, { offer });
    case 'none':
    case 'several':
    case 'long':
    case 'syntax': {
      const mending = mendSpf(record)?.mendings.find(({ found }) => found === ownTerm(fault));
      const should = mending?.should ? shortened(mending.should) : null;
      return judge('SPF_INCLUDE_BROKEN', { ...rest, ...broken, should }, { offer });
    }
  }
}

/** What breaks the record also keeps one from being offered, and need not be said twice. */
function unlessSaid(rest: Rest, { kind, term }: SpfBreak): Rest {
  const { why } = rest;
  const isSaid =
    why?.kind === 'lookUps'
      ? kind === 'lookUps'
      : why?.kind === 'broken' && why.fault.kind === kind && (kind === 'voids' || why.fault.term === term);
  return isSaid ? { ...rest, why: null } : rest;
}
