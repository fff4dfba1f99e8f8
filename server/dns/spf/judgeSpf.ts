import { type Judgement, judge } from '../catalogue/catalogue.ts';
import { computeCoverage } from './coverage.ts';
import { type AddressSet, intersection, union } from './evaluation/addressSet.ts';
import {
  type SpfEvaluation,
  findPermerror,
  findUnanswered,
  topLevelTerm,
  type SpfPermerror,
} from './evaluation/evaluation.ts';
import { judgeWarnings } from './judgeWarnings.ts';
import { judgeMissingSenders } from './judgeMissingSenders.ts';
import { judgeUnreadableSpf } from './judgeUnreadableSpf.ts';
import { isOpen, listOpeners, percentOf } from './evaluation/openness.ts';
import { createOfferFacts } from './offerSpf.ts';
import { evaluateExpected, evaluateFor, type PublishedSpf, countLookUps } from './evaluation/evaluateText.ts';
import { isAddressMechanism, isLookUpMechanism, isSpf, parseSpf } from './evaluation/parseSpf.ts';
import { limitFacts, toPermerrorFacts } from './judgementFacts.ts';
import type { SpfOfferFacts, SpfPermerrorFacts } from '../catalogue/spfFacts.ts';
import { repairSpf } from './repairSpf.ts';

/**
 * Judges the TXT records at a name as SPF: whether the senders of the expected record are allowed, and who else is.
 * Without an expected record: whether receivers can evaluate the record.
 */
export async function judgeSpf(published: PublishedSpf): Promise<Judgement> {
  const judgement = await judgeWhole(published);
  // Its name identifies a look-up, so it must be whole.
  return judgement.code === 'SPF_NOT_ASKED' ? judgement : { ...judgement, facts: limitFacts(judgement.facts) as never };
}

async function judgeWhole(published: PublishedSpf): Promise<Judgement> {
  const { texts, expected } = published;
  const wanted = await evaluateExpected(published);
  const unusable = wanted && judgeExpected(wanted);
  if (unusable !== null) return unusable;
  const spoilt = await judgeUnreadableSpf(published);
  if (spoilt !== null) return spoilt;
  const record = texts.find(isSpf) ?? '';
  const evaluation = await evaluateFor(wanted, record, published);
  const error = findPermerror(evaluation);
  // An error for IPv6 only is reported after missing senders.
  if (error !== null && error.kind !== 'voids6') return judgePermerror(published, record, evaluation, error);
  if (isOpen(evaluation.sets.pass)) return judgeOpen(published, evaluation);
  const unmet = wanted && (await judgeSenders(published, record, wanted, evaluation));
  if (unmet !== null) return unmet;
  const unasked = findUnanswered(evaluation) ?? (wanted && findUnanswered(wanted));
  if (unasked !== null) {
    const { target, type, reason } = unasked;
    return judge('SPF_NOT_ASKED', { target, asked: type, term: topLevelTerm(unasked), reason }, { offer: null });
  }
  return (
    (error && (await judgePermerror(published, record, evaluation, error))) ??
    (await judgeWarnings(published, record, wanted && computeCoverage(wanted, evaluation), evaluation.voids)) ??
    judgeRight(expected)
  );
}

function judgeRight(expected: string | null): Judgement {
  return expected === null ? judge('SPF_PUBLISHED', {}) : judge('MATCH', {});
}

/** A listed record that works nowhere must be changed by the provider. */
function judgeExpected(wanted: SpfEvaluation): Judgement | null {
  const error = findPermerror(wanted);
  if (error !== null) return judge('SPF_PROVIDER_BROKEN', toPermerrorFacts(error), { offer: null });
  const { pass } = wanted.sets;
  const at = listOpeners(wanted).find(({ way }) => way.length > 0)?.at ?? '';
  return isOpen(pass) ? judge('SPF_PROVIDER_ALLOWS_ALL', { percent: percentOf(pass), at }, { offer: null }) : null;
}

async function judgeOpen(published: PublishedSpf, evaluation: SpfEvaluation): Promise<Judgement> {
  const { rest, offer } = await createOfferFacts(published);
  const openers = listOpeners(evaluation).map(({ text, at, way: [by = null] }) => ({ term: text, at, by }));
  // The reason `open` is left out, because the judgement names the terms.
  const why = rest.why?.kind === 'open' ? null : rest.why;
  return judge('SPF_ALLOWS_ALL', { ...rest, why, percent: percentOf(evaluation.sets.pass), openers }, { offer });
}

/**
 * Judges missing senders; null when all senders of the expected record are allowed, or may be: whatever a failed query
 * leaves open counts as allowed.
 */
async function judgeSenders(
  published: PublishedSpf,
  record: string,
  wanted: SpfEvaluation,
  { sets, ...rest }: SpfEvaluation,
): Promise<Judgement | null> {
  const atBest = { ...rest, sets: { ...sets, pass: union(sets.pass, sets.temperror) } };
  const { missing: all, refused } = computeCoverage(wanted, atBest);
  const missing = findUnanswered(wanted) === null ? all : all.filter(({ senders }) => senders.length > 0);
  if (missing.length > 0) return judgeMissingSenders(published, record, atBest, missing);
  if (refused.length === 0) return null;
  const asked = wanted.positives.filter(({ way }) => way.length === 0).map(({ text }) => text);
  const by = listRefusingTerms(record, refused);
  return judge('SPF_REFUSES_SENDERS', { missing: asked, by }, { offer: null });
}

function listRefusingTerms(record: string, refused: AddressSet): string[] {
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

async function judgePermerror(
  published: PublishedSpf,
  record: string,
  evaluation: SpfEvaluation,
  error: SpfPermerror,
): Promise<Judgement> {
  const offered = await createOfferFacts(published);
  const { offer } = offered;
  const broken = toPermerrorFacts(error);
  const rest = withoutRepeatedReason(offered.rest, broken);
  switch (error.kind) {
    case 'lookUps': {
      const count = await countLookUps(record, published);
      return judge('SPF_TOO_MANY_LOOKUPS', { ...rest, ...count }, { offer });
    }
    case 'voids':
    case 'voids6': {
      const voids = evaluation.voids.map((met) => ({ term: topLevelTerm(met), target: met.target }));
      return judge('SPF_VOID_LOOKUPS', { ...rest, voids, isIpv6: error.kind === 'voids6' }, { offer });
    }
    case 'loop':
      return judge('SPF_LOOP', { ...rest, ...broken }, { offer });
    case 'mxHosts':
      return judge('SPF_TOO_MANY_MX', { ...rest, ...broken }, { offer });
    case 'none':
    case 'several':
    case 'long':
    case 'syntax': {
      const correction = repairSpf(record)?.corrections.find(({ found }) => found === topLevelTerm(error));
      const should = correction?.should || null;
      return judge('SPF_INCLUDE_BROKEN', { ...rest, ...broken, should }, { offer });
    }
  }
}

/** The reason why nothing is offered is left out when it is the diagnosis itself. */
function withoutRepeatedReason(rest: SpfOfferFacts, { kind, term }: SpfPermerrorFacts): SpfOfferFacts {
  const { why } = rest;
  const isSaid =
    why?.kind === 'lookUps'
      ? kind === 'lookUps'
      : why?.kind === 'broken' &&
        why.error.kind === kind &&
        (kind === 'voids' || kind === 'voids6' || why.error.term === term);
  return isSaid ? { ...rest, why: null } : rest;
}
