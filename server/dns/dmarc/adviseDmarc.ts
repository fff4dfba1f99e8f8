import { type AdviceJudgement, judgeNotAsked } from '../adviceJudgement.ts';
import { judge, type Judgement } from '../catalogue/catalogue.ts';
import {
  type DmarcRecord,
  isDmarc,
  isTest,
  type Policy,
  findPolicy,
  POLICY_TAGS,
  strengthOf,
  weakerThan,
  reportDomains,
} from './dmarcRecord.ts';
import { judgeMisreadDmarc } from './judgeMisreadDmarc.ts';
import { interpretDmarc } from './interpretDmarc.ts';
import { offerDmarc } from './offerDmarc.ts';
import {
  findApplicableStep,
  isPublicSuffixStep,
  findOrganisationalDomain,
  textsOf,
  walkDmarcTree,
} from './treeWalk.ts';
import { isWithin } from '#contract/values/dnsName.ts';
import { publicName } from '../expectedRecord.ts';
import { organisationOf } from '../wire/names.ts';
import { misplacedNames } from '../probes.ts';
import type { LookUp, Resolution } from '../conversation/lookUp.ts';

/** The record to offer. It has no `rua`, because no mailbox for reports is known. */
const STARTER = 'v=DMARC1; p=none';

export async function adviseDmarc({ domain, lookUp }: { domain: string; lookUp: LookUp }): Promise<AdviceJudgement> {
  const { steps, unanswered } = await walkDmarcTree(domain, lookUp);
  const [own] = steps;
  if (own === undefined) return unanswered === null ? judgeAbsent(domain) : judgeNotAsked(unanswered);
  // Its own record applies, whatever parent domains have.
  const applying = unanswered === null || own.record !== null ? findApplicableStep(domain, steps) : null;
  for (const { domain: at, texts, record } of applying === null ? steps : [own]) {
    const judgement = record === null ? judgeMisreadDmarc(texts) : null;
    if (judgement !== null) return atName(`_dmarc.${at}`, judgement);
  }
  const organisation = unanswered === null ? findOrganisationalDomain(domain, steps) : null;
  if (applying !== null) return adviseApplying(domain, applying, organisation, lookUp);
  if (unanswered !== null) return judgeNotAsked(unanswered);
  const atDomain = await lookUp(domain, 'TXT');
  const lost = textsOf(atDomain).find(isDmarc);
  const meant = lost === undefined ? null : interpretDmarc(lost);
  if (lost === undefined || meant === null)
    return (await findMisplaced(domain, lookUp, atDomain)) ?? judgeAbsent(domain);
  return atName(`_dmarc.${domain}`, judge('DMARC_AT_DOMAIN', {}, { offer: offerDmarc(meant), found: [lost] }));
}

/** A record at a name where the form of a DNS host, or a typing mistake, has put it; null when there is none. */
async function findMisplaced(
  domain: string,
  lookUp: LookUp,
  { isNxdomain }: Resolution,
): Promise<AdviceJudgement | null> {
  const own = `_dmarc.${domain}`;
  const organisation = organisationOf(domain);
  const places = misplacedNames({ type: 'TXT', purpose: 'dmarc', name: own, domain }, organisation);
  for (const { code, name: foundAt } of places) {
    // The walk and the look-up before this one have been there.
    if (foundAt === domain || code === 'NAME_IN_PARENT' || !isWithin(foundAt, organisation)) continue;
    // Nothing is below a name that does not exist (RFC 8020).
    if (isNxdomain && isWithin(foundAt, domain)) continue;
    const [text, ...others] = textsOf(await lookUp(foundAt, 'TXT')).filter(isDmarc);
    const meant = text === undefined ? null : interpretDmarc(text);
    if (text === undefined || meant === null || others.length > 0) continue;
    const more = { offer: offerDmarc(meant), found: [text] };
    const facts = { foundAt, isTargetDoubled: false, others: [] };
    return atName(own, judge(code, facts, more));
  }
  return null;
}

