import { type About, entry } from './entry.ts';
import { listed, quotedList } from './quotedList.ts';
import { askOthers, type LookUpCount, saysLookUps, type SpfBreak, whyBroken } from './spfBreak.ts';
import { aboutRest, type Rest, whyNoOffer } from './spfRest.ts';

/** A word that should be another; `should` is empty for one that should not be there, null when nobody can tell. */
type Mending = { found: string; should: string | null };

/** A term of the record that is the reason, or all of it where it allows nobody. */
type Because = {
  term: string;
  is: 'all_before' | 'qualifier' | 'ignored' | 'redirect' | 'redirect_ignored' | 'nobody';
};

const failure = { record: 'fail', advice: 'warn' } as const;

const withoutBlanks = (text: string) => text.replaceAll(' ', '');

function mendingInWords({ found, should }: Mending): string {
  if (should === null) return `"${found}"`;
  if (should === '') return `"${found}", which should not be there`;
  const isSame = withoutBlanks(found) === withoutBlanks(should);
  const how = !isSame ? '' : found.length > should.length ? ', without the blank' : ', with a blank';
  return `"${found}", which should be "${should}"${how}`;
}

const listMendings = (mendings: readonly Mending[]) => listed(mendings.map(mendingInWords), '; ');

const replace = (rest: Rest, { host }: About) =>
  `Publish this record at "${host}" in place of the other.${aboutRest(rest)}`;
const the = ({ name }: About) => `The SPF record at ${name}`;
const broken = ({ name }: About) => `Receivers treat the SPF record at ${name} as broken`;

