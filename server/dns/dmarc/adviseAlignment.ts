import { type AdviceJudgement, judgeNotAsked } from '../adviceJudgement.ts';
import { judge, type Judgement } from '../catalogue/catalogue.ts';
import type { DmarcRecord } from './dmarcRecord.ts';
import { offerDmarc } from './offerDmarc.ts';
import { findApplicableStep, findOrganisationalDomain, walkDmarcTree } from './treeWalk.ts';
import type { LookUp } from '../conversation/lookUp.ts';

type AlignmentInput = {
  domain: string;
  mailFrom: string | null;
  signers: readonly string[];
  lookUp: LookUp;
};

export async function adviseAlignment({
  domain,
  mailFrom,
  signers,
  lookUp,
}: AlignmentInput): Promise<AdviceJudgement | null> {
  // Nothing is known of what signs or sends.
  if (signers.length === 0 && mailFrom === null) return null;
  const own = await walkDmarcTree(domain, lookUp);
  if (own.unanswered !== null) return judgeNotAsked(own.unanswered);
  const applying = findApplicableStep(domain, own.steps);
  if (applying === null) return null;
  const organisations = new Map([[domain, findOrganisationalDomain(domain, own.steps)]]);
  for (const name of [...signers, ...(mailFrom === null ? [] : [mailFrom])]) {
    if (organisations.has(name)) continue;
    const { steps, unanswered } = await walkDmarcTree(name, lookUp);
    if (unanswered !== null) return judgeNotAsked(unanswered);
    organisations.set(name, findOrganisationalDomain(name, steps));
  }
  const { record } = applying;
  const judgement = judgeAlignment({ domain, mailFrom, signers }, record, organisations);
  // What a record says is found by the advice on DMARC, unless another one is offered.
  const found = judgement.offer == null ? [] : [record.text];
  return { judgement: { ...judgement, found }, name: `_dmarc.${applying.domain}`, type: 'TXT' };
}

/**
 * Whether DKIM and SPF can count for DMARC, without looking at a message (RFC 9989, section 4.4). `organisations` are the
 * organisational domains by name.
 */
function judgeAlignment(
  { domain, mailFrom, signers }: Omit<AlignmentInput, 'lookUp'>,
  record: DmarcRecord,
  organisations: ReadonlyMap<string, string>,
): Judgement {
  const strict = new Set<'adkim' | 'aspf'>();
  const organisation = organisations.get(domain) ?? domain;

  const reasonOf = (tag: 'adkim' | 'aspf', name: string): string | null => {
    if (name === domain) return null;
    const other = organisations.get(name) ?? name;
    if (other !== organisation) return `${name} belongs to ${other}, and not to ${organisation}`;
    if (record.tags.get(tag)?.toLowerCase() !== 's') return null;
    strict.add(tag);
    return `${tag}=s asks for ${domain} itself, which ${name} is not`;
  };

  const bySigner = signers.map((name) => reasonOf('adkim', name));
  const dkim = bySigner.includes(null) ? null : (bySigner[0] ?? '');
  const spf = mailFrom === null ? 'the domain has no MAIL FROM name of its own' : reasonOf('aspf', mailFrom);
  // One aligned signer is enough.
  if (dkim === null) strict.delete('adkim');
  if (dkim === null && spf === null) return judge('ALIGNED', { organisation });
  const relaxed = Object.fromEntries([...strict].map((tag) => [tag, 'r']));
  const offer = strict.size === 0 ? null : offerDmarc(record, relaxed);
  if (signers.length === 0) return judge('DKIM_NOT_LISTED', { spf }, { offer });
  if (dkim === null) return judge('ALIGNED_BY_DKIM', { spf: spf ?? '' }, { offer });
  if (spf === null) return judge('ALIGNED_BY_SPF', { dkim }, { offer });
  return judge('NOT_ALIGNED', { dkim, spf, strict: [...strict] }, { offer });
}