const atName = (name: string, judgement: Judgement): AdviceJudgement => ({ judgement, name, type: 'TXT' });

function judgeAbsent(domain: string): AdviceJudgement {
  return atName(`_dmarc.${domain}`, judge('DMARC_ABSENT', {}, { offer: STARTER }));
}

async function adviseApplying(
  domain: string,
  applying: { record: DmarcRecord; domain: string },
  organisation: string | null,
  lookUp: LookUp,
): Promise<AdviceJudgement> {
  const { record } = applying;
  const at = `_dmarc.${applying.domain}`;
  const isInherited = applying.domain !== domain;
  const unsure: string[] = [];
  // Only the registry can change its record, so nothing wrong with it is reported.
  if (!isInherited || !isPublicSuffixStep(applying)) {
    const isOfOrganisation = applying.domain === organisation;
    const misread =
      judgeMisreadDmarc([record.text]) ??
      judgePsd(record) ??
      judgePct(record) ??
      (isOfOrganisation ? judgeSubdomains(applying) : null);
    const isGrave = misread !== null && misread.code !== 'DMARC_SUBDOMAINS_OPEN';
    if (isGrave) return atName(at, misread);
    const reports = await checkReportReceivers(applying, organisation, lookUp);
    if (reports.judgement !== null) return reports.judgement;
    if (misread !== null) return atName(at, misread);
    unsure.push(...reports.unsure);
  }
  const exists = !isInherited || !record.tags.has('np') || (await isExistent(domain, lookUp));
  const { tag, policy } = findPolicy(record, isInherited, exists);
  const mailsReports = /(^|,)\s*mailto:/i.test(record.tags.get('rua') ?? '');
  const facts = { policy, tag, isTest: isTest(record.tags), mailsReports, harmless: listHarmlessTags(record), unsure };
  return atName(at, judge('DMARC_APPLIES', facts, { found: [record.text] }));
}

/** A record with `psd=y`: names below it are no longer aligned with the domain (RFC 9989, section 4.10.2). */
function judgePsd(record: DmarcRecord): Judgement | null {
  if (record.tags.get('psd')?.toLowerCase() !== 'y') return null;
  return judge('DMARC_PSD', {}, { offer: offerDmarc(record, { psd: null }), found: [record.text] });
}

/** The tag `pct`, which newer receivers ignore and older ones apply (RFC 9989, appendix A.6). */
function judgePct(record: DmarcRecord): Judgement | null {
  const pct = record.tags.get('pct');
  const policy = findStrongestPolicy(record);
  if (pct === undefined || Number(pct) === 100 || policy === 'none' || isTest(record.tags)) return null;
  // One step weaker for receivers that ignore `pct`, and unchanged for the others: no mail is treated more strictly
  // than before.
  const facts = { pct: Number(pct), policy, weaker: weakerThan(policy) };
  return judge('DMARC_PCT', facts, { offer: offerDmarc(record, { t: 'y' }), found: [record.text] });
}

function judgeSubdomains({ record, domain }: { record: DmarcRecord; domain: string }): Judgement | null {
  const policy = findPolicy(record, false, true).policy;
  const existing = findPolicy(record, true, true).policy;
  const others = findPolicy(record, true, false).policy;
  if (policy === 'none' || (existing !== 'none' && others !== 'none')) return null;
  // Names that do not exist send no mail, so `np` is safe. For others, only reports show whether their mail
  // would pass.
  const isSafe = existing !== 'none';
  const facts = { of: domain, policy, tag: isSafe ? ('np' as const) : ('sp' as const) };
  return judge('DMARC_SUBDOMAINS_OPEN', facts, {
    offer: isSafe ? offerDmarc(record, { np: existing }) : null,
    found: [record.text],
  });
}

