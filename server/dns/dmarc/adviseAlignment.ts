import { judge, type Judgement } from '../catalogue/catalogue.ts';
import type { LookUp } from '../resolution.ts';
import { type NamedJudgement, judgeNotAsked } from './adviseDmarc.ts';
import { type Alignment, evaluateAlignment } from './alignment.ts';
import type { DmarcRecord } from './dmarcRecord.ts';
import { offerDmarc } from './offerDmarc.ts';
import { findApplicableStep, findOrganisationalDomain } from './treeWalk.ts';
import { walkDmarcTree } from './walkDmarcTree.ts';

type AlignmentInput = {
  domain: string;
  mailFrom: string | null;
  /** Domains that may be in `d=` of DKIM signatures. */
  signers: readonly string[];
  lookUp: LookUp;
};

/** Advice on whether DKIM and SPF count for DMARC. Null without a DMARC record. */
export async function adviseAlignment({
  domain,
  mailFrom,
  signers,
  lookUp,
}: AlignmentInput): Promise<NamedJudgement | null> {
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
  const judgement = judgeAlignment(evaluateAlignment({ domain, mailFrom, signers }, record, organisations), record);
  return { judgement: { ...judgement, found: [record.text] }, at: `_dmarc.${applying.domain}` };
}

function judgeAlignment({ organisation, dkim, spf, strict }: Alignment, record: DmarcRecord): Judgement {
  if (dkim === null && spf === null) return judge('ALIGNED', { organisation });
  const relaxed = Object.fromEntries(strict.map((tag) => [tag, 'r']));
  const offer = strict.length === 0 ? null : offerDmarc({ tags: record.tags, lost: [] }, relaxed);
  if (dkim === null) return judge('ALIGNED_BY_DKIM', { spf: spf ?? '' }, { offer });
  if (spf === null) return judge('ALIGNED_BY_SPF', { dkim }, { offer });
  return judge('NOT_ALIGNED', { dkim, spf, strict }, { offer });
}
