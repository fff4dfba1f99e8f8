import { type Judgement, judge } from '../catalogue/catalogue.ts';
import { difference, firstAddress, intersection, union } from './addressSet.ts';
import { askForSenders, type Asked } from './askForSenders.ts';
import type { Missing } from './coverage.ts';
import type { Evaluation } from './evaluation.ts';
import { factsOfOffer, type Published } from './offerSpf.ts';
import { shortened, shortenedAll } from './shortened.ts';
import { whyMissing } from './whyMissing.ts';

/** Of a record that does not let all senders of the expected one send, as far as one can tell without asking for each. */
export async function judgeMissing(
  published: Published,
  record: string,
  evaluation: Evaluation,
  missing: readonly Missing[],
): Promise<Judgement> {
  const term = evaluation.opaque.find(({ isPositive }) => isPositive)?.text ?? null;
  const asked =
    term === null ? listedOnly(missing, evaluation) : await askForSenders(published, record, evaluation, missing);
  const { refused, example, hidden, unasked } = asked;
  const texts = shortenedAll(missing.map(({ text }) => text));
  if (refused.length > 0) {
    const { rest, offer } = await factsOfOffer(published);
    const because = whyMissing(record, refused, evaluation);
    return judge('SPF_WITHOUT_INCLUDE', { ...rest, missing: shortenedAll(refused), because, example }, { offer });
  }
  if (hidden !== null) return judge('SPF_MACROS', { missing: texts, term: shortened(hidden) }, { offer: null });
  if (unasked !== null) {
    const { name, type, reason } = unasked;
    return judge('SPF_NOT_ASKED', { target: shortened(name), asked: type, reason }, { offer: null });
  }
  const { rest, offer } = await factsOfOffer(published);
  return judge('SPF_FLATTENED', { ...rest, missing: texts, by: term && shortened(term) }, { offer });
}

/** Where no term has to be asked for single addresses. */
function listedOnly(missing: readonly Missing[], { sets }: Evaluation): Asked {
  const senders = union(...missing.map((one) => one.senders));
  const isInPart = intersection(senders, sets.pass).length > 0;
  return {
    refused: missing.map(({ text }) => text),
    example: isInPart ? firstAddress(difference(senders, sets.pass)) : null,
    hidden: null,
    unasked: null,
  };
}
