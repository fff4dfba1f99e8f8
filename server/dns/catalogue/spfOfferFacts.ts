import { quotedList } from './quotedList.ts';
import {
  describeWhomToAsk,
  type LookUpCount,
  formatLookUpCount,
  type SpfPermerrorFacts,
  describePermerror,
} from './spfPermerror.ts';

/** Why there is no record that could be offered without harm. */
export type NoOfferReason =
  /** `now` is how many the owner's record needs as it is; null where there are several, or where nobody can say. */
  | ({ kind: 'lookUps'; now: number | null } & LookUpCount)
  | { kind: 'broken'; fault: SpfPermerrorFacts }
  /** A record of others lets everybody send. */
  | { kind: 'open'; at: string; by: string }
  | { kind: 'unasked'; target: string; reason: string }
  /** One term refuses what another one allows. */
  | { kind: 'conflict' }
  /** There are more records than anybody could put together. */
  | { kind: 'tooMany' }
  /** A text that nobody can mend for its length, in characters. */
  | { kind: 'long'; length: number }
  /** Something else stands before the record in the same text. */
  | { kind: 'joined'; before: string };

/** What becomes of the owner's terms in the record that is offered. */
export type SpfOfferFacts = {
  /** Terms that it does not have. */
  leftOut: readonly string[];
  /** Terms that it has in place of "redirect=". */
  included: readonly string[];
  /** Other texts at the name that were meant as SPF records, and are spoilt. */
  besides: readonly string[];
  /** Null where a record is offered, or where the diagnosis has said why not. */
  why: NoOfferReason | null;
};

/** What to know of the record that is offered. */
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

/** Why nothing is offered, as sentences that go on after the diagnosis; empty where something is. */
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
