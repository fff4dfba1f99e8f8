import { type Judgement, judge } from '../catalogue/catalogue.ts';
import { difference, firstAddress, intersection, union } from './addressSet.ts';
import { checkSenders, type SenderCheckResult } from './checkSenders.ts';
import type { MissingSenders } from './coverage.ts';
import type { SpfEvaluation } from './evaluation.ts';
import { createOfferFacts, type PublishedSpf } from './offerSpf.ts';
import { truncateTerm, truncateTerms } from './truncateTerm.ts';
import { findMissingReason } from './missingReason.ts';

/** Judges a record that does not allow all senders of the expected one, without checking single addresses. */
export async function judgeMissingSenders(
  published: PublishedSpf,
  record: string,
  evaluation: SpfEvaluation,
  missing: readonly MissingSenders[],
): Promise<Judgement> {
  const term = evaluation.opaque.find(({ isPositive }) => isPositive)?.text ?? null;
  const asked =
    term === null
      ? toSenderCheckResult(missing, evaluation)
      : await checkSenders(published, record, evaluation, missing);
  const { refused, example, hidden, unasked } = asked;
  const texts = truncateTerms(missing.map(({ text }) => text));
  if (refused.length > 0) {
    const { rest, offer } = await createOfferFacts(published);
    const because = findMissingReason(record, refused, evaluation);
    return judge('SPF_WITHOUT_INCLUDE', { ...rest, missing: truncateTerms(refused), because, example }, { offer });
  }
  if (hidden !== null) return judge('SPF_MACROS', { missing: texts, term: truncateTerm(hidden) }, { offer: null });
  if (unasked !== null) {
    const { name, type, reason } = unasked;
    return judge('SPF_NOT_ASKED', { target: truncateTerm(name), asked: type, reason }, { offer: null });
  }
  const { rest, offer } = await createOfferFacts(published);
  return judge('SPF_FLATTENED', { ...rest, missing: texts, by: term && truncateTerm(term) }, { offer });
}

/** The judgement when no term needs single addresses to be checked. */
function toSenderCheckResult(missing: readonly MissingSenders[], { sets }: SpfEvaluation): SenderCheckResult {
  const senders = union(...missing.map((one) => one.senders));
  const isInPart = intersection(senders, sets.pass).length > 0;
  return {
    refused: missing.map(({ text }) => text),
    example: isInPart ? firstAddress(difference(senders, sets.pass)) : null,
    hidden: null,
    unasked: null,
  };
}
