import { foldCase } from '../wire/names.ts';
import {
  isLookUpMechanism,
  isAddressMechanism,
  isRedirect,
  parseSpf,
  parseTerm,
  type Qualifier,
  type Term,
} from './evaluation/parseSpf.ts';

type MergedSpf = {
  record: string;
  /** Terms that replace "redirect=", which receivers ignore if there is an "all". */
  included: readonly string[];
};

/**
 * Merges records into one that allows all senders of `records` and `expected`. Its "all" is the strictest of the owner's
 * `ends`, or else the one of `expected`, and never allows everybody. `position` is where the expected terms go:
 * an earlier term may deny their senders.
 */
export function mergeSpf(
  records: readonly string[],
  expected: string | null,
  ends: readonly Qualifier[],
  position: 'last' | 'first' = 'last',
): MergedSpf {
  const own = records.map(listTerms);
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
  const listedEnd = findEnd(asked) ?? '~';
  const end = STRICTEST_FIRST.find((qualifier) => ends.includes(qualifier)) ?? (listedEnd === '+' ? '~' : listedEnd);
  return { record: ['v=spf1', ...uniqueTerms(inOrder([...kept, ...included])), `${end}all`].join(' '), included };
}

/** The terms of a record, with its second redirect, which breaks it. */
function listTerms(record: string): Term[] {
  const { terms, errors } = parseSpf(record);
  const again = errors.flatMap((word) => parseTerm(word) ?? []);
  return [...terms, ...again.filter(isRedirect)];
}

export const STRICTEST_FIRST: readonly Qualifier[] = ['-', '~', '?'];

/** The terms of a record that allow senders. A redirect is given as include. */
export function listPassTerms(terms: readonly Term[]): string[] {
  return terms.flatMap((term) => {
    if (isRedirect(term)) return hasAll(terms) ? [] : [includeOf(term.text)];
    return (isLookUpMechanism(term) || isAddressMechanism(term)) && term.kind !== 'all' && term.qualifier === '+'
      ? [term.text]
      : [];
  });
}

export function normalizeTerm(term: string): string {
  return foldCase(term)
    .replace(/^redirect=/, 'include:')
    .replace(/^\+|\.$/g, '')
    .replace(/^([-~?]?ip4:[\d.]+)\/32$|^([-~?]?ip6:[\da-f:.]+)\/128$/, '$1$2');
}

export function hasAll(terms: readonly Term[]): boolean {
  return findEnd(terms) !== null;
}

function allowWanted(term: Term, wanted: readonly string[]): string {
  const sense = normalizeTerm(term.text).replace(/^[-~?]/, '');
  return wanted.find((one) => normalizeTerm(one) === sense) ?? term.text;
}

export function findEnd(terms: readonly Term[]): Qualifier | null {
  const all = terms.find((term) => term.kind === 'all');
  return all !== undefined && isAddressMechanism(all) ? all.qualifier : null;
}

function includeOf(redirect: string): string {
  return redirect.replace(/^redirect=/i, 'include:');
}

/** The first of terms with the same effect. A record has only one explanation. */
function uniqueTerms(terms: readonly string[]): string[] {
  const firsts = new Map<string, string>();
  for (const term of terms) {
    const sense = /^exp=/i.test(term) ? 'exp=' : normalizeTerm(term);
    if (!firsts.has(sense)) firsts.set(sense, term);
  }
  return [...firsts.values()];
}
