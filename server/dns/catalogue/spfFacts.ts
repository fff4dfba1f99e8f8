import { quotedList, formatList } from './catalogueEntry.ts';

/** A permanent error: receivers treat the SPF record as broken. */
export type SpfPermerrorFacts = {
  kind: 'none' | 'several' | 'syntax' | 'long' | 'lookUps' | 'voids' | 'voids6' | 'loop' | 'mxHosts';
  /** The term of the record that leads to the error; empty when the error is in the record itself. */
  term: string;
  /** The name of the record with the error. */
  target: string;
  /** The record of another owner that must be repaired; empty when it is the record itself. */
  at: string;
  /** Words that are not valid terms. */
  words: readonly string[];
  /** The number of MX records, or of characters. */
  count: number;
};

/** The reason for a permerror, as a part of a sentence. */
export function describePermerror({ kind, term, target, words, count }: SpfPermerrorFacts): string {
  const there = `at ${target}, where "${term}" leads`;
  switch (kind) {
    case 'none':
      return `there is no SPF record ${there}`;
    case 'several':
      return `there are several SPF records ${there}`;
    case 'syntax':
      return `nobody can read ${quotedList(words)} in ${term === '' ? 'it' : `the SPF record ${there}`}`;
    case 'long': {
      const which = term === '' ? 'it' : `the SPF record ${there},`;
      return `${which} has ${count} characters, where 512 bytes are the rule (RFC 7208, section 3.4)`;
    }
    case 'lookUps':
      return 'it needs more than 10 look-ups in the DNS';
    case 'voids':
      return 'it asks more than twice for names that do not exist';
    case 'voids6':
      return 'for IPv6 senders it asks more than twice for names without an AAAA record';
    case 'loop':
      return `"${term}" leads round in a circle, back to ${target}`;
    case 'mxHosts':
      return `"${term}" stands for the mail servers of ${target}, which are ${count}, and receivers look at no more than 10`;
  }
}

/** Who must repair it, if that is not the owner of the record. */
export function describeWhomToAsk({ at, term }: SpfPermerrorFacts): string {
  return at === '' ? '' : ` Ask the operator of ${at} to fix it, or remove "${term}".`;
}

/** Number of look-ups that a record needs. */
export type LookUpCount = {
  count: number;
  /** Whether it needs more than were counted. */
  isMore: boolean;
  /** The terms that need them. */
  terms: readonly { term: string; lookUps: number }[];
};

/** Formats `11 look-ups in the DNS (10 for "include:a.example", 1 for "mx")`. */
export function formatLookUpCount({ count, isMore, terms }: LookUpCount): string {
  const counts = formatList(terms.map(({ term, lookUps }) => `${lookUps} for "${term}"`));
  return `${count}${isMore ? ' or more' : ''} look-ups in the DNS (${counts})`;
}

/** Why no record can be offered. */
export type NoOfferReason =
  /** `now`: the number of look-ups of the published record; null when there are several records, or it is not known. */
  | ({ kind: 'lookUps'; now: number | null } & LookUpCount)
  | { kind: 'broken'; error: SpfPermerrorFacts }
  /** A record of another owner allows everybody. */
  | { kind: 'open'; at: string; by: string }
  | { kind: 'unasked'; target: string; reason: string }
  /** One term denies what another one allows. */
  | { kind: 'conflict' }
  /** There are too many records to merge. */
  | { kind: 'tooMany' }
  /** A text that is too long to be repaired, in characters. */
  | { kind: 'long'; length: number }
  /** A malformed record beside the valid one has words whose meaning is not clear. */
  | { kind: 'besides'; text: string }
  /** The same text has something before the record. */
  | { kind: 'joined'; before: string };

/** What the offered record changes in the terms of the owner. */
export type SpfOfferFacts = {
  /** Terms that are left out. */
  leftOut: readonly string[];
  /** Terms that replace "redirect=". */
  included: readonly string[];
  /** Other malformed SPF records at the name. */
  besides: readonly string[];
  /** Null when a record is offered, or when the diagnosis already says why not. */
  why: NoOfferReason | null;
};

/** Sentences about the offered record. */
export function describeOffer({ leftOut, included, besides }: SpfOfferFacts): string {
  const instead =
    included.length === 0
      ? ''
      : ` It has ${quotedList(included)} instead of "redirect", which receivers ignore beside "all".`;
  const without = leftOut.length === 0 ? '' : ` It leaves out ${quotedList(leftOut)}.`;
  const meant = besides.length === 1 ? 'it was meant as another SPF record' : 'they were meant as other SPF records';
  const others = besides.length === 0 ? '' : ` Delete ${quotedList(besides)} as well: ${meant}.`;
  return `${instead}${without}${others}`;
}

/** Sentences after the diagnosis that say why nothing is offered; empty when something is. */
export function describeNoOffer({ why }: SpfOfferFacts): string {
  switch (why?.kind) {
    case undefined:
      return '';
    case 'lookUps': {
      const { now } = why;
      const would = now === null ? 'One record for all of it would need' : 'With what is missing it would need';
      const already = now === null ? '' : ` It needs ${now} already.`;
      return ` ${would} ${formatLookUpCount(why)}, and receivers allow 10.${already} Take out what is no longer used first.`;
    }
    case 'broken':
      return ` A record that has all of it would be broken, because ${describePermerror(why.error)}.${describeWhomToAsk(why.error)}`;
    case 'open':
      return ` A record that has all of it would let everybody send, because of ${why.at}, where "${why.by}" leads. Ask its operator to fix it, or remove "${why.by}".`;
    case 'unasked':
      return ` What should stand there instead cannot be said now, because ${why.target} could not be asked: ${why.reason}.`;
    case 'conflict':
      return ' One term refuses what another one allows. Only you can say which of them is right: take the other one out.';
    case 'long':
      return ` It has ${why.length} characters, which is too much to be put right here: keep what you need, and make it shorter.`;
    case 'besides':
      return ` Beside it, ${quotedList([why.text])} was meant as another SPF record, and not all of it is clear. Put what you need of both into one record.`;
    case 'joined':
      return ` Only you can say whether "${why.before}" is still needed. Put the SPF record into a TXT record of its own.`;
    case 'tooMany':
      return ' They are too many to be put together here: keep what you need, and delete the rest.';
  }
}
