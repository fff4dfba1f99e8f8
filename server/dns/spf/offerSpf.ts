import type { NoOfferReason, SpfOfferFacts } from '../catalogue/spfOfferFacts.ts';
import type { LookUp } from '../resolution.ts';
import { difference, isSubset, union } from './addressSet.ts';
import { type Coverage, computeCoverage } from './coverage.ts';
import { evaluateSpfText } from './evaluateSpfText.ts';
import type { SpfEvaluation, SpfResult } from './evaluation.ts';
import { isSenderId, type RepairedSpf, repairHiddenSpf, repairSpf } from './repairSpf.ts';
import { mergeSpf, normalizeTerm, STRICTEST_FIRST, listPassTerms } from './mergeSpf.ts';
import { findNoOfferReason } from './findNoOfferReason.ts';
import { isOpen, listOpeners } from './openness.ts';
import { isAddressMechanism, isRedirect, isSpf, parseSpf, type Qualifier, RECORD_MAX, splitTerms } from './parseSpf.ts';
import { type Remedy, findRemedy } from './findRemedy.ts';
import { truncateTerm, truncateTerms } from './truncateTerm.ts';

export type SpfOffer = {
  /** What to publish in place of all that is there; null when nothing can be offered that does no harm. */
  record: string | null;
  /** Terms of the owner that are not in it. */
  leftOut: readonly string[];
  /** Terms in place of "redirect=". */
  included: readonly string[];
  /** Why there is none. */
  why: NoOfferReason | null;
};

export type PublishedSpf = {
  name: string;
  /** All TXT records at the name. */
  texts: readonly string[];
  /** The record that should be there; null when nobody asks for one. */
  expected: string | null;
  lookUp: LookUp;
};

const noOffer = (why: NoOfferReason | null): SpfOffer => ({ record: null, leftOut: [], included: [], why });

/** Whoever has more has to choose: each is followed to its end. */
const RECORDS_MAX = 10;

/** How often what a record leads to may show another useless term. */
const TRIES_MAX = 6;

/**
 * One record that keeps what the owner has, and adds what is expected. It was evaluated: the expected senders may send and
 * all who could before, not everybody, and it refuses the others as strictly as the owner did.
 */
export async function offerSpf(published: PublishedSpf): Promise<SpfOffer> {
  const { name, texts, expected, lookUp } = published;
  const valid = texts.filter(isSpf);
  const long = valid.find((text) => text.length > RECORD_MAX);
  if (long !== undefined) return noOffer({ kind: 'long', length: long.length });
  const mended = repairRecords(published);
  const joined = mended.find(({ isJoined }) => isJoined);
  if (joined !== undefined) return noOffer({ kind: 'joined', before: truncateTerm(joined.prefix) });
  if (mended.length === 0) {
    const spoilt = texts.find(isSenderId);
    return noOffer(spoilt === undefined ? null : { kind: 'long', length: spoilt.length });
  }
  if (mended.length > RECORDS_MAX) return noOffer({ kind: 'tooMany' });
  const known = new Map<string, Promise<SpfEvaluation>>();
  const evaluate = (text: string) => {
    const evaluation = known.get(text) ?? evaluateSpfText(text, name, lookUp);
    known.set(text, evaluation);
    return evaluation;
  };
  const records = mended.map(({ record }) => record);
  const ends = await listEnds(records, evaluate);
  const unmended = mended.flatMap(({ mendings }) => mendings.filter(({ should }) => should === null));
  const leftOut = unmended.map(({ found }) => found);
  for (const place of ['last', 'first'] as const) {
    const tried = await workingRecord({ records, name, expected, ends, place, evaluate });
    if (!tried.works) {
      const [only = null, ...others] = valid;
      const current = others.length > 0 ? null : only;
      return noOffer(await findNoOfferReason({ ...tried, name, lookUp, current }));
    }
    const { missing, refused } =
      expected === null ? FULL_COVERAGE : computeCoverage(await evaluate(expected), tried.evaluation);
    if (missing.length > 0) continue;
    if (refused.length > 0 || !(await isNothingLost(valid, tried.evaluation, evaluate))) break;
    const { record, included } = tried;
    return { record, leftOut: [...new Set([...leftOut, ...tried.leftOut])], included, why: null };
  }
  return noOffer({ kind: 'conflict' });
}

const FULL_COVERAGE: Coverage = { byAddress: [], missing: [], refused: [] };

type Evaluate = (text: string) => Promise<SpfEvaluation>;

type MergeInput = {
  records: readonly string[];
  name: string;
  expected: string | null;
  ends: readonly Qualifier[];
  place: 'last' | 'first';
  evaluate: Evaluate;
};

type MergeAttempt = {
  record: string;
  evaluation: SpfEvaluation;
  included: readonly string[];
  leftOut: readonly string[];
  works: boolean;
};