function findStrongestPolicy({ tags }: DmarcRecord): Policy {
  const policies = POLICY_TAGS.map(
    (tag) => findPolicy({ tags: new Map([['p', tags.get(tag) ?? 'none']]) }, false, true).policy,
  );
  return policies.toSorted((one, other) => strengthOf(other) - strengthOf(one))[0] ?? 'none';
}

/** Tags that receivers ignore since RFC 9989, and those without any effect. */
function listHarmlessTags({ tags }: DmarcRecord): string[] {
  const sizes = ['rua', 'ruf'].some((tag) => /!\d/.test(tags.get(tag) ?? '')) ? ['a size after an address'] : [];
  return [...['pct', 'rf', 'ri'].filter((tag) => tags.has(tag)).map((tag) => `"${tag}="`), ...sizes];
}

/** Whether the domain exists for receivers: it has mail or a host. A failed query counts as existing. */
async function isExistent(domain: string, lookUp: LookUp): Promise<boolean> {
  const all = await Promise.all((['A', 'AAAA', 'MX'] as const).map((type) => lookUp(domain, type)));
  return all.some(({ records }) => records === null || records.length > 0);
}

/** Each receiver needs up to four queries, and a record can name hundreds. */
const RECEIVERS_MAX = 3;

type ReportReceiversResult = {
  judgement: AdviceJudgement | null;
  /** Receivers that could not be checked, and those after the first `RECEIVERS_MAX`. */
  unsure: readonly string[];
};

/**
 * Checks whether reports about `domain`, which has the record, can be delivered. One query for each receiver, one more
 * outside of its `organisation` (RFC 9990, section 4), two more when it has no MX. `organisation` is null when it is
 * not known.
 */
async function checkReportReceivers(
  { record, domain }: { record: DmarcRecord; domain: string },
  organisation: string | null,
  lookUp: LookUp,
): Promise<ReportReceiversResult> {
  const unsure = new Set<string>();
  for (const [index, written] of reportDomains(record).entries()) {
    if (index >= RECEIVERS_MAX) {
      unsure.add(written);
      continue;
    }
    const receiver = publicName(written);
    const isOwn = receiver !== null && isWithin(receiver, organisation ?? domain);
    const why = receiver === null ? 'no_domain' : await whyUndeliverable(receiver, lookUp);
    if (why === 'unknown') unsure.add(written);
    else if (why !== null) {
      const judgement = judge('DMARC_REPORTS_LOST', { receiver: written, why, isOwn }, { offer: null });
      return { judgement: atName(`_dmarc.${domain}`, judgement), unsure: [] };
    }
    if (receiver === null || isOwn) continue;
    const permission = await lookUp(`${domain}._report._dmarc.${receiver}`, 'TXT');
    if (permission.records === null || organisation === null) unsure.add(written);
    else if (!textsOf(permission).some(isDmarc)) {
      const judgement = judge(
        'DMARC_REPORTS_REFUSED',
        { receiver, permission: permission.name },
        { offer: 'v=DMARC1', found: textsOf(permission) },
      );
      return { judgement: atName(permission.name, judgement), unsure: [] };
    }
  }
  return { judgement: null, unsure: [...unsure] };
}

/** Why mail cannot be delivered; null when it can. Without an MX it is sent to the address (RFC 5321, section 5.1). */
async function whyUndeliverable(
  domain: string,
  lookUp: LookUp,
): Promise<'no_domain' | 'null_mx' | 'no_mx' | 'unknown' | null> {
  const { records, isNxdomain } = await lookUp(domain, 'MX');
  if (records === null) return 'unknown';
  if (records.length > 0) return records.every(({ value }) => value === '') ? 'null_mx' : null;
  if (isNxdomain) return 'no_domain';
  for (const type of ['A', 'AAAA'] as const) {
    const addresses = await lookUp(domain, type);
    if (addresses.records === null) return 'unknown';
    if (addresses.records.length > 0) return null;
  }
  return 'no_mx';
}
