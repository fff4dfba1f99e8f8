import { formatList, quotedList } from './quotedList.ts';

/** A permanent error: receivers treat the SPF record as broken. */
export type SpfPermerrorFacts = {
  kind: 'none' | 'several' | 'syntax' | 'long' | 'lookUps' | 'voids' | 'loop' | 'mxHosts';
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
    case 'loop':
      return `"${term}" leads round in a circle, back to ${target}`;
    case 'mxHosts':
      return `"${term}" stands for the mail servers of ${target}, which are ${count}, and receivers look at no more than 10`;
  }
}

/** Who must repair it, if that is not the owner of the record. */
export function describeWhomToAsk({ at, term }: SpfPermerrorFacts): string {
  return at === '' ? '' : ` Ask whoever runs ${at} to mend that, or take "${term}" out.`;
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
