import type { FactsOf } from '../catalogue/catalogue.ts';
import { type AddressSet, intersection } from './evaluation/addressSet.ts';
import type { SpfEvaluation } from './evaluation/evaluation.ts';
import { repairSpf } from './repairSpf.ts';
import { hasAll, normalizeTerm } from './mergeSpf.ts';
import { isOpen } from './evaluation/openness.ts';
import { isAddressMechanism, isLookUpMechanism, isRedirect, parseSpf } from './evaluation/parseSpf.ts';

export function findMissingReason(
  record: string,
  missing: readonly string[],
  { positives }: SpfEvaluation,
): FactsOf<'SPF_WITHOUT_INCLUDE'>['because'] {
  const wanted = new Set(missing.map(normalizeTerm));
  const { terms } = parseSpf(record);
  const at = terms.findIndex(({ text }) => wanted.has(normalizeTerm(text)));
  const stop = terms.find((term, index) => isAddressMechanism(term) && index < at && isOpen(term.addresses));
  if (stop !== undefined) return { term: stop.text, is: 'all_before' };
  const unsaid = terms.find(({ text }) => /^[-~?]/.test(text) && wanted.has(normalizeTerm(text.slice(1))));
  if (unsaid !== undefined) return { term: unsaid.text, is: 'qualifier' };
  const ignored = repairSpf(record)?.corrections.find(({ should }) => should && wanted.has(normalizeTerm(should)));
  if (ignored !== undefined) return { term: ignored.found, is: 'ignored' };
  const redirect = terms.find(isRedirect);
  if (redirect !== undefined && !hasAll(terms)) return { term: redirect.text, is: 'redirect' };
  if (redirect !== undefined && wanted.has(normalizeTerm(redirect.text))) {
    return { term: redirect.text, is: 'redirect_ignored' };
  }
  return positives.length === 0 ? { term: record, is: 'nobody' } : null;
}

export function listRefusingTerms(record: string, refused: AddressSet): string[] {
  const { terms } = parseSpf(record);
  const refusing = terms.filter(
    (term) =>
      isAddressMechanism(term) &&
      term.qualifier !== '+' &&
      term.kind !== 'all' &&
      intersection(term.addresses, refused).length > 0,
  );
  const others = terms.filter((term) => isLookUpMechanism(term) && term.qualifier !== '+');
  return (refusing.length === 0 && others.length === 1 ? others : refusing).map(({ text }) => text);
}
