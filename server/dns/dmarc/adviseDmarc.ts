import { judge, type Judgement } from '../catalogue/catalogue.ts';
import type { LookUp, Resolution } from '../resolution.ts';
import { checkReportReceivers } from './checkReportReceivers.ts';
import {
  type DmarcRecord,
  isDmarc,
  isTest,
  type Policy,
  findPolicy,
  POLICY_TAGS,
  strengthOf,
  weakerThan,
} from './dmarcRecord.ts';
import { findDmarcFault } from './findDmarcFault.ts';
import { interpretDmarc } from './interpretDmarc.ts';
import { offerDmarc } from './offerDmarc.ts';
import { findApplicableStep, isPublicSuffixStep, findOrganisationalDomain } from './treeWalk.ts';
import { textsOf, walkDmarcTree } from './walkDmarcTree.ts';

/** A judgement, and the name that it is about. */
export type NamedJudgement = { judgement: Judgement; at: string };

/** Without `rua`: nobody knows of a mailbox that exists and is read. */
const STARTER = 'v=DMARC1; p=none';

/** Which DMARC record counts for mail from the domain, and what is wrong with it. */
export async function adviseDmarc({ domain, lookUp }: { domain: string; lookUp: LookUp }): Promise<NamedJudgement> {
  const { steps, unanswered } = await walkDmarcTree(domain, lookUp);
  const [own] = steps;
  if (own === undefined) return unanswered === null ? judgeAbsent(domain) : judgeNotAsked(unanswered);
  // Only its own record counts whatever is above it.
  const applying = unanswered === null || own.record !== null ? findApplicableStep(domain, steps) : null;
  for (const { domain: at, texts, record } of applying === null ? steps : [own]) {
    const judgement = record === null ? findDmarcFault(texts) : null;
    if (judgement !== null) return { judgement, at: `_dmarc.${at}` };
  }
  const organisation = unanswered === null ? findOrganisationalDomain(domain, steps) : null;
  if (applying !== null) return adviseApplying(domain, applying, organisation, lookUp);
  if (unanswered !== null) return judgeNotAsked(unanswered);
  const lost = textsOf(await lookUp(domain, 'TXT')).find(isDmarc);
  const meant = lost === undefined ? null : interpretDmarc(lost);
  if (lost === undefined || meant === null) return judgeAbsent(domain);
  return {
    judgement: judge('DMARC_AT_DOMAIN', {}, { offer: offerDmarc(meant), found: [lost] }),
    at: `_dmarc.${domain}`,
  };
}

/** What could not be asked. */
export function judgeNotAsked({ name, reason }: Resolution): NamedJudgement {
  return { judgement: judge('NOT_ASKED', { name, reason }), at: name };
}

function judgeAbsent(domain: string): NamedJudgement {
  return { judgement: judge('DMARC_ABSENT', {}, { offer: STARTER }), at: `_dmarc.${domain}` };
}

/** `organisation` is null where nobody could tell. */
async function adviseApplying(
  domain: string,
  applying: { record: DmarcRecord; domain: string },
  organisation: string | null,
  lookUp: LookUp,
): Promise<NamedJudgement> {
  const { record } = applying;
  const at = `_dmarc.${applying.domain}`;
  const isInherited = applying.domain !== domain;
  const unsure: string[] = [];
  // Nobody who sends as a domain below a registry can change the record of the registry.
  if (!isInherited || !isPublicSuffixStep(applying)) {
    const isOfOrganisation = applying.domain === organisation;
    const fault =
      findDmarcFault([record.text]) ??
      psdFault(record) ??
      pctFault(record) ??
      (isOfOrganisation ? openFault(applying) : null);
    const isGrave = fault !== null && fault.code !== 'DMARC_SUBDOMAINS_OPEN';
    if (isGrave) return { judgement: fault, at };
    const reports = await checkReportReceivers(applying, organisation, lookUp);
    if (reports.fault !== null) return reports.fault;
    if (fault !== null) return { judgement: fault, at };
    unsure.push(...reports.unsure);
  }
  const exists = !isInherited || !record.tags.has('np') || (await isExistent(domain, lookUp));
  const { tag, policy } = findPolicy(record, isInherited, exists);
  const mailsReports = /(^|,)\s*mailto:/i.test(record.tags.get('rua') ?? '');
  const facts = { policy, tag, isTest: isTest(record.tags), mailsReports, harmless: listHarmlessTags(record), unsure };
  return { judgement: judge('DMARC_APPLIES', facts, { found: [record.text] }), at };
}

