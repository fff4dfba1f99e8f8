const TERM_MAX = 100;
const TERMS_MAX = 20;

/** Truncates a term for the facts of a judgement. */
export function truncateTerm(term: string): string {
  return term.length > TERM_MAX ? `${term.slice(0, TERM_MAX)}...` : term;
}

/** The first terms, each truncated. */
export function truncateTerms(terms: readonly string[]): string[] {
  return terms.slice(0, TERMS_MAX).map(truncateTerm);
}
