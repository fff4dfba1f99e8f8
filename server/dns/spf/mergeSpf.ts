import { foldCase } from '../names.ts';
import { isLookUpMechanism, isAddressMechanism, isRedirect, parseSpf, type Qualifier, type Term } from './parseSpf.ts';

export type MergedSpf = {
  record: string;
  /** Terms in place of "redirect=", which receivers ignore beside "all". */
  included: readonly string[];
};

/**
 * One record for all that `records` and `expected` let send. Its end is the strictest of `ends`, which are the owner's, and
 * that of `expected` only where there is none; it is never one that lets everybody send. `place` is that of what is
 * expected, which an earlier term may keep receivers from.
 */
export function mergeSpf(
  records: readonly string[],
  expected: string | null,
  ends: readonly Qualifier[],
  position: 'last' | 'first' = 'last',
): MergedSpf {
  const own = records.map((record) => parseSpf(record).terms);
  const asked = expected === null ? [] : parseSpf(expected).terms;
  const wanted = listPassTerms(asked);
  const senders = own.flat().filter((term) => term.kind !== 'all' && term.kind !== 'redirect');
  const redirects = uniqueTerms(
    own.flatMap((terms) => (hasAll(terms) ? [] : terms.filter(isRedirect).map(({ text }) => text))),
  );
  const inOrder = (terms: string[]) => (position === 'last' ? [...terms, ...wanted] : [...wanted, ...terms]);
  const kept = senders.map((term) => allowWanted(term, wanted));
  const [redirect, ...others] = redirects;
  if (redirect !== undefined && others.length === 0 && !own.some(hasAll)) {
    const words = uniqueTerms([redirect, ...inOrder(kept)]).slice(1);
    return { record: ['v=spf1', ...words, redirect].join(' '), included: [] };
  }
  const included = redirects.map(includeOf);
  const end = STRICTEST_FIRST.find((qualifier) => ends.includes(qualifier)) ?? findEnd(asked);
  return { record: ['v=spf1', ...uniqueTerms(inOrder([...kept, ...included])), `${end}all`].join(' '), included };
}

export const STRICTEST_FIRST: readonly Qualifier[] = ['-', '~', '?'];

/** The terms by which a record lets somebody send. */
export function listPassTerms(terms: readonly Term[]): string[] {
  return terms.flatMap((term) => {
    if (isRedirect(term)) return hasAll(terms) ? [] : [includeOf(term.text)];
    return (isLookUpMechanism(term) || isAddressMechanism(term)) && term.kind !== 'all' && term.qualifier === '+'
      ? [term.text]
      : [];
  });
}

/** The same for terms that do the same: so do a redirect and an include of one name, for those it lets send. */
export function normalizeTerm(term: string): string {
  return foldCase(term)
    .replace(/^redirect=/, 'include:')
    .replace(/^\+|\.$/g, '')
    .replace(/^([-~?]?ip4:[\d.]+)\/32$|^([-~?]?ip6:[\da-f:.]+)\/128$/, '$1$2');
}

export function hasAll(terms: readonly Term[]): boolean {
  return terms.some(({ kind }) => kind === 'all');
}

/** A term that says of the senders of a wanted one that they may not send, or may or may not, becomes that one. */
function allowWanted(term: Term, wanted: readonly string[]): string {
  const sense = normalizeTerm(term.text).replace(/^[-~?]/, '');
  return wanted.find((one) => normalizeTerm(one) === sense) ?? term.text;
}

function findEnd(terms: readonly Term[]): Qualifier {
  const all = terms.find((term) => term.kind === 'all');
  return all === undefined || !isAddressMechanism(all) || all.qualifier === '+' ? '~' : all.qualifier;
}

function includeOf(redirect: string): string {
  return redirect.replace(/^redirect=/i, 'include:');
}

/** The first term of each sense; a record has one explanation. */
function uniqueTerms(terms: readonly string[]): string[] {
  const firsts = new Map<string, string>();
  for (const term of terms) {
    const sense = /^exp=/i.test(term) ? 'exp=' : normalizeTerm(term);
    if (!firsts.has(sense)) firsts.set(sense, term);
  }
  return [...firsts.values()];
}