/** The merged record without the terms of the owner that let nobody send and break it, as far as that helps. */
async function workingRecord({ name, expected, ends, place, evaluate, ...parts }: MergeInput): Promise<MergeAttempt> {
  const wanted = expected === null ? [] : listPassTerms(parseSpf(expected).terms).map(normalizeTerm);
  const leftOut: string[] = [];
  let { records } = parts;
  for (let tries = 1; ; tries += 1) {
    const merged = mergeSpf(records, expected, ends, place);
    const evaluation = await evaluate(merged.record);
    const remedy = findRemedy(evaluation, name);
    const isHopeless = remedy === null || [...remedy.keys()].some((text) => wanted.includes(normalizeTerm(text)));
    if (isHopeless || remedy.size === 0 || tries === TRIES_MAX) {
      return { ...merged, evaluation, leftOut, works: remedy?.size === 0 };
    }
    leftOut.push(...[...remedy].flatMap(([text, instead]) => (instead === null ? [text] : [])));
    records = records.map((text) => applyRemedy(text, remedy));
  }
}

/** What is spoilt beside a record that is not has never let anybody send. */
function repairRecords({ texts }: PublishedSpf): RepairedSpf[] {
  const valid = texts.filter(isSpf);
  const mended = (valid.length > 0 ? valid : texts).flatMap((text) => repairSpf(text) ?? []);
  return mended.length > 0 ? mended : texts.flatMap((text) => repairHiddenSpf(text) ?? []);
}

/** The same as facts of a judgement; nothing is offered that is there already, unless it is there as another type. */
export async function createOfferFacts(
  published: PublishedSpf,
  { isElsewhere = false } = {},
): Promise<{ rest: SpfOfferFacts; offer: string | null }> {
  const { record, leftOut, included, why } = await offerSpf(published);
  const [text, ...others] = published.texts.filter(isSpf);
  const besides = truncateTerms(listUnreadableDuplicates(published.texts));
  if (!isElsewhere && others.length === 0 && text !== undefined && text === record) {
    return { rest: { leftOut: [], included: [], besides, why }, offer: null };
  }
  return {
    rest: { leftOut: truncateTerms(leftOut), included: truncateTerms(included), besides, why },
    offer: record,
  };
}

/** Texts that were meant as SPF records beside another one, which is the first of them where all are spoilt. */
export function listUnreadableDuplicates(texts: readonly string[]): string[] {
  const spoilt = texts.filter((text) => !isSpf(text) && repairSpf(text) !== null);
  return texts.some(isSpf) ? spoilt : spoilt.slice(1);
}

/** How the owner's records end: what they say, or the record that they redirect to. */
async function listEnds(records: readonly string[], evaluate: Evaluate): Promise<Qualifier[]> {
  const ends: Qualifier[] = [];
  for (const record of records) {
    const { terms } = parseSpf(record);
    const all = terms.find((term) => term.kind === 'all');
    if (all !== undefined && isAddressMechanism(all)) ends.push(all.qualifier);
    else if (terms.some(isRedirect)) ends.push(...findDefaultQualifier(await evaluate(record)));
  }
  return ends;
}

const REST: readonly (readonly [SpfResult, Qualifier])[] = [
  ['fail', '-'],
  ['softfail', '~'],
  ['neutral', '?'],
];

/** What it says of most senders, where they may not simply send. */
function findDefaultQualifier({ sets }: SpfEvaluation): Qualifier[] {
  return REST.filter(([result]) => isOpen(sets[result]))
    .map(([, qualifier]) => qualifier)
    .slice(0, 1);
}

function applyRemedy(record: string, remedy: Remedy): string {
  const words = splitTerms(record).flatMap((word) => {
    const text = [...remedy.keys()].find((one) => normalizeTerm(one) === normalizeTerm(word));
    return text === undefined ? [word] : (remedy.get(text) ?? []);
  });
  return ['v=spf1', ...words].join(' ');
}

/** Whether nothing that worked before works worse. */
async function isNothingLost(records: readonly string[], offered: SpfEvaluation, evaluate: Evaluate): Promise<boolean> {
  const [end = '?'] = findDefaultQualifier(offered);
  const opaque = new Set(offered.opaque.map(({ text }) => normalizeTerm(text)));
  for (const record of records) {
    const before = await evaluate(record);
    const isOpenBefore = isOpen(before.sets.pass);
    const openers = isOpenBefore ? listOpeners(before).map(({ passes }) => passes) : [];
    if (!isSubset(difference(before.sets.pass, union(...openers)), offered.sets.pass)) return false;
    if (before.opaque.some(({ isPositive, text }) => isPositive && !opaque.has(normalizeTerm(text)))) return false;
    const [endBefore = '?'] = isOpenBefore ? [] : findDefaultQualifier(before);
    if (STRICTEST_FIRST.indexOf(end) > STRICTEST_FIRST.indexOf(endBefore)) return false;
  }
  return true;
}
