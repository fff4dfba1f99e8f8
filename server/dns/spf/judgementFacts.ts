import { topLevelTerm, type SpfPermerror } from './evaluation/evaluation.ts';
import type { SpfPermerrorFacts } from '../catalogue/spfFacts.ts';

const TERM_MAX = 100;
const TERMS_MAX = 20;

export function truncateTerm(term: string): string {
  return term.length > TERM_MAX ? `${term.slice(0, TERM_MAX)}...` : term;
}

/** Limits what a judgement quotes. A record may be long, and a reason must be whole. */
export function limitFacts(value: unknown): unknown {
  if (typeof value === 'string') return truncateTerm(value);
  if (Array.isArray(value)) return value.slice(0, TERMS_MAX).map(limitFacts);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, key === 'reason' ? one : limitFacts(one)]);
  return Object.fromEntries(entries);
}

export function toPermerrorFacts(fault: SpfPermerror): SpfPermerrorFacts {
  return {
    kind: fault.kind,
    term: topLevelTerm(fault),
    target: 'target' in fault ? fault.target : '',
    at: findRecordToRepair(fault),
    words: 'words' in fault ? fault.words : [],
    count: 'count' in fault ? fault.count : 0,
  };
}

/** The name of the record to repair, if it is not the first record. */
function findRecordToRepair(fault: SpfPermerror): string {
  if ((fault.kind === 'several' || fault.kind === 'syntax' || fault.kind === 'long') && fault.text !== '')
    return fault.target;
  return fault.way.length === 0 ? '' : fault.at;
}
