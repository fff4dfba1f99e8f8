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

export function toPermerrorFacts(error: SpfPermerror): SpfPermerrorFacts {
  return {
    kind: error.kind,
    term: topLevelTerm(error),
    target: 'target' in error ? error.target : '',
    at: findRecordToRepair(error),
    words: 'words' in error ? error.words : [],
    count: 'count' in error ? error.count : 0,
  };
}

function findRecordToRepair(error: SpfPermerror): string {
  if ((error.kind === 'several' || error.kind === 'syntax' || error.kind === 'long') && error.text !== '')
    return error.target;
  return error.way.length === 0 ? '' : error.at;
}
