import type { Finding } from '#contract/dnsCheck.ts';
import { relativeTo } from '#contract/dnsName.ts';
import type { Reply } from './asker.ts';
import { reasonOf } from './authorities.ts';
import { clip, DETAIL_MAX, inSentence } from './boundedFinding.ts';
import { digLine, evidenceOf } from './evidence.ts';
import type { Told } from './lookUps.ts';
import { isRegistry } from './probes.ts';
import { formatData } from './readReply.ts';
import { aboutMerged } from './spf.ts';

/** What sentences of advice are made of. As everything from the DNS it is made harmless by whoever prints it. */
type AdviceFacts = {
  /** The sending domain. */
  domain: string;
  /** What was asked for. */
  name: string;
  /** The zone that `name` lies in, as far as anybody could tell. */
  zone: string;
  found: readonly string[];
  detail: string;
  /** Of an SPF record to publish: includes in place of redirects, and words that it has no longer. */
  included: readonly string[];
  leftOut: readonly string[];
};

type Advice = {
  /** Advice never makes a domain broken. */
  result: 'ok' | 'warn' | 'unknown';
  says: (facts: AdviceFacts) => string;
  /** What to do; null when there is nothing to type. */
  todo: ((facts: AdviceFacts) => string) | null;
};

const change = () => 'Change the value.';
const replace = (facts: AdviceFacts) => `Publish this record in its place.${aboutMerged(facts)}`;

/** Every code of advice with its result, its diagnosis and its fix, in one sentence each. Codes stay; sentences may change. */
const advice = {
  MX_PUBLISHED: {
    result: 'ok',
    says: ({ name, found }) => `Mail that comes back to ${name} goes to ${found.join(', ')}.`,
    todo: null,
  },
  MX_MISSING: {
    result: 'warn',
    says: ({ name }) =>
      `The MAIL FROM name ${name} has no MX record, so that the provider may not use it and bounces get lost. The provider says which MX it needs.`,
    todo: null,
  },
  SEVERAL_MX: {
    result: 'warn',
    says: ({ name, found }) =>
      `The MAIL FROM name ${name} has several MX records (${found.join(', ')}), and most providers accept exactly one. Keep the one of the provider.`,
    todo: null,
  },
  NULL_MX: {
    result: 'warn',
    says: ({ name }) =>
      `The MAIL FROM name ${name} declares that it accepts no mail, so that bounces get lost. Put the MX of the provider in its place.`,
    todo: null,
  },

  SPF_PUBLISHED: {
    result: 'ok',
    says: ({ name }) => `${name} has an SPF record that receivers can follow.`,
    todo: null,
  },
  SPF_MISSING: {
    result: 'warn',
    says: ({ name }) =>
      `The MAIL FROM name ${name} has no SPF record, so that SPF says nothing about mail of the domain. The provider says what it must hold.`,
    todo: null,
  },
  SPF_UNREADABLE: {
    result: 'warn',
    says: ({ name }) =>
      `Receivers ignore the SPF record at ${name}, because blanks or quotation marks are a part of it.`,
    todo: change,
  },
  SEVERAL_SPF: {
    result: 'warn',
    says: ({ name }) => `${name} has several SPF records, which receivers treat as broken.`,
    todo: (facts) => `Delete them and publish this one.${aboutMerged(facts)}`,
  },
  SPF_ALLOWS_ALL: {
    result: 'warn',
    says: ({ name }) => `The SPF record at ${name} allows everybody to send.`,
    todo: replace,
  },
  SPF_WITHOUT_ALL: {
    result: 'warn',
    says: ({ name }) => `The SPF record at ${name} does not say what to do with senders that it does not name.`,
    todo: replace,
  },
  SPF_SYNTAX: {
    result: 'warn',
    says: ({ name, detail }) =>
      `Receivers treat the SPF record at ${name} as broken, because they cannot read ${detail}.`,
    todo: replace,
  },
  SPF_INCLUDE_BROKEN: {
    result: 'warn',
    says: ({ name, detail }) => `Receivers treat the SPF record at ${name} as broken, because ${detail}.`,
    todo: replace,
  },
  SPF_TOO_MANY_LOOKUPS: {
    result: 'warn',
    says: ({ name, detail }) =>
      `The SPF record at ${name} needs more than 10 look-ups, which receivers treat as broken: ${detail}. Remove what is no longer used.`,
    todo: null,
  },
  SPF_VOID_LOOKUPS: {
    result: 'warn',
    says: ({ name, detail }) =>
      `The SPF record at ${name} names what does not exist, more often than receivers allow: ${detail}.`,
    todo: replace,
  },
  SPF_LOOP: {
    result: 'warn',
    says: ({ name, detail }) => `The SPF record at ${name} includes itself by way of ${detail}.`,
    todo: replace,
  },

  DMARC_APPLIES: {
    result: 'ok',
    says: ({ name, domain, detail }) => `The DMARC record at ${name} counts for mail from ${domain}: ${detail}.`,
    todo: null,
  },
  DMARC_ABSENT: {
    result: 'warn',
    says: ({ domain }) =>
      `No DMARC record counts for mail from ${domain}, and large mailbox providers want one from those who send much.`,
    todo: ({ name, zone }) =>
      `Add the TXT record with the host "${relativeTo(name, zone)}". To get reports, append "; rua=mailto:" with a mailbox of yours.`,
  },
  DMARC_AT_DOMAIN: {
    result: 'warn',
    says: ({ domain }) => `There is a DMARC record at ${domain}, where receivers do not look for it.`,
    todo: ({ name, zone }) => `Move it to the host "${relativeTo(name, zone)}".`,
  },
  SEVERAL_DMARC: {
    result: 'warn',
    says: ({ name }) => `${name} has several DMARC records, and receivers ignore all of them.`,
    todo: () => 'Delete them and publish this one.',
  },
  DMARC_SYNTAX: {
    result: 'warn',
    says: ({ name, detail }) => `Receivers cannot read the DMARC record at ${name} as it is meant: ${detail}.`,
    todo: change,
  },
  DMARC_REMOVED_TAGS: {
    result: 'warn',
    says: ({ name, detail }) =>
      `The DMARC record at ${name} has ${detail}, which RFC 9989 removed: receivers that follow it leave that out.`,
    todo: () => 'Leave it out of the record.',
  },
  DMARC_REPORTS_REFUSED: {
    result: 'warn',
    says: ({ detail, name }) =>
      `The DMARC record sends reports to ${detail}, which does not say that it accepts them, so that nobody sends them. There must be a record at ${name}.`,
    todo: ({ detail }) => `Add the TXT record in the zone of ${detail}, or ask whoever receives the reports to do it.`,
  },

  ALIGNED: {
    result: 'ok',
    says: ({ domain, detail }) => `Mail from ${domain} can pass DMARC by DKIM and by SPF: ${detail}.`,
    todo: null,
  },
  ALIGNED_BY_DKIM: {
    result: 'warn',
    says: ({ domain, detail }) => `Mail from ${domain} can pass DMARC by DKIM alone, and not by SPF: ${detail}.`,
    todo: () => 'Take "aspf=s" out of the DMARC record, unless it is meant.',
  },
  ALIGNED_BY_SPF: {
    result: 'warn',
    says: ({ domain, detail }) => `Mail from ${domain} can pass DMARC by SPF alone, as far as is known: ${detail}.`,
    todo: () => 'Take "adkim=s" out of the DMARC record, unless it is meant.',
  },
  NOT_ALIGNED: {
    result: 'warn',
    says: ({ domain, detail }) => `As far as is known, mail from ${domain} cannot pass DMARC: ${detail}.`,
    todo: () => 'Take "aspf=s" and "adkim=s" out of the DMARC record, unless they are meant.',
  },

  NOT_ASKED: {
    result: 'unknown',
    says: ({ name, detail }) => `There is no answer about ${name} (${detail}), so nothing is known about it.`,
    todo: null,
  },
} satisfies Record<string, Advice>;

