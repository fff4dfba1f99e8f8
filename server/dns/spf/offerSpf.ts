import type { NoOffer, Rest } from '../catalogue/spfRest.ts';
import type { LookUp } from '../resolution.ts';
import { difference, isWithin, union } from './addressSet.ts';
import { type Coverage, coverageOf } from './coverage.ts';
import { evaluateAs } from './evaluateAs.ts';
import type { Evaluation, SpfResult } from './evaluation.ts';
import { isSenderId, type Mended, mendHiddenSpf, mendSpf } from './mendSpf.ts';
import { mergeSpf, senseOf, STRICTEST_FIRST, wantedOf } from './mergeSpf.ts';
import { noOfferOf } from './noOfferOf.ts';
import { isOpen, openersOf } from './openness.ts';
import { isListed, isRedirect, isSpf, parseSpf, type Qualifier, RECORD_MAX, wordsOf } from './parseSpf.ts';
import { type Remedy, remedyOf } from './remedyOf.ts';
import { shortened, shortenedAll } from './shortened.ts';

export type Offer = {
  /** What to publish in place of all that is there; null when nothing can be offered that does no harm. */
  record: string | null;
  /** Terms of the owner that are not in it. */
  leftOut: readonly string[];
  /** Terms in place of "redirect=". */
  included: readonly string[];
  /** Why there is none. */
  why: NoOffer | null;
};

export type Published = {
  name: string;
  /** All TXT records at the name. */
  texts: readonly string[];
  /** The record that should be there; null when nobody asks for one. */
  expected: string | null;
  lookUp: LookUp;
};

const noOffer = (why: NoOffer | null): Offer => ({ record: null, leftOut: [], included: [], why });

/** Whoever has more has to choose: each is followed to its end. */
const RECORDS_MAX = 10;

/** How often what a record leads to may show another useless term. */
const TRIES_MAX = 6;

/**
 * One record that keeps what the owner has, and adds what is expected. It was evaluated: the expected senders may send and
 * all who could before, not everybody, and it refuses the others as strictly as the owner did.
 */
export async function offerSpf(published: Published): Promise<Offer> {
  const { name, texts, expected, lookUp } = published;
  const valid = texts.filter(isSpf);
  const long = valid.find((text) => text.length > RECORD_MAX);
  if (long !== undefined) return noOffer({ kind: 'long', length: long.length });
  const mended = meantBy(published);
  const joined = mended.find(({ isJoined }) => isJoined);
  if (joined !== undefined) return noOffer({ kind: 'joined', before: shortened(joined.prefix) });
  if (mended.length === 0) {
    const spoilt = texts.find(isSenderId);
    return noOffer(spoilt === undefined ? null : { kind: 'long', length: spoilt.length });
  }
  if (mended.length > RECORDS_MAX) return noOffer({ kind: 'tooMany' });
  const known = new Map<string, Promise<Evaluation>>();
  const evaluate = (text: string) => {
    const evaluation = known.get(text) ?? evaluateAs(text, name, lookUp);
    known.set(text, evaluation);
    return evaluation;
  };
  const records = mended.map(({ record }) => record);
  const ends = await endsOf(records, evaluate);
  const unmended = mended.flatMap(({ mendings }) => mendings.filter(({ should }) => should === null));
  const leftOut = unmended.map(({ found }) => found);
  for (const place of ['last', 'first'] as const) {
    const tried = await workingRecord({ records, name, expected, ends, place, evaluate });
    if (!tried.works) {
      const [only = null, ...others] = valid;
      const current = others.length > 0 ? null : only;
      return noOffer(await noOfferOf({ ...tried, name, lookUp, current }));
    }
    const { missing, refused } =
      expected === null ? NOTHING_AMISS : coverageOf(await evaluate(expected), tried.evaluation);
    if (missing.length > 0) continue;
    if (refused.length > 0 || !(await keeps(valid, tried.evaluation, evaluate))) break;
    const { record, included } = tried;
    return { record, leftOut: [...new Set([...leftOut, ...tried.leftOut])], included, why: null };
  }
  return noOffer({ kind: 'conflict' });
}

const NOTHING_AMISS: Coverage = { byAddress: [], missing: [], refused: [] };

type Evaluate = (text: string) => Promise<Evaluation>;

type Parts = {
  records: readonly string[];
  name: string;
  expected: string | null;
  ends: readonly Qualifier[];
  place: 'last' | 'first';
  evaluate: Evaluate;
};

type Tried = {
  record: string;
  evaluation: Evaluation;
  included: readonly string[];
  leftOut: readonly string[];
  works: boolean;
};

