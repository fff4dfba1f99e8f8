import {
  type CatalogueEntry,
  type SentenceContext,
  fail,
  warn,
  ok,
  unknown,
  formatList,
  quotedList,
  describeStrangeLetters,
} from './catalogueEntry.ts';
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

/** A wrong word and its correction: empty to remove it, null if unknown. */
type WordRepair = { found: string; should: string | null };

/** The term that is the reason, or the entire record if it allows no one. */
type MissingReason = {
  term: string;
  is: 'all_before' | 'qualifier' | 'ignored' | 'redirect' | 'redirect_ignored' | 'nobody';
};

const withoutSpaces = (text: string) => text.replaceAll(' ', '');

function describeRepair({ found, should }: WordRepair): string {
  const letters = /[^ -~]/.test(should ?? '') ? '' : describeStrangeLetters(found);
  if (should === null) return `"${found}"${letters}`;
  if (should === '') return `"${found}", which doesn't belong there`;
  const isSame = withoutSpaces(found) === withoutSpaces(should);
  const how = !isSame ? '' : found.length > should.length ? ', without the space' : ', with a space';
  return `"${found}"${letters}, which should be "${should}"${how}`;
}

const listRepairs = (corrections: readonly WordRepair[]) => formatList(corrections.map(describeRepair), '; ');

const replace = (rest: SpfOfferFacts, { host }: SentenceContext) =>
  `Replace the record at "${host}" with this one.${describeOffer(rest)}`;
const the = ({ name }: SentenceContext) => `The SPF record at ${name}`;
const broken = ({ name }: SentenceContext) => `Receivers treat the SPF record at ${name} as broken`;

/** Creates entries with an offer. The reason why there is none follows the diagnosis. */
const withOffer =
  (entryOf: typeof fail) =>
  <Facts = unknown>({
    describe,
    todo = replace,
    needsDecision = false,
  }: Pick<CatalogueEntry<SpfOfferFacts & Facts>, 'describe' | 'todo' | 'needsDecision'>): CatalogueEntry<
    SpfOfferFacts & Facts
  > =>
    entryOf<SpfOfferFacts & Facts>({
      describe: (facts, about) => `${describe(facts, about)}${describeNoOffer(facts)}`,
      todo,
      needsDecision,
    });
const failWithOffer = withOffer(fail);
const warnWithOffer = withOffer(warn);