export type AdviceCode = keyof typeof advice;

/** What advice comes to: a code about one question, and what its sentences need. */
export type Judgement = {
  code: AdviceCode;
  at: Told;
  detail?: string;
  /** What to type; null when nothing is. */
  value?: string | null;
  /** What was found, where that is not simply the answer. */
  found?: readonly string[];
  included?: readonly string[];
  leftOut?: readonly string[];
  /** The answer that decided, where it is not that of `at`. */
  shownBy?: Reply | null;
};

export function notAsked(at: Told): Judgement {
  return { code: 'NOT_ASKED', at, detail: at.replies.map(reasonOf).join('; ') || 'no resolver is set up' };
}

/** A judgement about `domain` in words, with everything that was `asked` for it. */
export function adviceFinding(
  domain: string,
  { code, at, detail = '', value = null, found, included = [], leftOut = [], shownBy = null }: Judgement,
  asked: readonly Told[],
): Finding {
  const { name, type } = at;
  const zone = at.zone === '' || isRegistry(at.zone) ? domain : at.zone;
  const seen = found ?? (at.answers ?? []).filter((data) => data.type === type).map(formatData);
  const facts = {
    domain,
    name,
    zone,
    found: inSentence(seen),
    detail: clip(detail, DETAIL_MAX),
    included: inSentence(included),
    leftOut: inSentence(leftOut),
  };
  const { result, says, todo }: Advice = advice[code];
  const isToType = value !== null && todo !== null;
  return {
    result,
    code,
    expected: null,
    found: [...seen],
    diagnosis: says(facts),
    fix: isToType
      ? { todo: todo(facts), type: 'TXT', host: relativeTo(name, zone), name, value, priority: null }
      : null,
    until: null,
    evidence: [...new Set([...asked, at].flatMap(({ replies }) => replies)), ...(shownBy ? [shownBy] : [])].map(
      evidenceOf,
    ),
    dig: digLine(shownBy ?? at.replies.at(-1), { name, type }),
  };
}