/** A domain that takes itself for a registry: names below it are no longer aligned with it (RFC 9989, section 4.10.2). */
function psdFault(record: DmarcRecord): Judgement | null {
  if (record.tags.get('psd')?.toLowerCase() !== 'y') return null;
  return judge('DMARC_PSD', {}, { offer: offerChangedRecord(record, { psd: null }), found: [record.text] });
}

/** A share of mail, which newer receivers do not know and older ones follow (RFC 9989, appendix A.6). */
function pctFault(record: DmarcRecord): Judgement | null {
  const pct = record.tags.get('pct');
  const policy = findStrongestPolicy(record);
  if (pct === undefined || Number(pct) === 100 || policy === 'none' || isTest(record.tags)) return null;
  // One step weaker where `pct` is not read, and as it is where it is read: nobody is treated harder than before.
  const facts = { pct: Number(pct), policy, weaker: weakerThan(policy) };
  return judge('DMARC_PCT', facts, { offer: offerChangedRecord(record, { t: 'y' }), found: [record.text] });
}

/** Names below the domain that everybody can send as, while the domain itself is protected. */
function openFault({ record, domain }: { record: DmarcRecord; domain: string }): Judgement | null {
  const policy = findPolicy(record, false, true).policy;
  const existing = findPolicy(record, true, true).policy;
  const others = findPolicy(record, true, false).policy;
  if (policy === 'none' || (existing !== 'none' && others !== 'none')) return null;
  // Nobody sends as a name that does not exist; whether the mail of those that do is in order, only reports tell.
  const isSafe = existing !== 'none';
  const facts = { of: domain, policy, tag: isSafe ? ('np' as const) : ('sp' as const) };
  return judge('DMARC_SUBDOMAINS_OPEN', facts, {
    offer: isSafe ? offerChangedRecord(record, { np: existing }) : null,
    found: [record.text],
  });
}

function offerChangedRecord(record: DmarcRecord, change: Readonly<Record<string, string | null>>): string | null {
  return offerDmarc({ tags: record.tags, lost: [] }, change);
}

function findStrongestPolicy({ tags }: DmarcRecord): Policy {
  const policies = POLICY_TAGS.map(
    (tag) => findPolicy({ tags: new Map([['p', tags.get(tag) ?? 'none']]) }, false, true).policy,
  );
  return policies.toSorted((one, other) => strengthOf(other) - strengthOf(one))[0] ?? 'none';
}

/** What receivers that follow RFC 9989 no longer read, and what makes no difference. */
function listHarmlessTags({ tags }: DmarcRecord): string[] {
  const sizes = ['rua', 'ruf'].some((tag) => /!\d/.test(tags.get(tag) ?? '')) ? ['a size after an address'] : [];
  return [...['pct', 'rf', 'ri'].filter((tag) => tags.has(tag)).map((tag) => `"${tag}="`), ...sizes];
}

/** Whether receivers take the domain for existent: it has mail or a host. No answer is no proof of absence. */
async function isExistent(domain: string, lookUp: LookUp): Promise<boolean> {
  const all = await Promise.all((['A', 'AAAA', 'MX'] as const).map((type) => lookUp(domain, type)));
  return all.some(({ records }) => records === null || records.length > 0);
}
