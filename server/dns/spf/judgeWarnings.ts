import type { PublishedSpf } from './evaluation/evaluateText.ts';
import { type Judgement, judge } from '../catalogue/catalogue.ts';
import type { Coverage } from './coverage.ts';
import { repairSpf } from './repairSpf.ts';
import { findEnd, hasAll, listPassTerms, normalizeTerm } from './mergeSpf.ts';
import { createOfferFacts, listUnreadableDuplicates } from './offerSpf.ts';
import { isRedirect, parseSpf, parseTerm, type Term } from './evaluation/parseSpf.ts';
import { type SpfEvaluation, topLevelTerm } from './evaluation/evaluation.ts';

const VOIDS_ALLOWED = 2;

export async function judgeWarnings(
  published: PublishedSpf,
  record: string,
  coverage: Coverage | null,
  voids: SpfEvaluation['voids'],
): Promise<Judgement | null> {
  const { terms } = parseSpf(record);
  const asked = published.expected === null ? null : parseSpf(published.expected).terms;
  const corrections = (repairSpf(record)?.corrections ?? []).filter(({ found }) => parseTerm(found) !== null);
  const ignored = corrections.flatMap(({ found, should }) =>
    should && !/^[-~?]a$/i.test(found) ? [{ found, should }] : [],
  );
  const besides = listUnreadableDuplicates(published.texts);
  if (besides.length > 0) return judge('SPF_SPOILT_SECOND', { besides }, { offer: null });
  if (coverage !== null && coverage.byAddress.length > 0) {
    const { rest, offer } = await createOfferFacts(published);
    return judge('SPF_FLATTENED', { ...rest, missing: coverage.byAddress, by: null }, { offer });
  }
  const afterAll = listTermsAfterAll(terms);
  if (ignored.length + afterAll.length > 0) {
    const { rest, offer } = await createOfferFacts(published);
    // What leads to nothing is no loss.
    const senders = afterAll.filter(({ text }) => !rest.leftOut.includes(text));
    const misread = [...ignored, ...senders.map(({ found, should }) => ({ found, should }))];
    if (misread.length > 0) return judge('SPF_TERMS_IGNORED', { ...rest, corrections: misread }, { offer });
  }
  if (!hasEnd(terms) && (asked === null || hasEnd(asked))) {
    const { rest, offer } = await createOfferFacts(published);
    const cut = corrections.find(({ found }) => /^[-~?]a$/i.test(found))?.found ?? null;
    return judge('SPF_WITHOUT_ALL', { ...rest, cut }, { offer });
  }
  if (corrections.some(({ should }) => should === '')) {
    const { rest, offer } = await createOfferFacts(published);
    return judge('SPF_DOUBLED', rest, { offer });
  }
  const isAsked = ({ text }: Term) => asked?.some((term) => normalizeTerm(term.text) === normalizeTerm(text)) ?? false;
  const ptr = terms.find((term) => term.kind === 'ptr' && !isAsked(term));
  if (ptr !== undefined) return judge('SPF_PTR', { term: ptr.text }, { offer: null });
  // The name of a macro is another one for each message.
  const lost = voids.filter(({ text }) => !text.includes('%'));
  if (new Set(lost.map(({ text, target }) => `${text} ${target}`)).size === VOIDS_ALLOWED) {
    const terms = lost.map((met) => ({ term: topLevelTerm(met), target: met.target }));
    return judge('SPF_VOIDS_AT_LIMIT', { voids: terms }, { offer: null });
  }
  // Only the owner knows whether a stricter "all" would deny senders that are not listed.
  return findEnd(terms) === '?' && (asked === null || !['?', null].includes(findEnd(asked)))
    ? judge('SPF_NEUTRAL_END', {}, { offer: null })
    : null;
}

/** The senders that are named after "all", where receivers stop (RFC 7208, section 5.1). */
function listTermsAfterAll(terms: readonly Term[]): { text: string; found: string; should: string }[] {
  const all = terms.findIndex(({ kind }) => kind === 'all');
  const end = terms[all];
  if (end === undefined) return [];
  return listPassTerms(terms.slice(all)).map((text) => ({
    text,
    found: `${end.text} ${text}`,
    should: `${text} ${end.text}`,
  }));
}

function hasEnd(terms: readonly Term[]): boolean {
  return hasAll(terms) || terms.some(isRedirect);
}
