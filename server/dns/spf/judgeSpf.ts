import { type Judgement, judge } from '../catalogue/catalogue.ts';
import { breakOf } from './breakOf.ts';
import { coverageOf } from './coverage.ts';
import { evaluateAs } from './evaluateAs.ts';
import { type Evaluation, permerrorOf, unaskedOf } from './evaluation.ts';
import { judgeBreak } from './judgeBreak.ts';
import { judgeDoubts } from './judgeDoubts.ts';
import { judgeMissing } from './judgeMissing.ts';
import { judgeSpoilt } from './judgeSpoilt.ts';
import { isOpen, openersOf, percentOf } from './openness.ts';
import { factsOfOffer, type Published } from './offerSpf.ts';
import { isSpf } from './parseSpf.ts';
import { shortened, shortenedAll } from './shortened.ts';
import { whoRefuses } from './whyMissing.ts';

/**
 * What the TXT records at a name come to as SPF: whether the senders of the expected record may send, and what everybody
 * else may. Without an expected record the question is whether receivers can follow what is there.
 */
export async function judgeSpf(published: Published): Promise<Judgement> {
  const { name, texts, expected, lookUp } = published;
  const wanted = expected === null ? null : await evaluateAs(expected, name, lookUp);
  const unusable = wanted && judgeExpected(wanted);
  if (unusable !== null) return unusable;
  const spoilt = await judgeSpoilt(published);
  if (spoilt !== null) return spoilt;
  const record = texts.find(isSpf) ?? '';
  const evaluation = await evaluateAs(record, name, lookUp);
  const fault = permerrorOf(evaluation);
  if (fault !== null) return judgeBreak(published, record, evaluation, fault);
  if (isOpen(evaluation.sets.pass)) return judgeOpen(published, evaluation);
  const unasked = unaskedOf(evaluation) ?? (wanted && unaskedOf(wanted));
  if (unasked !== null) {
    const { target, type, reason } = unasked;
    return judge('SPF_NOT_ASKED', { target: shortened(target), asked: type, reason }, { offer: null });
  }
  const unmet = wanted && (await judgeSenders(published, record, wanted, evaluation));
  return unmet ?? (await judgeDoubts(published, record, wanted && coverageOf(wanted, evaluation))) ?? right(expected);
}

function right(expected: string | null): Judgement {
  return expected === null ? judge('SPF_PUBLISHED', {}) : judge('MATCH', {});
}

/** A record that can do its work nowhere is the provider's to mend. */
function judgeExpected(wanted: Evaluation): Judgement | null {
  const fault = permerrorOf(wanted);
  if (fault !== null) return judge('SPF_PROVIDER_BROKEN', breakOf(fault), { offer: null });
  const { pass } = wanted.sets;
  return isOpen(pass) ? judge('SPF_PROVIDER_ALLOWS_ALL', { percent: percentOf(pass) }, { offer: null }) : null;
}

async function judgeOpen(published: Published, evaluation: Evaluation): Promise<Judgement> {
  const { rest, offer } = await factsOfOffer(published);
  const openers = openersOf(evaluation).map(({ text, at, way }) => ({
    term: shortened(text),
    at: shortened(at),
    by: way[0] === undefined ? null : shortened(way[0]),
  }));
  // The openers of others say why nothing is offered.
  const why = rest.why?.kind === 'open' ? null : rest.why;
  return judge('SPF_ALLOWS_ALL', { ...rest, why, percent: percentOf(evaluation.sets.pass), openers }, { offer });
}

/** Null when all senders of the expected record may send. */
async function judgeSenders(
  published: Published,
  record: string,
  wanted: Evaluation,
  evaluation: Evaluation,
): Promise<Judgement | null> {
  const { missing, refused } = coverageOf(wanted, evaluation);
  if (missing.length > 0) return judgeMissing(published, record, evaluation, missing);
  if (refused.length === 0) return null;
  const asked = wanted.positives.filter(({ way }) => way.length === 0).map(({ text }) => text);
  const by = whoRefuses(record, refused);
  return judge('SPF_REFUSES_SENDERS', { missing: shortenedAll(asked), by: shortenedAll(by) }, { offer: null });
}