export const spf = {
  SPF_PUBLISHED: entry({
    result: 'ok',
    turn: null,
    says: (_, { name }) => `${name} has an SPF record that receivers can follow.`,
  }),

  SPF_MISSING: entry<{ texts: number }>({
    result: failure,
    turn: 'owner',
    says: ({ texts }, { role, name }) =>
      role === 'record'
        ? `There is no SPF record at ${name}${texts === 0 ? '' : `, which has ${texts} other TXT ${texts === 1 ? 'record' : 'records'}`}. Nothing lets the provider send.`
        : `${name} has no SPF record, so that SPF says nothing about mail of the domain. The provider says what it must hold.`,
    todo: (_, { host }) => `Add the TXT record at "${host}". Other TXT records can stay.`,
  }),
  SPF_OLD_TYPE: entry<Rest>({
    result: failure,
    turn: 'owner',
    says: (rest, { name }) =>
      `The SPF record at ${name} has the type SPF (99). Receivers look for the type TXT only, and do not find it.${whyNoOffer(rest)}`,
    todo: (rest, { host }) => `Publish it at "${host}" with the type TXT.${aboutRest(rest)}`,
  }),
  SPF_SENDER_ID: entry<Rest>({
    result: failure,
    turn: 'owner',
    says: (rest, { name }) =>
      `${name} has a record that begins with "spf2.0" (Sender ID), which nobody reads any more, and none that begins with "v=spf1".${whyNoOffer(rest)}`,
    todo: (rest, { host }) => `Publish this record at "${host}".${aboutRest(rest)}`,
  }),
  SPF_TOO_LONG: entry<{ length: number; most: number }>({
    result: failure,
    turn: 'owner',
    says: ({ length, most }, about) =>
      `${the(about)} has ${length} characters. It should fit in 512 bytes (RFC 7208, section 3.4), and more than ${most} characters are not followed here. Receivers may give up on it as well. Take out what is no longer used.`,
  }),
  SPF_VERSION: entry<Rest & { found: string }>({
    result: failure,
    turn: 'owner',
    says: ({ found, ...rest }, { name }) =>
      `Receivers ignore the SPF record at ${name}, because it begins with "${found}". It must begin with "v=spf1" and a blank.${whyNoOffer(rest)}`,
    todo: replace,
  }),
  SPF_SYNTAX: entry<Rest & { mendings: readonly Mending[] }>({
    result: failure,
    turn: 'owner',
    says: ({ mendings, ...rest }, about) =>
      `${broken(about)}. They cannot read ${listMendings(mendings)}.${whyNoOffer(rest)}`,
    todo: replace,
  }),
  SEVERAL_SPF: entry<Rest & { count: number }>({
    result: failure,
    turn: 'owner',
    says: ({ count, ...rest }, { name }) =>
      `${name} has ${count} SPF records. Receivers accept only one, and treat several as broken.${whyNoOffer(rest)}`,
    todo: (rest, { host }) => `Delete them, and publish this one at "${host}".${aboutRest(rest)}`,
  }),

  SPF_WITHOUT_INCLUDE: entry<
    Rest & {
      missing: readonly string[];
      because: Because | null;
      /** An address that may not send, where others of the same sender may or where only single ones can be asked about. */
      example: string | null;
    }
  >({
    result: failure,
    turn: 'owner',
    says: ({ missing, because, example, ...rest }, about) => {
      const whom = example === null ? 'the senders' : 'all senders';
      const lacks = `${the(about)} does not let ${whom} of ${quotedList(missing)} send.`;
      const such = example === null ? '' : ` ${example} may not, for example.`;
      return `${lacks}${such}${because === null ? '' : ` ${whyMissing(because)}`}${whyNoOffer(rest)}`;
    },
    todo: replace,
  }),
  SPF_REFUSES_SENDERS: entry<{ missing: readonly string[]; by: readonly string[] }>({
    result: failure,
    turn: 'owner',
    says: ({ missing, by }, about) =>
      `${the(about)} refuses some of the senders of ${quotedList(missing)}: ${by.length === 0 ? 'an earlier term' : quotedList(by)} stands before what lets them send, and receivers take the first that fits. Move it behind that, or take it out.`,
  }),
  SPF_ALLOWS_ALL: entry<
    Rest & {
      /** Of all IPv4 or IPv6 addresses, whichever is more. */
      percent: number;
      openers: readonly { term: string; at: string; by: string | null }[];
    }
  >({
    result: failure,
    turn: 'owner',
    says: ({ percent, openers, ...rest }, about) => {
      const terms = openers.map(({ term, at, by }) =>
        by === null ? `"${term}"` : `"${term}" at ${at}, where "${by}" leads`,
      );
      const whom = percent === 100 ? 'everybody' : `${percent} % of all addresses`;
      const of = openers.find(({ by }) => by !== null);
      const ask = of === undefined ? '' : ` Ask whoever runs ${of.at} to mend that, or take "${of.by}" out.`;
      return `${the(about)} lets ${whom} send in your name, because of ${listed(terms, ', and ')}.${ask}${whyNoOffer(rest)}`;
    },
    todo: (rest, about) => `${replace(rest, about)} Add your other senders to it, if it does not name them all.`,
  }),

  SPF_INCLUDE_BROKEN: entry<Rest & SpfBreak & { should: string | null }>({
    result: failure,
    turn: 'owner',
    says: ({ should, ...facts }, about) => {
      const meant = should === null ? '' : ` It should be "${should}".`;
      return `${broken(about)}, because ${whyBroken(facts)}.${meant}${askOthers(facts)}${whyNoOffer(facts)}`;
    },
    todo: replace,
  }),
  SPF_TOO_MANY_LOOKUPS: entry<Rest & LookUpCount>({
    result: failure,
    turn: 'owner',
    says: (facts, about) =>
      `${broken(about)}, because it needs ${saysLookUps(facts)}, and they allow 10. Take out what is no longer used.${whyNoOffer(facts)}`,
    todo: replace,
  }),
  SPF_VOID_LOOKUPS: entry<Rest & { voids: readonly { term: string; target: string }[] }>({
    result: failure,
    turn: 'owner',
    says: ({ voids, ...rest }, about) => {
      const names = listed(
        voids.map(({ term, target }) => (term.includes(target) ? `"${term}"` : `${target} (by "${term}")`)),
      );
      return `${broken(about)}, because more than 2 of the names that it asks for lead to nothing: ${names}. Take out what leads there.${whyNoOffer(rest)}`;
    },
    todo: replace,
  }),
  SPF_LOOP: entry<Rest & SpfBreak>({
    result: failure,
    turn: 'owner',
    says: (facts, about) => `${broken(about)}, because ${whyBroken(facts)}.${askOthers(facts)}${whyNoOffer(facts)}`,
    todo: replace,
  }),
  SPF_TOO_MANY_MX: entry<Rest & SpfBreak>({
    result: failure,
    turn: 'owner',
    says: (facts, about) => {
      const ask = askOthers(facts) || ' Take it out, or name the hosts that send.';
      return `${broken(about)}, because ${whyBroken(facts)}.${ask}${whyNoOffer(facts)}`;
    },
    todo: replace,
  }),

  SPF_PROVIDER_BROKEN: entry<SpfBreak>({
    result: failure,
    turn: 'provider',
    says: (fault) =>
      `The SPF record that should be published cannot work, because ${whyBroken(fault)}. The provider must mend that.`,
  }),
  SPF_PROVIDER_ALLOWS_ALL: entry<{ percent: number }>({
    result: failure,
    turn: 'provider',
    says: ({ percent }) =>
      `The SPF record that should be published lets ${percent === 100 ? 'everybody' : `${percent} % of all addresses`} send in your name. The provider must give another one.`,
  }),

  SPF_FLATTENED: entry<
    Rest & {
      missing: readonly string[];
      /** The term that asks about single addresses; null where they are listed. */
      by: string | null;
    }
  >({
    result: 'warn',
    turn: 'owner',
    says: ({ missing, by, ...rest }, about) => {
      const how =
        by === null
          ? `lists addresses in place of ${quotedList(missing)}`
          : `has "${by}", which allows each address by itself, in place of ${quotedList(missing)}`;
      return `${the(about)} ${how}. That works until the provider sends from other addresses.${whyNoOffer(rest)}`;
    },
    todo: replace,
  }),
  SPF_SPOILT_SECOND: entry<{ besides: readonly string[] }>({
    result: 'warn',
    turn: 'owner',
    says: ({ besides }, { name }) =>
      `Beside the SPF record at ${name} there is a text that was meant as another one, and is spoilt: ${quotedList(besides)}. Receivers ignore it, or count two records and treat both as broken. Put what you need of it into the other, and delete it.`,
  }),
  SPF_TERMS_IGNORED: entry<Rest & { mendings: readonly Mending[] }>({
    result: 'warn',
    turn: 'owner',
    says: ({ mendings, ...rest }, { name }) =>
      `Receivers ignore a part of the SPF record at ${name}: ${listMendings(mendings)}.${whyNoOffer(rest)}`,
    todo: replace,
  }),
  SPF_WITHOUT_ALL: entry<Rest & { cut: string | null }>({
    result: 'warn',
    turn: 'owner',
    says: ({ cut, ...rest }, about) => {
      const meant = cut === null ? '' : ` It ends in "${cut}", which should be "${cut}ll".`;
      return `${the(about)} has no "all" at its end, so that it does not say what to do with mail of senders that it does not name.${meant}${whyNoOffer(rest)}`;
    },
    todo: replace,
  }),
  SPF_DOUBLED: entry<Rest>({
    result: 'warn',
    turn: 'owner',
    says: (rest, about) =>
      `${the(about)} has "v=spf1" in it a second time, as if two records had been joined.${whyNoOffer(rest)}`,
    todo: replace,
  }),
  SPF_PTR: entry<{ term: string }>({
    result: 'warn',
    turn: 'owner',
    says: ({ term }, about) =>
      `${the(about)} uses "${term}", which is slow and which receivers may ignore (RFC 7208, section 5.5). List the hosts or addresses in its place.`,
  }),
  SPF_NEUTRAL_END: entry({
    result: 'warn',
    turn: 'owner',
    says: (_, about) =>
      `${the(about)} ends in "?all", which says nothing about mail from anywhere else: receivers treat a forgery as if there were no SPF. "~all" would say that such mail is suspect. Change it when the record names all your senders.`,
  }),

  SPF_MACROS: entry<{ missing: readonly string[]; term: string }>({
    result: 'unknown',
    turn: 'owner',
    says: ({ missing, term }, about) =>
      `${the(about)} leaves it to "${term}" whether the senders of ${quotedList(missing)} may send. That has a macro, which receivers fill in from each message, so that nobody can tell from outside. Ask the service that keeps the record, and leave it as it is until then.`,
  }),
  SPF_NOT_ASKED: entry<{ target: string; asked: string; reason: string }>({
    result: 'unknown',
    turn: null,
    says: ({ target, asked, reason }, { name }) =>
      `Nobody can tell whether the SPF record at ${name} works, because the ${asked} record of ${target} could not be asked for: ${reason}.`,
  }),
};

function whyMissing({ term, is }: Because): string {
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
