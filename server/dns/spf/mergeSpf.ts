import { foldCase } from '../names.ts';
import { isAsking, isListed, isRedirect, parseSpf, type Qualifier, type Term } from './parseSpf.ts';

export type Merged = {
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
  place: 'last' | 'first' = 'last',
): Merged {
  const own = records.map((record) => parseSpf(record).terms);
  const asked = expected === null ? [] : parseSpf(expected).terms;
  const wanted = wantedOf(asked);
  const senders = own.flat().filter((term) => term.kind !== 'all' && term.kind !== 'redirect');
  const redirects = once(
    own.flatMap((terms) => (hasAll(terms) ? [] : terms.filter(isRedirect).map(({ text }) => text))),
  );
  const inOrder = (terms: string[]) => (place === 'last' ? [...terms, ...wanted] : [...wanted, ...terms]);
  const kept = senders.map((term) => allowed(term, wanted));
  const [redirect, ...others] = redirects;
  if (redirect !== undefined && others.length === 0 && !own.some(hasAll)) {
    const words = once([redirect, ...inOrder(kept)]).slice(1);
    return { record: ['v=spf1', ...words, redirect].join(' '), included: [] };
  }
  const included = redirects.map(includeOf);
  const end = STRICTEST_FIRST.find((qualifier) => ends.includes(qualifier)) ?? endOf(asked);
  return { record: ['v=spf1', ...once(inOrder([...kept, ...included])), `${end}all`].join(' '), included };
}

export const STRICTEST_FIRST: readonly Qualifier[] = ['-', '~', '?'];

/** The terms by which a record lets somebody send. */
export function wantedOf(terms: readonly Term[]): string[] {
  return terms.flatMap((term) => {
    if (isRedirect(term)) return hasAll(terms) ? [] : [includeOf(term.text)];
    return (isAsking(term) || isListed(term)) && term.kind !== 'all' && term.qualifier === '+' ? [term.text] : [];
  });
}

/** The same for terms that do the same: so do a redirect and an include of one name, for those it lets send. */
export function senseOf(term: string): string {
  return foldCase(term)
    .replace(/^redirect=/, 'include:')
    .replace(/^\+|\.$/g, '')
    .replace(/^([-~?]?ip4:[\d.]+)\/32$|^([-~?]?ip6:[\da-f:.]+)\/128$/, '$1$2');
}

export function hasAll(terms: readonly Term[]): boolean {
  return terms.some(({ kind }) => kind === 'all');
}

/** A term that says of the senders of a wanted one that they may not send, or may or may not, becomes that one. */
function allowed(term: Term, wanted: readonly string[]): string {
  const sense = senseOf(term.text).replace(/^[-~?]/, '');
  return wanted.find((one) => senseOf(one) === sense) ?? term.text;
}

function endOf(terms: readonly Term[]): Qualifier {
  const all = terms.find((term) => term.kind === 'all');
  return all === undefined || !isListed(all) || all.qualifier === '+' ? '~' : all.qualifier;
}

function includeOf(redirect: string): string {
  return redirect.replace(/^redirect=/i, 'include:');
}

/** The first term of each sense; a record has one explanation. */
function once(terms: readonly string[]): string[] {
  const firsts = new Map<string, string>();
  for (const term of terms) {
    const sense = /^exp=/i.test(term) ? 'exp=' : senseOf(term);
    if (!firsts.has(sense)) firsts.set(sense, term);
  }
  return [...firsts.values()];
}
