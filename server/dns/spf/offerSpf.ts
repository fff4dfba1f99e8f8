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

type SpfOffer = {
  /** The record to publish instead of all others; null when no safe one is found. */
  record: string | null;
  /** Terms of the owner that are left out. */
  leftOut: readonly string[];
  /** Terms that replace "redirect=". */
  included: readonly string[];
  /** Why there is no record. */
  why: NoOfferReason | null;
};

export type PublishedSpf = {
  name: string;
  /** All TXT records at the name. */
  texts: readonly string[];
  /** The expected record; null when there is none. */
  expected: string | null;
  lookUp: LookUp;
};

const noOffer = (why: NoOfferReason | null): SpfOffer => ({ record: null, leftOut: [], included: [], why });

/** Upper limit, because each record is evaluated. With more of them, the owner has to choose. */
const RECORDS_MAX = 10;

/** Repetitions, because without a useless term, another one may appear. */
const TRIES_MAX = 6;

/**
 * Finds one record that keeps the terms of the owner and adds the expected ones. It has been evaluated: it allows the
 * expected senders and all that were allowed before, not everybody, and it is as strict as before.
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

/** Removes terms of the owner that allow nobody and break the merged record, as far as that helps. */
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

/** Malformed texts beside a valid record are not merged, because they have never allowed anybody. */
function repairRecords({ texts }: PublishedSpf): RepairedSpf[] {
  const valid = texts.filter(isSpf);
  const mended = (valid.length > 0 ? valid : texts).flatMap((text) => repairSpf(text) ?? []);
  return mended.length > 0 ? mended : texts.flatMap((text) => repairHiddenSpf(text) ?? []);
}

/** The offer as facts of a judgement. A record that is already published is not offered, unless it has another type. */
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

/** Malformed SPF records beside a valid one, or beside the first malformed one. */
export function listUnreadableDuplicates(texts: readonly string[]): string[] {
  const spoilt = texts.filter((text) => !isSpf(text) && repairSpf(text) !== null);
  return texts.some(isSpf) ? spoilt : spoilt.slice(1);
}

/** The "all" qualifiers of the records of the owner, or of the records that they redirect to. */
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

/** The result for most addresses, if they do not pass. */
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

/** Whether the offered record is at least as good as each record before. */
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
