import type { SpfPermerrorFacts } from '../catalogue/spfPermerror.ts';
import { topLevelTerm, type SpfPermerror } from './evaluation.ts';
import { truncateTerm, truncateTerms } from './truncateTerm.ts';

/** Converts a permanent error into facts. */
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

/** The name of the record to repair, if it is not the first record. */
function findRecordToRepair(fault: SpfPermerror): string {
  if ((fault.kind === 'several' || fault.kind === 'syntax' || fault.kind === 'long') && fault.text !== '')
    return fault.target;
  return fault.way.length === 0 ? '' : fault.at;
}
