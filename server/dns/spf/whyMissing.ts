import type { FactsOf } from '../catalogue/catalogue.ts';
import { type AddressSet, intersection } from './addressSet.ts';
import type { Evaluation } from './evaluation.ts';
import { mendSpf } from './mendSpf.ts';
import { hasAll, senseOf } from './mergeSpf.ts';
import { isOpen } from './openness.ts';
import { isListed, isRedirect, parseSpf } from './parseSpf.ts';
import { shortened } from './shortened.ts';

/** The term of a record that looks as if it let the missing senders send, or that keeps receivers from one that does. */
export function whyMissing(
  record: string,
  missing: readonly string[],
  { positives }: Evaluation,
): FactsOf<'SPF_WITHOUT_INCLUDE'>['because'] {
  const wanted = new Set(missing.map(senseOf));
  const { terms } = parseSpf(record);
  const at = terms.findIndex(({ text }) => wanted.has(senseOf(text)));
  const stop = terms.find((term, index) => isListed(term) && index < at && isOpen(term.addresses));
  if (stop !== undefined) return { term: shortened(stop.text), is: 'all_before' };
  const unsaid = terms.find(({ text }) => /^[-~?]/.test(text) && wanted.has(senseOf(text.slice(1))));
  if (unsaid !== undefined) return { term: shortened(unsaid.text), is: 'qualifier' };
  const ignored = mendSpf(record)?.mendings.find(({ should }) => should && wanted.has(senseOf(should)));
  if (ignored !== undefined) return { term: shortened(ignored.found), is: 'ignored' };
  const redirect = terms.find(isRedirect);
  if (redirect !== undefined && !hasAll(terms)) return { term: shortened(redirect.text), is: 'redirect' };
  if (redirect !== undefined && wanted.has(senseOf(redirect.text))) {
    return { term: shortened(redirect.text), is: 'redirect_ignored' };
  }
  return positives.length === 0 ? { term: shortened(record), is: 'nobody' } : null;
}

/** The terms that decide otherwise about addresses that should be let send. */
export function whoRefuses(record: string, refused: AddressSet): string[] {
  const refusing = parseSpf(record).terms.filter(
    (term) =>
      isListed(term) &&
      term.qualifier !== '+' &&
      term.kind !== 'all' &&
      intersection(term.addresses, refused).length > 0,
  );
  return refusing.map(({ text }) => text);
}
