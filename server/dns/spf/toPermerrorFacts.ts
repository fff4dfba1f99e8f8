import type { SpfPermerrorFacts } from '../catalogue/spfPermerror.ts';
import { topLevelTerm, type SpfPermerror } from './evaluation.ts';
import { truncateTerm, truncateTerms } from './truncateTerm.ts';

/** A permanent error as facts. */
export function toPermerrorFacts(fault: SpfPermerror): SpfPermerrorFacts {
  return {
    kind: fault.kind,
    term: truncateTerm(topLevelTerm(fault)),
    target: 'target' in fault ? truncateTerm(fault.target) : '',
    at: truncateTerm(findRecordToRepair(fault)),
    words: 'words' in fault ? truncateTerms(fault.words) : [],
    count: 'count' in fault ? fault.count : 0,
  };
}

/** Whose record has to be mended, where that is not the first record. */
function findRecordToRepair(fault: SpfPermerror): string {
  if ((fault.kind === 'several' || fault.kind === 'syntax' || fault.kind === 'long') && fault.text !== '')
    return fault.target;
  return fault.way.length === 0 ? '' : fault.at;
}
