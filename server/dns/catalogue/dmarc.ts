import type { ResponsibleParty } from '#contract/dnsCheck.ts';
import { defineEntry } from './catalogueEntry.ts';
import { describeAdding } from './placement.ts';

type Policy = 'none' | 'quarantine' | 'reject';

const POLICY_REQUESTS = {
  none: 'leave mail that fails alone',
  quarantine: 'treat mail that fails as suspicious',
  reject: 'refuse mail that fails',
} as const;
const WEAKER = { none: 'none', quarantine: 'none', reject: 'quarantine' } as const;
const INSTEAD = { spf: ' What is there is an SPF record.', dkim: ' What is there is a DKIM key.' } as const;
const NO_MAIL = {
  no_domain: 'does not exist',
  null_mx: 'says that it accepts no mail (a null MX)',
  no_mx: 'has neither an MX nor an address',
} as const;

const broken = { record: 'fail', advice: 'warn' } as const;
const list = (errors: readonly string[]) => errors.join('; ');
const replace = () => 'Replace the current record with this one.';

export const dmarc = {
  DMARC_MISSING: defineEntry<{ count: number; instead: 'spf' | 'dkim' | null }>({
    result: broken,
    turn: 'owner',
    describe: ({ count, instead }, { name }) =>
      `There is no DMARC record at ${name}${count === 0 ? '' : `, only ${count} other TXT ${count === 1 ? 'record' : 'records'}`}.${
        instead === null ? '' : INSTEAD[instead]
      }`,
    todo: (_, about) => describeAdding(about),
  }),
  SEVERAL_DMARC: defineEntry<{ policies: readonly string[] }>({
    result: broken,
    turn: 'owner',
    describe: ({ policies }, { name }) =>
      `${name} has ${policies.length} DMARC records (${policies.join(' and ')}), and receivers ignore all of them. Choose the one that you want, and delete the others.`,
  }),
  DMARC_SYNTAX: defineEntry<{ errors: readonly string[] }>({
    result: broken,
    turn: 'owner',
    describe: ({ errors }, { name }) =>
      `Receivers cannot read the DMARC record at ${name} as it is meant: ${list(errors)}.`,
    todo: replace,
  }),
  DMARC_TAG_UNREADABLE: defineEntry<{ errors: readonly string[] }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ errors }, { name }) =>
      `Receivers leave out a part of the DMARC record at ${name}, because they cannot read it: ${list(errors)}.`,
    todo: replace,
  }),
  DMARC_WITHOUT_POLICY: defineEntry<{ hasReports: boolean }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ hasReports }, { name }) =>
      `The DMARC record at ${name} names no policy (p=). ${
        hasReports
          ? 'Receivers read that as p=none.'
          : 'Some receivers read that as p=none, and others ignore the record.'
      }`,
    todo: replace,
  }),
  DMARC_WEAKER_THAN_LISTED: defineEntry<{ published: string; listed: string }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ published, listed }, { name }) =>
      `The DMARC record at ${name} asks for ${published}, which is weaker than ${listed}, as it is listed. Which policy to have is your choice.`,
    todo: () => 'If your reports show that your own mail passes, replace the current record with this one.',
  }),
  DMARC_REPORTS_NOT_LISTED: defineEntry<{ missing: readonly string[]; hasOthers: boolean }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ missing, hasOthers }, { name }) =>
      `The DMARC record at ${name} works, but its reports do not go to ${missing.join(', ')}, as it is listed${hasOthers ? ', only to others' : ''}.`,
    todo: () => 'If the provider is to get the reports as well, replace the current record with this one.',
  }),
  DMARC_INHERITED: defineEntry<{ domain: string; policy: string }>({
    result: 'ok',
    turn: null,
    describe: ({ domain, policy }, { name }) =>
      `There is no record at ${name}, and none is needed: the DMARC record of ${domain} counts there (${policy}).`,
  }),
  DMARC_INHERITED_WEAKER: defineEntry<{ domain: string; policy: string; listed: string }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ domain, policy, listed }, { name }) =>
      `There is no record at ${name}. The DMARC record of ${domain} counts there, and asks for ${policy}, which is weaker than ${listed}, as it is listed.`,
    todo: (_, about) => `${describeAdding(about)} It sends reports where those of the other record go.`,
  }),

  DMARC_APPLIES: defineEntry<{
    policy: Policy;
    /** The tag that the policy comes from; null where the record names none. */
    tag: string | null;
    isTest: boolean;
    mailsReports: boolean;
    /** Tags without any effect. */
    harmless: readonly string[];
    /** Receivers of reports that were not checked. */
    unsure: readonly string[];
  }>({
    result: 'ok',
    turn: null,
    describe: ({ policy, tag, isTest, mailsReports, harmless, unsure }, { name, domain }) => {
      const source = tag === null ? 'it names no policy' : `${tag}=${policy}`;
      const isWeaker = isTest && policy !== 'none';
      return [
        `The DMARC record at ${name} counts for mail from ${domain}.`,
        `It asks receivers to ${POLICY_REQUESTS[isWeaker ? WEAKER[policy] : policy]} (${source}${
          isWeaker ? ', one step weaker because of t=y' : ''
        }).`,
        ...(mailsReports ? [] : ['It asks for no reports; "rua=mailto:" with a mailbox of yours would.']),
        ...(harmless.length === 0 ? [] : [`Newer receivers do not read ${harmless.join(', ')}, which does no harm.`]),
        ...unsure.map((one) => `Whether ${one} gets its reports could not be asked.`),
      ].join(' ');
    },
  }),
  DMARC_ABSENT: defineEntry({
    result: 'warn',
    turn: 'owner',
    describe: (_, { domain }) =>
      `No DMARC record counts for mail from ${domain}, and large mailbox providers want one from those who send much.`,
    todo: (_, about) => `${describeAdding(about)} To get reports, append "; rua=mailto:" with a mailbox of yours.`,
  }),
  DMARC_AT_DOMAIN: defineEntry({
    result: 'warn',
    turn: 'owner',
    describe: (_, { domain }) => `There is a DMARC record at ${domain}, where receivers do not look for it.`,
    todo: (_, { host }) => `Move it to the host "${host}".`,
  }),
  DMARC_PSD: defineEntry({
    result: 'warn',
    turn: 'owner',
    describe: (_, { name, domain }) =>
      `The DMARC record at ${name} says that ${domain} is a registry, under which others have their domains (psd=y). So names below ${domain} are no longer aligned with it.`,
    todo: replace,
  }),
  DMARC_PCT: defineEntry<{ pct: number; policy: Policy; weaker: Policy }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ pct, policy, weaker }, { name }) =>
      `The DMARC record at ${name} has pct=${pct}. Receivers that follow RFC 9989 no longer read that, and apply ${policy} to all mail that fails. Older ones apply ${
        pct === 0 ? `${weaker} to all of it` : `it to ${pct} percent, and ${weaker} to the rest`
      }.`,
    todo: ({ pct, policy, weaker }) =>
      pct === 0
        ? `Publish this record in its place: t=y makes the newer receivers apply ${weaker} too.`
        : `Publish this record in its place until your reports are clean: t=y makes the newer receivers apply ${weaker}. When they are clean, or if you want ${policy} for all mail now, take out both "pct" and "t".`,
  }),
  DMARC_SUBDOMAINS_OPEN: defineEntry<{ of: string; policy: Policy; tag: 'sp' | 'np' }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ of, policy, tag }) =>
      tag === 'np'
        ? `Mail from ${of} is protected (p=${policy}), but everybody can send as a name below it that does not exist (np=none).`
        : `Mail from ${of} is protected (p=${policy}), but everybody can send as a name below it (sp=none). When your reports show that the mail of those names passes, take "sp=none" out of the record.`,
    todo: replace,
  }),
  DMARC_REPORTS_NOT_MAILED: defineEntry<{ tag: 'rua' | 'ruf'; address: string }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ tag, address }, { name }) =>
      `The DMARC record at ${name} asks for reports at "${address}", where nobody can be expected to send them: receivers have to support only "mailto:" (RFC 7489, sections 6.3 and 7.1). Write "${tag}=mailto:" with a mailbox of yours in its place, or take "${tag}=" out.`,
  }),
  DMARC_REPORTS_REFUSED: defineEntry<{
    receiver: string;
    /** The name where the receiver allows the reports (RFC 9990, section 4). */
    permission: string;
  }>({
    result: 'warn',
    turn: 'report_receiver',
    describe: ({ receiver, permission }) =>
      `The DMARC record sends reports to ${receiver}, which does not say that it accepts them, so that nobody sends them. Ask it to publish the TXT record "v=DMARC1" at ${permission}.`,
    todo: ({ receiver }) =>
      `Ask the receiver of the reports to add this TXT record in the zone of ${receiver}. If you run that zone, add it yourself.`,
  }),
  DMARC_REPORTS_LOST: defineEntry<{ receiver: string; why: keyof typeof NO_MAIL; isOwn: boolean }>({
    result: 'warn',
    turn: ({ isOwn, why }): ResponsibleParty => (isOwn || why === 'no_domain' ? 'owner' : 'report_receiver'),
    describe: ({ receiver, why, isOwn }) =>
      `The DMARC record sends reports to ${receiver}, which ${NO_MAIL[why]}, so that they get lost. ${
        isOwn || why === 'no_domain'
          ? 'Name a mailbox that receives mail.'
          : 'Ask the receiver of the reports, or name another mailbox.'
      }`,
  }),

  ALIGNED: defineEntry<{ organisation: string }>({
    result: 'ok',
    turn: null,
    describe: ({ organisation }, { domain }) =>
      `Mail from ${domain} can pass DMARC by DKIM and by SPF: ${organisation} is the organisational domain of all its names.`,
  }),
  ALIGNED_BY_DKIM: defineEntry<{ spf: string }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ spf }, { domain }) => `Mail from ${domain} can pass DMARC by DKIM alone, and not by SPF: ${spf}.`,
    todo: () => 'If the strict alignment is not meant, publish this record in its place.',
  }),
  ALIGNED_BY_SPF: defineEntry<{ dkim: string }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ dkim }, { domain }) => `Mail from ${domain} can pass DMARC by SPF alone, as far as is known: ${dkim}.`,
    todo: () => 'If the strict alignment is not meant, publish this record in its place.',
  }),
  NOT_ALIGNED: defineEntry<{ dkim: string; spf: string; strict: readonly string[] }>({
    result: 'warn',
    turn: 'owner',
    describe: ({ dkim, spf }, { domain }) =>
      `As far as is known, mail from ${domain} cannot pass DMARC: ${dkim}; ${spf}.`,
    todo: () => 'If the strict alignment is not meant, publish this record in its place.',
  }),
};
