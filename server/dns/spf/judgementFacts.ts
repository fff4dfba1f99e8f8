import { topLevelTerm, type SpfPermerror } from './evaluation/evaluation.ts';
import type { SpfPermerrorFacts } from '../catalogue/spfFacts.ts';

const TERM_MAX = 100;
const TERMS_MAX = 20;

export function truncateTerm(term: string): string {
  return term.length > TERM_MAX ? `${term.slice(0, TERM_MAX)}...` : term;
}

export function truncateTerms(terms: readonly string[]): string[] {
  return terms.slice(0, TERMS_MAX).map(truncateTerm);
}

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
