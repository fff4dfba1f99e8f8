import { quotedList, formatList } from './catalogueEntry.ts';

/** A permanent error: receivers treat the SPF record as broken. */
export type SpfPermerrorFacts = {
  kind: 'none' | 'several' | 'syntax' | 'long' | 'lookUps' | 'voids' | 'voids6' | 'loop' | 'mxHosts';
  /** The term of the record that leads to the error; empty when the error is in the record itself. */
  term: string;
  target: string;
  /** The record of another owner that must be repaired; empty when it is the record itself. */
  at: string;
  /** Words that are no valid terms. */
  words: readonly string[];
  /** The number of MX records, or of characters. */
  count: number;
};

export function describePermerror({ kind, term, target, words, count }: SpfPermerrorFacts): string {
  const there = `at ${target}, reached through "${term}"`;
  switch (kind) {
    case 'none':
      return `there's no SPF record ${there}`;
    case 'several':
      return `there are several SPF records ${there}`;
    case 'syntax':
      return `${quotedList(words)} is invalid in ${term === '' ? 'it' : `the SPF record ${there}`}`;
    case 'long': {
      const which = term === '' ? 'it' : `the SPF record ${there},`;
      return `${which} has ${count} characters, more than 512 bytes (RFC 7208, section 3.4)`;
    }
    case 'lookUps':
      return 'it needs more than 10 DNS lookups';
    case 'voids':
      return 'more than two of its lookups find nothing';
    case 'voids6':
      return 'for IPv6 senders, more than two of its lookups find no AAAA record';
    case 'loop':
      return `"${term}" leads in a circle, back to ${target}`;
    case 'mxHosts':
      return `"${term}" covers the ${count} mail servers of ${target}, and receivers look at no more than 10`;
  }
}

export function describeWhomToAsk({ at, term }: SpfPermerrorFacts): string {
  return at === '' ? '' : ` Ask the operator of ${at} to fix it, or remove "${term}".`;
}

export type LookUpCount = {
  count: number;
  isMore: boolean;
  terms: readonly { term: string; lookUps: number }[];
};

/** Formats `11 DNS lookups (10 for "include:a.example", 1 for "mx")`. */
export function formatLookUpCount({ count, isMore, terms }: LookUpCount): string {
  const counts = formatList(terms.map(({ term, lookUps }) => `${lookUps} for "${term}"`));
  return `${count}${isMore ? ' or more' : ''} DNS lookups (${counts})`;
}

export type NoOfferReason =
  /** `now`: the lookups of the published record; null if there are several records, or unknown. */
  | ({ kind: 'lookUps'; now: number | null } & LookUpCount)
  | { kind: 'broken'; error: SpfPermerrorFacts }
  /** A record of another owner allows anyone. */
  | { kind: 'open'; at: string; by: string }
  | { kind: 'unasked'; target: string; reason: string }
  /** One term denies what another one allows. */
  | { kind: 'conflict' }
  /** There are too many records to merge. */
  | { kind: 'tooMany' }
  /** A text too long to be repaired, in characters. */
  | { kind: 'long'; length: number }
  /** A malformed record next to the valid one has unclear words. */
  | { kind: 'besides'; text: string }
  /** The same text has something before the record. */
  | { kind: 'joined'; before: string };

/** What the offered record changes in the terms of the owner. */
export type SpfOfferFacts = {
  leftOut: readonly string[];
  included: readonly string[];
  besides: readonly string[];
  /** Null if a record is offered, or the diagnosis already says why not. */
  why: NoOfferReason | null;
};

export function describeOffer({ leftOut, included, besides }: SpfOfferFacts): string {
  const instead =
    included.length === 0
      ? ''
      : ` It has ${quotedList(included)} instead of "redirect", which receivers ignore next to "all".`;
  const without = leftOut.length === 0 ? '' : ` It omits ${quotedList(leftOut)}.`;
  const meant = besides.length === 1 ? 'it was meant as another SPF record' : 'they were meant as other SPF records';
  const others = besides.length === 0 ? '' : ` Also delete ${quotedList(besides)}: ${meant}.`;
  return `${instead}${without}${others}`;
}

/** Sentences after the diagnosis that say why nothing is offered; empty when something is. */
export function describeNoOffer({ why }: SpfOfferFacts): string {
  switch (why?.kind) {
    case undefined:
      return '';
    case 'lookUps': {
      const { now } = why;
      const would = now === null ? 'One combined record would need' : 'With the missing terms it would need';
      const already = now === null ? '' : ` It already needs ${now}.`;
      return ` ${would} ${formatLookUpCount(why)}, and receivers allow 10.${already} Remove what is no longer used first.`;
    }
    case 'broken':
      return ` A combined record would be broken, because ${describePermerror(why.error)}.${describeWhomToAsk(why.error)}`;
    case 'open':
      return ` A combined record would allow anyone to send, because of ${why.at}, reached through "${why.by}". Ask its operator to fix it, or remove "${why.by}".`;
    case 'unasked':
      return ` No replacement can be offered now, because ${why.target} couldn't be queried: ${why.reason}.`;
    case 'conflict':
      return ' One term denies what another allows. Only you know which is right: remove the other.';
    case 'long':
      return ` It has ${why.length} characters, too many to fix automatically: keep what you need, and shorten it.`;
    case 'besides':
      return ` Next to it, ${quotedList([why.text])} was meant as another SPF record, but isn't fully clear. Combine what you need into one record.`;
    case 'joined':
      return ` Only you know whether "${why.before}" is still needed. Put the SPF record into its own TXT record.`;
    case 'tooMany':
      return ' They are too many to combine automatically: keep what you need, and delete the rest.';
  }
}
