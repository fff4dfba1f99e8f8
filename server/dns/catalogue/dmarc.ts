import type { ResponsibleParty } from '#contract/domains/responsibleParty.ts';
import { fail, warn, ok } from './catalogueEntry.ts';
import { describeAdding } from './placement.ts';

type Policy = 'none' | 'quarantine' | 'reject';

const POLICY_REQUESTS = {
  none: 'deliver mail that fails',
  quarantine: 'treat mail that fails as suspicious',
  reject: 'reject mail that fails',
} as const;
const WEAKER = { none: 'none', quarantine: 'none', reject: 'quarantine' } as const;
const INSTEAD = { spf: ' It has an SPF record instead.', dkim: ' It has a DKIM key instead.' } as const;
const NO_MAIL = {
  no_domain: "doesn't exist",
  null_mx: 'accepts no mail (null MX)',
  no_mx: 'has neither an MX nor an address',
} as const;

const list = (errors: readonly string[]) => errors.join('; ');
const replace = () => 'Replace the current record with this one.';

export const dmarc = {
  DMARC_MISSING: fail<{ count: number; instead: 'spf' | 'dkim' | null }>({
    describe: ({ count, instead }, { name }) =>
      `There's no DMARC record at ${name}${count === 0 ? '' : `, only ${count} other TXT ${count === 1 ? 'record' : 'records'}`}.${
        instead === null ? '' : INSTEAD[instead]
      }`,
    todo: (_, about) => describeAdding(about),
  }),
  SEVERAL_DMARC: fail<{ policies: readonly string[] }>({
    describe: ({ policies }, { name }) =>
      `${name} has ${policies.length} DMARC records (${policies.join(' and ')}), and receivers ignore all of them. Choose one and delete the others.`,
  }),
  DMARC_SYNTAX: fail<{ errors: readonly string[] }>({
    describe: ({ errors }, { name }) => `Receivers misread the DMARC record at ${name}: ${list(errors)}.`,
    todo: replace,
  }),
  DMARC_TAG_UNREADABLE: warn<{ errors: readonly string[] }>({
    describe: ({ errors }, { name }) =>
      `Receivers ignore a part of the DMARC record at ${name} that they can't read: ${list(errors)}.`,
    todo: replace,
  }),
  /** It asks for reports, so that receivers apply it (RFC 9989, section 4.10.1). */
  DMARC_POLICY_IMPLIED: warn({
    describe: (_, { name }) => `The DMARC record at ${name} has no policy (p=). Receivers treat it as p=none.`,
    todo: replace,
  }),
  DMARC_WITHOUT_POLICY: warn({
    describe: (_, { name }) =>
      `The DMARC record at ${name} has no policy (p=). Some receivers treat it as p=none; others ignore the record.`,
    todo: replace,
  }),
  DMARC_ALIAS_EMPTY: fail<{ target: string }>({
    describe: ({ target }, { name }) =>
      `${name} is an alias of ${target}, which has no DMARC record, so no policy applies.`,
    todo: ({ target }, about) =>
      `Ask the DMARC service behind ${target} to publish the record there. If you no longer use it, delete the CNAME at "${about.host}", then add the TXT record.`,
    needsDecision: true,
  }),
  DMARC_WEAKER_THAN_LISTED: warn<{ published: string; listed: string }>({
    describe: ({ published, listed }, { name }) =>
      `The DMARC record at ${name} asks for ${published}, which is weaker than the listed ${listed}. The policy is your choice.`,
    todo: () => 'If your reports show that your own mail passes, replace the current record with this one.',
  }),
  DMARC_REPORTS_NOT_LISTED: warn<{ missing: readonly string[]; hasOthers: boolean }>({
    describe: ({ missing, hasOthers }, { name }) =>
      `The DMARC record at ${name} works, but doesn't send reports to ${missing.join(', ')}, as listed${hasOthers ? ', only to others' : ''}.`,
    todo: () => 'If the provider should get the reports too, replace the current record with this one.',
  }),
  DMARC_INHERITED: ok<{ domain: string; policy: string }>({
    describe: ({ domain, policy }, { name }) =>
      `${name} has no record and needs none: the DMARC record of ${domain} applies (${policy}).`,
  }),
  DMARC_INHERITED_WEAKER: warn<{ domain: string; policy: string; listed: string }>({
    describe: ({ domain, policy, listed }, { name }) =>
      `${name} has no record. The DMARC record of ${domain} applies, and asks for ${policy}, which is weaker than the listed ${listed}.`,
    todo: (_, about) => `${describeAdding(about)} It sends reports to the same receivers as the other record.`,
  }),

  DMARC_APPLIES: ok<{
    policy: Policy;
    /** The tag of the policy; null if the record has none. */
    tag: string | null;
    isTest: boolean;
    mailsReports: boolean;
    harmless: readonly string[];
    unsure: readonly string[];
  }>({
    describe: ({ policy, tag, isTest, mailsReports, harmless, unsure }, { name, domain }) => {
      const source = tag === null ? 'it has no policy' : `${tag}=${policy}`;
      const isWeaker = isTest && policy !== 'none';
      return [
        `The DMARC record at ${name} applies to mail from ${domain}.`,
        `It asks receivers to ${POLICY_REQUESTS[isWeaker ? WEAKER[policy] : policy]} (${source}${
          isWeaker ? ', one step weaker because of t=y' : ''
        }).`,
        ...(mailsReports ? [] : ['It requests no reports; add "rua=mailto:" with your mailbox to get them.']),
        ...(harmless.length === 0 ? [] : [`Newer receivers ignore ${harmless.join(', ')}, which is harmless.`]),
        ...unsure.map((one) => `Couldn't check whether ${one} gets its reports.`),
      ].join(' ');
    },
  }),
  DMARC_ABSENT: warn({
    describe: (_, { domain }) =>
      `No DMARC record applies to mail from ${domain}. Large mailbox providers require one from bulk senders.`,
    todo: (_, about) => `${describeAdding(about)} To get reports, append "; rua=mailto:" and your mailbox.`,
  }),
  DMARC_AT_DOMAIN: warn({
    describe: (_, { domain }) => `There's a DMARC record at ${domain}, where receivers don't look for it.`,
    todo: (_, { host }) => `Move it to the host "${host}".`,
  }),
  DMARC_PSD: warn({
    describe: (_, { name, domain }) =>
      `The DMARC record at ${name} declares ${domain} a registry with domains of others below it (psd=y), so names below ${domain} are no longer aligned with it.`,
    todo: replace,
  }),
  DMARC_PCT: warn<{ pct: number; policy: Policy; weaker: Policy }>({
    describe: ({ pct, policy, weaker }, { name }) =>
      `The DMARC record at ${name} has pct=${pct}. Receivers that follow RFC 9989 ignore that, and apply ${policy} to all mail that fails. Older ones apply ${
        pct === 0 ? `${weaker} to all of it` : `it to ${pct} percent and ${weaker} to the rest`
      }.`,
    todo: ({ pct, policy, weaker }) =>
      pct === 0
        ? `Publish this record instead: t=y makes newer receivers apply ${weaker} too.`
        : `Publish this record until your reports are clean: t=y makes newer receivers apply ${weaker}. When they're clean, or if you want ${policy} for all mail now, remove both "pct" and "t".`,
  }),
  DMARC_SUBDOMAINS_OPEN: warn<{ of: string; policy: Policy; tag: 'sp' | 'np' }>({
    describe: ({ of, policy, tag }) =>
      tag === 'np'
        ? `Mail from ${of} is protected (p=${policy}), but anyone can send as a nonexistent name below it (np=none).`
        : `Mail from ${of} is protected (p=${policy}), but anyone can send as a name below it (sp=none). When your reports show that mail from those names passes, remove "sp=none" from the record.`,
    todo: replace,
  }),
  DMARC_REPORTS_NOT_MAILED: warn<{ tag: 'rua' | 'ruf'; address: string }>({
    describe: ({ tag, address }, { name }) =>
      `The DMARC record at ${name} requests reports at "${address}", but receivers only have to support "mailto:" (RFC 7489, sections 6.3 and 7.1). Use "${tag}=mailto:" with your mailbox instead, or remove "${tag}=".`,
  }),
  DMARC_REPORTS_REFUSED: warn<{
    receiver: string;
    /** Where the receiver allows the reports (RFC 9990, section 4). */
    permission: string;
  }>({
    turn: 'report_receiver',
    describe: ({ receiver, permission }) =>
      `The DMARC record sends reports to ${receiver}, which hasn't agreed to accept them, so nobody sends them. Ask it to publish the TXT record "v=DMARC1" at ${permission}.`,
    todo: ({ receiver }) =>
      `Ask the receiver of the reports to add this TXT record to the zone of ${receiver}. If you run that zone, add it yourself.`,
  }),
  DMARC_REPORTS_LOST: warn<{ receiver: string; why: keyof typeof NO_MAIL; isOwn: boolean }>({
    turn: ({ isOwn, why }): ResponsibleParty => (isOwn || why === 'no_domain' ? 'owner' : 'report_receiver'),
    describe: ({ receiver, why, isOwn }) =>
      `The DMARC record sends reports to ${receiver}, which ${NO_MAIL[why]}, so they're lost. ${
        isOwn || why === 'no_domain'
          ? 'Use a mailbox that receives mail.'
          : 'Ask the receiver of the reports, or use another mailbox.'
      }`,
  }),

  ALIGNED: ok<{ organisation: string }>({
    describe: ({ organisation }, { domain }) =>
      `Mail from ${domain} can pass DMARC through DKIM and SPF: ${organisation} is the organizational domain of all its names.`,
  }),
  DKIM_NOT_LISTED: warn<{ spf: string | null }>({
    describe: ({ spf }, { domain }) =>
      spf === null
        ? `SPF of ${domain} counts for DMARC; whether its mail is signed isn't known, because no DKIM record is listed.`
        : `Whether mail from ${domain} can pass DMARC isn't known: no DKIM record is listed, and SPF doesn't count because ${spf}.`,
    todo: () => "If you don't want strict alignment, publish this record instead.",
  }),
  ALIGNED_BY_DKIM: warn<{ spf: string }>({
    describe: ({ spf }, { domain }) => `Mail from ${domain} can pass DMARC only through DKIM, not SPF: ${spf}.`,
    todo: () => "If you don't want strict alignment, publish this record instead.",
  }),
  ALIGNED_BY_SPF: warn<{ dkim: string }>({
    describe: ({ dkim }, { domain }) =>
      `As far as is known, mail from ${domain} can pass DMARC only through SPF: ${dkim}.`,
    todo: () => "If you don't want strict alignment, publish this record instead.",
  }),
  NOT_ALIGNED: warn<{ dkim: string; spf: string; strict: readonly string[] }>({
    describe: ({ dkim, spf }, { domain }) =>
      `As far as is known, mail from ${domain} can't pass DMARC: ${dkim}; ${spf}.`,
    todo: () => "If you don't want strict alignment, publish this record instead.",
  }),
};
