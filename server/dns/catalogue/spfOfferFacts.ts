import { quotedList } from './quotedList.ts';
import {
  describeWhomToAsk,
  type LookUpCount,
  formatLookUpCount,
  type SpfPermerrorFacts,
  describePermerror,
} from './spfPermerror.ts';

/** Why no record can be offered. */
export type NoOfferReason =
  /** `now`: the number of look-ups of the published record; null when there are several records, or it is not known. */
  | ({ kind: 'lookUps'; now: number | null } & LookUpCount)
  | { kind: 'broken'; fault: SpfPermerrorFacts }
  /** A record of another owner allows everybody. */
  | { kind: 'open'; at: string; by: string }
  | { kind: 'unasked'; target: string; reason: string }
  /** One term denies what another one allows. */
  | { kind: 'conflict' }
  /** There are too many records to merge. */
  | { kind: 'tooMany' }
  /** A text that is too long to be repaired, in characters. */
  | { kind: 'long'; length: number }
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
      : ` It has ${quotedList(included)} in place of "redirect", which receivers ignore beside "all".`;
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
      return ` A record that has all of it would be broken, because ${describePermerror(why.fault)}.${describeWhomToAsk(why.fault)}`;
    case 'open':
      return ` A record that has all of it would let everybody send, because of ${why.at}, where "${why.by}" leads. Ask whoever runs that to mend it, or take "${why.by}" out.`;
    case 'unasked':
      return ` What should stand there instead cannot be said now, because ${why.target} could not be asked: ${why.reason}.`;
    case 'conflict':
      return ' One term refuses what another one allows. Only you can say which of them is right: take the other one out.';
    case 'long':
      return ` It has ${why.length} characters, which is too much to be put right here: keep what you need, and make it shorter.`;
    case 'joined':
      return ` Only you can say whether "${why.before}" is still needed. Put the SPF record into a TXT record of its own.`;
    case 'tooMany':
      return ' They are too many to be put together here: keep what you need, and delete the rest.';
  }
}
