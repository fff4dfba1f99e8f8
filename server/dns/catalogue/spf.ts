import { type SentenceContext, defineEntry, formatList, quotedList, describeStrangeLetters } from './catalogueEntry.ts';
import {
  describeOffer,
  type SpfOfferFacts,
  describeNoOffer,
  describeWhomToAsk,
  type LookUpCount,
  formatLookUpCount,
  type SpfPermerrorFacts,
  describePermerror,
} from './spfFacts.ts';
import { truncateTerm } from '../spf/judgementFacts.ts';

/** A wrong word and its correction; empty when it should be removed, null when it is not known. */
type WordRepair = { found: string; should: string | null };

/** The term that is the reason, or the whole record when it allows nobody. */
type MissingReason = {
  term: string;
  is: 'all_before' | 'qualifier' | 'ignored' | 'redirect' | 'redirect_ignored' | 'nobody';
};

const failure = { record: 'fail', advice: 'warn' } as const;

const withoutBlanks = (text: string) => text.replaceAll(' ', '');

function describeRepair({ found, should }: WordRepair): string {
  const letters = /[^ -~]/.test(should ?? '') ? '' : describeStrangeLetters(found);
  if (should === null) return `"${found}"${letters}`;
  if (should === '') return `"${found}", which should not be there`;
  const isSame = withoutBlanks(found) === withoutBlanks(should);
  const how = !isSame ? '' : found.length > should.length ? ', without the blank' : ', with a blank';
  return `"${found}"${letters}, which should be "${should}"${how}`;
}

const listCorrections = (corrections: readonly WordRepair[]) => formatList(corrections.map(describeRepair), '; ');

const replace = (rest: SpfOfferFacts, { host }: SentenceContext) =>
  `Replace the record at "${host}" with this one.${describeOffer(rest)}`;
const the = ({ name }: SentenceContext) => `The SPF record at ${name}`;
const broken = ({ name }: SentenceContext) => `Receivers treat the SPF record at ${name} as broken`;

