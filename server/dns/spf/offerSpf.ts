import type { NoOfferReason, SpfOfferFacts } from '../catalogue/spfFacts.ts';
import { difference, isSubset, union } from './evaluation/addressSet.ts';
import { type Coverage, computeCoverage } from './coverage.ts';
import {
  type SpfEvaluation,
  type SpfResult,
  findPermerror,
  type SpfPermerror,
  findUnanswered,
} from './evaluation/evaluation.ts';
import { isSenderId, type RepairedSpf, repairHiddenSpf, repairSpf } from './repairSpf.ts';
import { findEnd, mergeSpf, normalizeTerm, STRICTEST_FIRST, listPassTerms } from './mergeSpf.ts';
import { isOpen, listOpeners } from './evaluation/openness.ts';
import { countLookUps, evaluateExpected, evaluateFor, type PublishedSpf } from './evaluation/evaluateText.ts';
import { isRedirect, isSpf, parseSpf, type Qualifier, RECORD_MAX, splitTerms } from './evaluation/parseSpf.ts';
import { toPermerrorFacts } from './judgementFacts.ts';
import { isIP } from 'node:net';

type SpfOffer = {
  record: string | null;
  leftOut: readonly string[];
  included: readonly string[];
  why: NoOfferReason | null;
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
  const { name, texts, expected } = published;
  const valid = texts.filter(isSpf);
  const long = valid.find((text) => text.length > RECORD_MAX);
  if (long !== undefined) return noOffer({ kind: 'long', length: long.length });
  const repaired = repairRecords(published);
  // The senders of the malformed record were intended: keep them, or offer nothing.
  const besides = listUnreadableDuplicates(texts);
  const unreadable = besides.find((text) => repairSpf(text)?.corrections.some(({ should }) => should === null));
  if (valid.length > 0 && unreadable !== undefined) return noOffer({ kind: 'besides', text: unreadable });
  const joined = repaired.find(({ isJoined }) => isJoined);
  if (joined !== undefined) return noOffer({ kind: 'joined', before: joined.prefix });
  if (repaired.length === 0) {
    const spoilt = texts.find(isSenderId);
    return noOffer(spoilt === undefined ? null : { kind: 'long', length: spoilt.length });
  }
  if (repaired.length > RECORDS_MAX) return noOffer({ kind: 'tooMany' });
  const known = new Map<string, Promise<SpfEvaluation>>();
  const wanted = await evaluateExpected(published);
  const evaluate = (text: string) => {
    const evaluation = known.get(text) ?? evaluateFor(wanted, text, published);
    known.set(text, evaluation);
    return evaluation;
  };
  const records = repaired.map(({ record }) => record);
  // Only a valid record shows how strict to be.
  const ends = await listEnds(valid.length > 0 ? records.slice(0, valid.length) : records, evaluate);
  const unclear = repaired.flatMap(({ corrections }) => corrections.filter(({ should }) => should === null));
  const leftOut = unclear.map(({ found }) => found);
  let why: NoOfferReason = { kind: 'conflict' };
  for (const place of ['last', 'first'] as const) {
    const tried = await workingRecord({ records, name, expected, ends, place, evaluate });
    if (!tried.works) {
      // Behind the expected terms, a failed query may not matter to their senders.
      if (place === 'last' && findUnanswered(tried.evaluation) !== null) continue;
      const [only = null, ...others] = valid;
      return noOffer(await findNoOfferReason(published, tried, others.length > 0 ? null : only));
    }
    const { missing, refused } = wanted === null ? FULL_COVERAGE : computeCoverage(wanted, tried.evaluation);
    const error = findPermerror(tried.evaluation);
    why = error === null ? { kind: 'conflict' } : { kind: 'broken', error: toPermerrorFacts(error) };
    if (missing.length > 0 || error !== null) continue;
    if (refused.length > 0 || !(await isNothingLost(valid, tried.evaluation, evaluate))) break;
    const { record, included } = tried;
    return { record, leftOut: [...new Set([...leftOut, ...tried.leftOut])], included, why: null };
  }
  return noOffer(why);
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

function repairRecords({ texts }: PublishedSpf): RepairedSpf[] {
  const validFirst = texts.toSorted((one, other) => Number(isSpf(other)) - Number(isSpf(one)));
  const repaired = validFirst.flatMap((text) => repairSpf(text) ?? []);
  return repaired.length > 0 ? repaired : texts.flatMap((text) => repairHiddenSpf(text) ?? []);
}

/** The offer as facts of a judgement. A record that is already published is not offered, unless it has another type. */
export async function createOfferFacts(
  published: PublishedSpf,
  { isElsewhere = false } = {},
): Promise<{ rest: SpfOfferFacts; offer: string | null }> {
  const { record, leftOut, included, why } = await offerSpf(published);
  const [text, ...others] = published.texts.filter(isSpf);
  const besides = listUnreadableDuplicates(published.texts);
  if (!isElsewhere && others.length === 0 && text !== undefined && text === record) {
    return { rest: { leftOut: [], included: [], besides, why }, offer: null };
  }
  return { rest: { leftOut, included, besides, why }, offer: record };
}

/** Malformed SPF records in addition to a valid one, or to the first malformed one. */
export function listUnreadableDuplicates(texts: readonly string[]): string[] {
  const spoilt = texts.filter((text) => !isSpf(text) && repairSpf(text) !== null);
  return texts.some(isSpf) ? spoilt : spoilt.slice(1);
}

/** The "all" qualifiers of the records of the owner, or of the records that they redirect to. */
async function listEnds(records: readonly string[], evaluate: Evaluate): Promise<Qualifier[]> {
  const ends: Qualifier[] = [];
  for (const record of records) {
    const { terms } = parseSpf(record);
    const end = findEnd(terms);
    if (end !== null) ends.push(end);
    else if (terms.some(isRedirect)) ends.push(...findDefaultQualifier(await evaluate(record)));
  }
  return ends;
}

const REST: readonly (readonly [SpfResult, Qualifier])[] = [
  ['fail', '-'],
  ['softfail', '~'],
  ['neutral', '?'],
];

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

type Remedy = ReadonlyMap<string, string | null>;

/**
 * Changes that make a record work without denying any sender: empty when it works, null when the owner has to decide.
 */
function findRemedy(evaluation: SpfEvaluation, name: string): Remedy | null {
  if (evaluation.sets.temperror.length > 0) return null;
  const error = findPermerror(evaluation);
  // A term that is void for IPv6 may allow IPv4 senders, and does no harm after the expected terms.
  if (error?.kind === 'voids6') return new Map();
  if (error !== null) return nullIfEmpty(new Map(uselessTerms(evaluation, error, name).map((text) => [text, null])));
  if (!isOpen(evaluation.sets.pass)) return new Map();
  const openers = listOpeners(evaluation);
  // Records of others must be changed there, and their include may be needed for other senders.
  if (openers.some(({ way }) => way.length > 0)) return null;
  return nullIfEmpty(new Map(openers.map(({ text }) => [text, narrowTerm(text)])));
}

function nullIfEmpty(remedy: Remedy): Remedy | null {
  return remedy.size === 0 ? null : remedy;
}

function uselessTerms(evaluation: SpfEvaluation, error: SpfPermerror, name: string): string[] {
  const isOwn = error.way.length === 0;
  const opaque = new Set(evaluation.opaque.map(({ text }) => text));
  const voids = evaluation.voids.flatMap(({ way, text }) => (way.length > 0 || opaque.has(text) ? [] : [text]));
  switch (error.kind) {
    case 'none':
      return isOwn ? [error.text] : [];
    case 'loop':
      return isOwn && error.target === name ? [error.text] : [];
    case 'voids':
      return voids;
    case 'lookUps':
      return [...voids, ...doubledTerms(evaluation)];
    case 'several':
    case 'syntax':
    case 'long':
    case 'mxHosts':
    case 'voids6':
      return [];
  }
}

function doubledTerms({ positives }: SpfEvaluation): string[] {
  return positives
    .filter(
      ({ key, way, text }) =>
        way.length === 0 &&
        key !== null &&
        positives.some((one) => one.key === key && one.way.length > 0 && one.way[0] !== text),
    )
    .map(({ text }) => text);
}

/** The probable meaning of a term that matches very many: the host of `a/0`, the address of `ip4:192.0.2.1/0`. */
function narrowTerm(text: string): string | null {
  if (/^\+?(?:a|mx)\b/i.test(text)) return text.replace(/(?:\/\d+)?(?:\/\/\d+)?$/, '');
  const [, address = ''] = /^\+?ip[46]:([^/]+)\/\d+$/i.exec(text) ?? [];
  if (isIP(address) === 0 || /^[\d.]*(?:\.0)$|::$/.test(address)) return null;
  return text.replace(/\/\d+$/, '');
}

async function findNoOfferReason(
  published: PublishedSpf,
  { record, evaluation }: MergeAttempt,
  current: string | null,
): Promise<NoOfferReason> {
  const unasked = findUnanswered(evaluation);
  if (unasked !== null) return { kind: 'unasked', target: unasked.target, reason: unasked.reason };
  const error = findPermerror(evaluation);
  if (error?.kind === 'lookUps') {
    const before = current === null ? null : await countLookUps(current, published);
    const now = before === null || before.isMore ? null : before.count;
    return { kind: 'lookUps', now, ...(await countLookUps(record, published)) };
  }
  if (error !== null) return { kind: 'broken', error: toPermerrorFacts(error) };
  const opener = listOpeners(evaluation).find(({ way }) => way.length > 0);
  if (opener === undefined) return { kind: 'conflict' };
  return { kind: 'open', at: opener.at, by: opener.way[0] ?? '' };
}