export const spf = {
  SPF_PUBLISHED: ok({
    describe: (_, { name }) => `${name} has a valid SPF record.`,
  }),

  SPF_MISSING: fail<{ texts: number }>({
    describe: ({ texts }, { role, name }) =>
      role === 'record'
        ? `There's no SPF record at ${name}${texts === 0 ? '' : `, which has ${texts} other TXT ${texts === 1 ? 'record' : 'records'}`}. Nothing allows the provider to send.`
        : `${name} has no SPF record, so SPF doesn't cover the domain's mail. Ask the provider what it must contain.`,
    todo: (_, { host }) => `Add the TXT record at "${host}". Keep other TXT records.`,
  }),
  SPF_OLD_TYPE: failWithOffer({
    describe: (_, { name }) =>
      `The SPF record at ${name} has the type SPF (99), which receivers ignore: they look only for TXT.`,
    todo: (rest, { host }) => `Publish it at "${host}" with the type TXT.${describeOffer(rest)}`,
  }),
  SPF_SENDER_ID: failWithOffer({
    describe: (_, { name }) =>
      `${name} has a record that starts with "spf2.0" (Sender ID), which is obsolete, and none that starts with "v=spf1".`,
    todo: (rest, { host }) => `Publish this record at "${host}".${describeOffer(rest)}`,
  }),
  SPF_TOO_LONG: fail<{ length: number; most: number }>({
    describe: ({ length, most }, about) =>
      `${the(about)} has ${length} characters. It should fit in 512 bytes (RFC 7208, section 3.4); this check reads up to ${most} characters, and receivers may give up too. Remove what is no longer used.`,
  }),
  SPF_VERSION: failWithOffer<{ found: string }>({
    describe: ({ found }, { name }) =>
      `Receivers ignore the SPF record at ${name}, because it starts with "${found}". It must start with "v=spf1" and a space.`,
  }),
  SPF_SYNTAX: failWithOffer<{ corrections: readonly WordRepair[] }>({
    describe: ({ corrections }, about) => `${broken(about)}. They can't read ${listRepairs(corrections)}.`,
  }),
  SEVERAL_SPF: failWithOffer<{ count: number }>({
    describe: ({ count }, { name }) =>
      `${name} has ${count} SPF records. Receivers accept only one, and treat several as an error.`,
    todo: (rest, { host }) => `Delete them and publish this one at "${host}".${describeOffer(rest)}`,
  }),

  SPF_WITHOUT_INCLUDE: failWithOffer<{
    missing: readonly string[];
    because: MissingReason | null;
    /** A denied address, if others of the sender are allowed, or only single addresses can be evaluated. */
    example: string | null;
  }>({
    describe: ({ missing, because, example }, about) => {
      const senders = example === null ? 'the senders' : 'all senders';
      const lacks = `${the(about)} doesn't allow ${senders} of ${quotedList(missing)}.`;
      const such = example === null ? '' : ` For example, it denies ${example}.`;
      return `${lacks}${such}${because === null ? '' : ` ${describeMissingReason(because)}`}`;
    },
  }),
  SPF_REFUSES_SENDERS: fail<{ missing: readonly string[]; by: readonly string[] }>({
    describe: ({ missing, by }, about) =>
      `${the(about)} denies some senders of ${quotedList(missing)}: ${by.length === 0 ? 'an earlier term' : quotedList(by)} comes before the term that allows them, and receivers use the first match. Move it after that, or remove it.`,
  }),
  SPF_ALLOWS_ALL: failWithOffer<{
    /** Percentage of all IPv4 or IPv6 addresses, whichever is higher. */
    percent: number;
    openers: readonly { term: string; at: string; by: string | null }[];
  }>({
    describe: ({ percent, openers }, about) => {
      const terms = openers.map(({ term, at, by }) =>
        by === null ? `"${term}"` : `"${term}" at ${at} (through "${by}")`,
      );
      const senders = percent === 100 ? 'anyone' : `${percent} % of all addresses`;
      const of = openers.find(({ by }) => by !== null);
      const ask = of === undefined ? '' : ` Ask the operator of ${of.at} to fix it, or remove "${of.by}".`;
      return `${the(about)} allows ${senders} to send in your name, because of ${formatList(terms, ', and ')}.${ask}`;
    },
    todo: (rest, about) => `${replace(rest, about)} Add your other senders if it doesn't include them all.`,
    needsDecision: true,
  }),

  SPF_INCLUDE_BROKEN: failWithOffer<SpfPermerrorFacts & { should: string | null }>({
    describe: ({ should, ...facts }, about) => {
      const meant = should === null ? '' : ` It should be "${should}".`;
      return `${broken(about)}, because ${describePermerror(facts)}.${meant}${describeWhomToAsk(facts)}`;
    },
  }),
  SPF_TOO_MANY_LOOKUPS: failWithOffer<LookUpCount>({
    describe: (facts, about) =>
      `${broken(about)}, because it needs ${formatLookUpCount(facts)}, and they allow 10. Remove what is no longer used.`,
  }),
  SPF_VOID_LOOKUPS: failWithOffer<{
    voids: readonly { term: string; target: string }[];
    /** Whether they are void only for the IPv6 senders of the provider. */
    isIpv6: boolean;
  }>({
    describe: ({ voids, isIpv6 }, about) => {
      const names = formatList(
        voids.map(({ term, target }) => (term.includes(target) ? `"${term}"` : `${target} (through "${term}")`)),
      );
      return isIpv6
        ? `${broken(about)} for IPv6 senders, because more than 2 of the terms before the one that allows them have no AAAA record: ${names}. Put the term that allows the provider first.`
        : `${broken(about)}, because more than 2 of its lookups find nothing: ${names}. Remove those terms.`;
    },
  }),
  SPF_LOOP: failWithOffer<SpfPermerrorFacts>({
    describe: (facts, about) => `${broken(about)}, because ${describePermerror(facts)}.${describeWhomToAsk(facts)}`,
  }),
  SPF_TOO_MANY_MX: failWithOffer<SpfPermerrorFacts>({
    describe: (facts, about) => {
      const ask = describeWhomToAsk(facts) || ' Remove it, or list the hosts that send.';
      return `${broken(about)}, because ${describePermerror(facts)}.${ask}`;
    },
  }),

  SPF_PROVIDER_BROKEN: fail<SpfPermerrorFacts>({
    turn: 'provider',
    describe: (fault) =>
      `The listed SPF record can't work, because ${describePermerror(fault)}. The provider must fix it.`,
  }),
  /** `at`: the record that the listed one leads to; empty if it's the listed one itself. */
  SPF_PROVIDER_ALLOWS_ALL: fail<{ percent: number; at: string }>({
    turn: 'provider',
    describe: ({ percent }) =>
      `The listed SPF record allows ${percent === 100 ? 'anyone' : `${percent} % of all addresses`} to send in your name. Ask the provider for another one.`,
  }),

  SPF_FLATTENED: warnWithOffer<{
    missing: readonly string[];
    /** The term that evaluates single addresses; null if addresses are listed. */
    by: string | null;
  }>({
    describe: ({ missing, by }, about) => {
      const how =
        by === null
          ? `lists addresses instead of ${quotedList(missing)}`
          : `has "${by}", which allows each address by itself, instead of ${quotedList(missing)}`;
      return `${the(about)} ${how}. This stops working when the provider sends from other addresses.`;
    },
  }),
  SPF_SPOILT_SECOND: warn<{ besides: readonly string[] }>({
    describe: ({ besides }, { name }) =>
      `Next to the SPF record at ${name} is a malformed one: ${quotedList(besides)}. Receivers ignore it, or count two records and treat both as broken. Move what you need into the valid one, and delete it.`,
  }),
  SPF_TERMS_IGNORED: warnWithOffer<{ corrections: readonly WordRepair[] }>({
    describe: ({ corrections }, { name }) =>
      `Receivers ignore a part of the SPF record at ${name}: ${listRepairs(corrections)}.`,
  }),
  SPF_WITHOUT_ALL: warnWithOffer<{ cut: string | null }>({
    describe: ({ cut }, about) => {
      const meant = cut === null ? '' : ` It ends with "${cut}", which should be "${cut}ll".`;
      return `${the(about)} has no "all" at its end, so it doesn't cover other senders.${meant}`;
    },
  }),
  SPF_DOUBLED: warnWithOffer({
    describe: (_, about) => `${the(about)} contains "v=spf1" twice, as if two records were joined.`,
  }),
  SPF_PTR: warn<{ term: string }>({
    describe: ({ term }, about) =>
      `${the(about)} uses "${term}", which is slow and may be ignored (RFC 7208, section 5.5). List the hosts or addresses instead.`,
  }),
  SPF_VOIDS_AT_LIMIT: warn<{ voids: readonly { term: string; target: string }[] }>({
    describe: ({ voids }, about) =>
      `${the(about)} has two lookups that find nothing: ${formatList(voids.map(({ term, target }) => (term.includes(target) ? `"${term}"` : `${target} (through "${term}")`)))}. Receivers allow two, and treat a record with a third as broken. Remove those terms.`,
  }),
  SPF_NEUTRAL_END: warn({
    describe: (_, about) =>
      `${the(about)} ends with "?all", so receivers treat forged mail as if there were no SPF. Change it to "~all" once the record includes all your senders.`,
  }),

  SPF_MACROS: unknown<{ missing: readonly string[]; term: string }>({
    turn: 'owner',
    describe: ({ missing, term }, about) =>
      `${the(about)} lets "${term}" decide whether the senders of ${quotedList(missing)} are allowed. Its macro depends on each message, so it can't be evaluated from outside. Ask the service that manages the record, and leave it as it is until then.`,
  }),
  /** `target`: the full name. `term`: the term of the record that led to it. */
  SPF_NOT_ASKED: unknown<{ target: string; asked: string; term: string; reason: string }>({
    turn: null,
    describe: ({ target, asked, reason }, { name }) =>
      `It's unknown whether the SPF record at ${name} works, because the ${asked} record of ${truncateTerm(target)} couldn't be queried: ${reason}.`,
  }),
};

function describeMissingReason({ term, is }: MissingReason): string {
  switch (is) {
    case 'all_before':
      return `It has that, but after "${term}", where receivers stop.`;
    case 'qualifier':
      return `It has "${term}", which doesn't allow them.`;
    case 'ignored':
      return `It has "${term}", which receivers ignore because of its "=".`;
    case 'redirect':
      return `It redirects with "${term}", and that record doesn't allow them either.`;
    case 'redirect_ignored':
      return `It has "${term}", which receivers ignore because of "all".`;
    case 'nobody':
      return `It is "${term}", which allows no one.`;
  }
}