export const spf = {
  SPF_PUBLISHED: defineEntry({
    result: 'ok',
    turn: null,
    describe: (_, { name }) => `${name} has an SPF record that receivers can follow.`,
  }),

  SPF_MISSING: defineEntry<{ texts: number }>({
    result: failure,
    turn: 'owner',
    describe: ({ texts }, { role, name }) =>
      role === 'record'
        ? `There is no SPF record at ${name}${texts === 0 ? '' : `, which has ${texts} other TXT ${texts === 1 ? 'record' : 'records'}`}. Nothing lets the provider send.`
        : `${name} has no SPF record, so that SPF says nothing about mail of the domain. The provider says what it must hold.`,
    todo: (_, { host }) => `Add the TXT record at "${host}". Other TXT records can stay.`,
  }),
  SPF_OLD_TYPE: defineEntry<SpfOfferFacts>({
    result: failure,
    turn: 'owner',
    describe: (rest, { name }) =>
      `The SPF record at ${name} has the type SPF (99). Receivers look for the type TXT only, and do not find it.${describeNoOffer(rest)}`,
    todo: (rest, { host }) => `Publish it at "${host}" with the type TXT.${describeOffer(rest)}`,
  }),
  SPF_SENDER_ID: defineEntry<SpfOfferFacts>({
    result: failure,
    turn: 'owner',
    describe: (rest, { name }) =>
      `${name} has a record that begins with "spf2.0" (Sender ID), which nobody reads any more, and none that begins with "v=spf1".${describeNoOffer(rest)}`,
    todo: (rest, { host }) => `Publish this record at "${host}".${describeOffer(rest)}`,
  }),
  SPF_TOO_LONG: defineEntry<{ length: number; most: number }>({
    result: failure,
    turn: 'owner',
    describe: ({ length, most }, about) =>
      `${the(about)} has ${length} characters. It should fit in 512 bytes (RFC 7208, section 3.4), and more than ${most} characters are not followed here. Receivers may give up on it as well. Take out what is no longer used.`,
  }),
  SPF_VERSION: defineEntry<SpfOfferFacts & { found: string }>({
    result: failure,
    turn: 'owner',
    describe: ({ found, ...rest }, { name }) =>
      `Receivers ignore the SPF record at ${name}, because it begins with "${found}". It must begin with "v=spf1" and a blank.${describeNoOffer(rest)}`,
    todo: replace,
  }),
  SPF_SYNTAX: defineEntry<SpfOfferFacts & { corrections: readonly WordRepair[] }>({
    result: failure,
    turn: 'owner',
    describe: ({ corrections, ...rest }, about) =>
      `${broken(about)}. They cannot read ${listCorrections(corrections)}.${describeNoOffer(rest)}`,
    todo: replace,
  }),
  SEVERAL_SPF: defineEntry<SpfOfferFacts & { count: number }>({
    result: failure,
    turn: 'owner',
    describe: ({ count, ...rest }, { name }) =>
      `${name} has ${count} SPF records. Receivers accept only one, and treat several as broken.${describeNoOffer(rest)}`,
    todo: (rest, { host }) => `Delete them, and publish this one at "${host}".${describeOffer(rest)}`,
  }),

  SPF_WITHOUT_INCLUDE: defineEntry<
    SpfOfferFacts & {
      missing: readonly string[];
      because: MissingReason | null;
      /** A denied address, if others of the sender are allowed, or only single addresses can be checked. */
      example: string | null;
    }
  >({
    result: failure,
    turn: 'owner',
    describe: ({ missing, because, example, ...rest }, about) => {
      const whom = example === null ? 'the senders' : 'all senders';
      const lacks = `${the(about)} does not let ${whom} of ${quotedList(missing)} send.`;
      const such = example === null ? '' : ` ${example} may not, for example.`;
      return `${lacks}${such}${because === null ? '' : ` ${describeMissingReason(because)}`}${describeNoOffer(rest)}`;
    },
    todo: replace,
  }),
  SPF_REFUSES_SENDERS: defineEntry<{ missing: readonly string[]; by: readonly string[] }>({
    result: failure,
    turn: 'owner',
    describe: ({ missing, by }, about) =>
      `${the(about)} refuses some of the senders of ${quotedList(missing)}: ${by.length === 0 ? 'an earlier term' : quotedList(by)} stands before what lets them send, and receivers take the first that fits. Move it behind that, or take it out.`,
  }),
  SPF_ALLOWS_ALL: defineEntry<
    SpfOfferFacts & {
      /** Percentage of all IPv4 or IPv6 addresses, whichever is higher. */
      percent: number;
      openers: readonly { term: string; at: string; by: string | null }[];
    }
  >({
    result: failure,
    turn: 'owner',
    describe: ({ percent, openers, ...rest }, about) => {
      const terms = openers.map(({ term, at, by }) =>
        by === null ? `"${term}"` : `"${term}" at ${at}, where "${by}" leads`,
      );
      const whom = percent === 100 ? 'everybody' : `${percent} % of all addresses`;
      const of = openers.find(({ by }) => by !== null);
      const ask = of === undefined ? '' : ` Ask the operator of ${of.at} to fix it, or remove "${of.by}".`;
      return `${the(about)} lets ${whom} send in your name, because of ${formatList(terms, ', and ')}.${ask}${describeNoOffer(rest)}`;
    },
    todo: (rest, about) => `${replace(rest, about)} Add your other senders to it, if it does not name them all.`,
  }),

  SPF_INCLUDE_BROKEN: defineEntry<SpfOfferFacts & SpfPermerrorFacts & { should: string | null }>({
    result: failure,
    turn: 'owner',
    describe: ({ should, ...facts }, about) => {
      const meant = should === null ? '' : ` It should be "${should}".`;
      return `${broken(about)}, because ${describePermerror(facts)}.${meant}${describeWhomToAsk(facts)}${describeNoOffer(facts)}`;
    },
    todo: replace,
  }),
  SPF_TOO_MANY_LOOKUPS: defineEntry<SpfOfferFacts & LookUpCount>({
    result: failure,
    turn: 'owner',
    describe: (facts, about) =>
      `${broken(about)}, because it needs ${formatLookUpCount(facts)}, and they allow 10. Take out what is no longer used.${describeNoOffer(facts)}`,
    todo: replace,
  }),
  SPF_VOID_LOOKUPS: defineEntry<
    SpfOfferFacts & {
      voids: readonly { term: string; target: string }[];
      /** Whether they are void only for the IPv6 senders of the provider. */
      isIpv6: boolean;
    }
  >({
    result: failure,
    turn: 'owner',
    describe: ({ voids, isIpv6, ...rest }, about) => {
      const names = formatList(
        voids.map(({ term, target }) => (term.includes(target) ? `"${term}"` : `${target} (by "${term}")`)),
      );
      return isIpv6
        ? `${broken(about)} for IPv6 senders, because more than 2 of the terms before the one that lets them send lead to no AAAA record: ${names}. Put what lets the provider send first.${describeNoOffer(rest)}`
        : `${broken(about)}, because more than 2 of the names that it asks for lead to nothing: ${names}. Take out what leads there.${describeNoOffer(rest)}`;
    },
    todo: replace,
  }),
  SPF_LOOP: defineEntry<SpfOfferFacts & SpfPermerrorFacts>({
    result: failure,
    turn: 'owner',
    describe: (facts, about) =>
      `${broken(about)}, because ${describePermerror(facts)}.${describeWhomToAsk(facts)}${describeNoOffer(facts)}`,
    todo: replace,
  }),
  SPF_TOO_MANY_MX: defineEntry<SpfOfferFacts & SpfPermerrorFacts>({
    result: failure,
    turn: 'owner',
    describe: (facts, about) => {
      const ask = describeWhomToAsk(facts) || ' Take it out, or name the hosts that send.';
      return `${broken(about)}, because ${describePermerror(facts)}.${ask}${describeNoOffer(facts)}`;
    },
    todo: replace,
  }),

  SPF_PROVIDER_BROKEN: defineEntry<SpfPermerrorFacts>({
    result: failure,
    turn: 'provider',
    describe: (error) =>
      `The SPF record that should be published cannot work, because ${describePermerror(error)}. The provider must fix it.`,
  }),
  SPF_PROVIDER_ALLOWS_ALL: defineEntry<{ percent: number }>({
    result: failure,
    turn: 'provider',
    describe: ({ percent }) =>
      `The SPF record that should be published lets ${percent === 100 ? 'everybody' : `${percent} % of all addresses`} send in your name. The provider must give another one.`,
  }),

  SPF_FLATTENED: defineEntry<
    SpfOfferFacts & {
      missing: readonly string[];
      /** The term that checks single addresses; null when addresses are listed. */
      by: string | null;
    }
  >({
    result: 'warn',
    turn: 'owner',
    describe: ({ missing, by, ...rest }, about) => {
      const how =
        by === null
          ? `lists addresses instead of ${quotedList(missing)}`
          : `has "${by}", which allows each address by itself, instead of ${quotedList(missing)}`;
      return `${the(about)} ${how}. That works until the provider sends from other addresses.${describeNoOffer(rest)}`;
    },
    todo: replace,
  }),
  SPF_SPOILT_SECOND: defineEntry<{ besides: readonly string[] }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ besides }, { name }) =>
      `Beside the SPF record at ${name} there is a text that was meant as another one, and is spoilt: ${quotedList(besides)}. Receivers ignore it, or count two records and treat both as broken. Put what you need of it into the other, and delete it.`,
  }),
  SPF_TERMS_IGNORED: defineEntry<SpfOfferFacts & { corrections: readonly WordRepair[] }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ corrections, ...rest }, { name }) =>
      `Receivers ignore a part of the SPF record at ${name}: ${listCorrections(corrections)}.${describeNoOffer(rest)}`,
    todo: replace,
  }),
  SPF_WITHOUT_ALL: defineEntry<SpfOfferFacts & { cut: string | null }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ cut, ...rest }, about) => {
      const meant = cut === null ? '' : ` It ends in "${cut}", which should be "${cut}ll".`;
      return `${the(about)} has no "all" at its end, so that it does not say what to do with mail of senders that it does not name.${meant}${describeNoOffer(rest)}`;
    },
    todo: replace,
  }),
  SPF_DOUBLED: defineEntry<SpfOfferFacts>({
    result: 'warn',
    turn: 'owner',
    describe: (rest, about) =>
      `${the(about)} has "v=spf1" in it a second time, as if two records had been joined.${describeNoOffer(rest)}`,
    todo: replace,
  }),
  SPF_PTR: defineEntry<{ term: string }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ term }, about) =>
      `${the(about)} uses "${term}", which is slow and which receivers may ignore (RFC 7208, section 5.5). List the hosts or addresses in its place.`,
  }),
  SPF_VOIDS_AT_LIMIT: defineEntry<{ voids: readonly { term: string; target: string }[] }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ voids }, about) =>
      `${the(about)} has two look-ups that lead to nothing: ${formatList(voids.map(({ term, target }) => (term.includes(target) ? `"${term}"` : `${target} (by "${term}")`)))}. Receivers allow two, and treat a record with a third as broken. Remove what leads there.`,
  }),
  SPF_NEUTRAL_END: defineEntry({
    result: 'warn',
    turn: 'owner',
    describe: (_, about) =>
      `${the(about)} ends in "?all", which says nothing about mail from anywhere else: receivers treat a forgery as if there were no SPF. "~all" would say that such mail is suspect. Change it when the record names all your senders.`,
  }),

  SPF_MACROS: defineEntry<{ missing: readonly string[]; term: string }>({
    result: 'unknown',
    turn: 'owner',
    describe: ({ missing, term }, about) =>
      `${the(about)} leaves it to "${term}" whether the senders of ${quotedList(missing)} may send. That has a macro, which receivers fill in from each message, so that nobody can tell from outside. Ask the service that keeps the record, and leave it as it is until then.`,
  }),
  /** `target`: the whole name. `term`: the term of the record that led to it. */
  SPF_NOT_ASKED: defineEntry<{ target: string; asked: string; term: string; reason: string }>({
    result: 'unknown',
    turn: null,
    describe: ({ target, asked, reason }, { name }) =>
      `Nobody can tell whether the SPF record at ${name} works, because the ${asked} record of ${truncateTerm(target)} could not be asked for: ${reason}.`,
  }),
};

function describeMissingReason({ term, is }: MissingReason): string {
  switch (is) {
    case 'all_before':
      return `It has that, but behind "${term}", where receivers stop.`;
    case 'qualifier':
      return `It has "${term}", which does not let them send.`;
    case 'ignored':
      return `It has "${term}", which receivers ignore because of its "=".`;
    case 'redirect':
      return `It leaves the rest to "${term}", and that record does not let them send either.`;
    case 'redirect_ignored':
      return `It has "${term}", which receivers ignore because of the "all" beside it.`;
    case 'nobody':
      return `It is "${term}", which lets nobody send.`;
  }
}