/** The merged record without the terms of the owner that let nobody send and break it, as far as that helps. */
async function workingRecord({ name, expected, ends, place, evaluate, ...parts }: Parts): Promise<Tried> {
  const wanted = expected === null ? [] : wantedOf(parseSpf(expected).terms).map(senseOf);
  const leftOut: string[] = [];
  let { records } = parts;
  for (let tries = 1; ; tries += 1) {
    const merged = mergeSpf(records, expected, ends, place);
    const evaluation = await evaluate(merged.record);
    const remedy = remedyOf(evaluation, name);
    const isHopeless = remedy === null || [...remedy.keys()].some((text) => wanted.includes(senseOf(text)));
    if (isHopeless || remedy.size === 0 || tries === TRIES_MAX) {
      return { ...merged, evaluation, leftOut, works: remedy?.size === 0 };
    }
    leftOut.push(...[...remedy].flatMap(([text, instead]) => (instead === null ? [text] : [])));
    records = records.map((text) => remedied(text, remedy));
  }
}

/** What is spoilt beside a record that is not has never let anybody send. */
function meantBy({ texts }: Published): Mended[] {
  const valid = texts.filter(isSpf);
  const mended = (valid.length > 0 ? valid : texts).flatMap((text) => mendSpf(text) ?? []);
  return mended.length > 0 ? mended : texts.flatMap((text) => mendHiddenSpf(text) ?? []);
}

/** The same as facts of a judgement; nothing is offered that is there already, unless it is there as another type. */
export async function factsOfOffer(
  published: Published,
  { isElsewhere = false } = {},
): Promise<{ rest: Rest; offer: string | null }> {
  const { record, leftOut, included, why } = await offerSpf(published);
  const [text, ...others] = published.texts.filter(isSpf);
  const besides = shortenedAll(spoiltSeconds(published.texts));
  if (!isElsewhere && others.length === 0 && text !== undefined && text === record) {
    return { rest: { leftOut: [], included: [], besides, why }, offer: null };
  }
  return {
    rest: { leftOut: shortenedAll(leftOut), included: shortenedAll(included), besides, why },
    offer: record,
  };
}

/** Texts that were meant as SPF records beside another one, which is the first of them where all are spoilt. */
export function spoiltSeconds(texts: readonly string[]): string[] {
  const spoilt = texts.filter((text) => !isSpf(text) && mendSpf(text) !== null);
  return texts.some(isSpf) ? spoilt : spoilt.slice(1);
}

/** How the owner's records end: what they say, or the record that they redirect to. */
async function endsOf(records: readonly string[], evaluate: Evaluate): Promise<Qualifier[]> {
  const ends: Qualifier[] = [];
  for (const record of records) {
    const { terms } = parseSpf(record);
    const all = terms.find((term) => term.kind === 'all');
    if (all !== undefined && isListed(all)) ends.push(all.qualifier);
    else if (terms.some(isRedirect)) ends.push(...restOf(await evaluate(record)));
  }
  return ends;
}

const REST: readonly (readonly [SpfResult, Qualifier])[] = [
  ['fail', '-'],
  ['softfail', '~'],
  ['neutral', '?'],
];

/** What it says of most senders, where they may not simply send. */
function restOf({ sets }: Evaluation): Qualifier[] {
  return REST.filter(([result]) => isOpen(sets[result]))
    .map(([, qualifier]) => qualifier)
    .slice(0, 1);
}

function remedied(record: string, remedy: Remedy): string {
  const words = wordsOf(record).flatMap((word) => {
    const text = [...remedy.keys()].find((one) => senseOf(one) === senseOf(word));
    return text === undefined ? [word] : (remedy.get(text) ?? []);
  });
  return ['v=spf1', ...words].join(' ');
}

/** Whether nothing that worked before works worse. */
async function keeps(records: readonly string[], offered: Evaluation, evaluate: Evaluate): Promise<boolean> {
  const [end = '?'] = restOf(offered);
  const opaque = new Set(offered.opaque.map(({ text }) => senseOf(text)));
  for (const record of records) {
    const before = await evaluate(record);
    const isOpenBefore = isOpen(before.sets.pass);
    const openers = isOpenBefore ? openersOf(before).map(({ passes }) => passes) : [];
    if (!isWithin(difference(before.sets.pass, union(...openers)), offered.sets.pass)) return false;
    if (before.opaque.some(({ isPositive, text }) => isPositive && !opaque.has(senseOf(text)))) return false;
    const [endBefore = '?'] = isOpenBefore ? [] : restOf(before);
    if (STRICTEST_FIRST.indexOf(end) > STRICTEST_FIRST.indexOf(endBefore)) return false;
  }
  return true;
}
