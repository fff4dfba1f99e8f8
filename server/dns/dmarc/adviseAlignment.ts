import { judge, type Judgement } from '../catalogue/catalogue.ts';
import type { LookUp } from '../resolution.ts';
import { type Advised, notAsked } from './adviseDmarc.ts';
import { type Alignment, alignmentOf } from './alignment.ts';
import type { DmarcRecord } from './dmarcRecord.ts';
import { offerDmarc } from './offerDmarc.ts';
import { applyingStep, organisationOf } from './treeWalk.ts';
import { walkUp } from './walkUp.ts';

export type AlignmentQuestion = {
  domain: string;
  mailFrom: string | null;
  /** Domains that may sign with DKIM, as `d=` names them. */
  signers: readonly string[];
  lookUp: LookUp;
};

/** Whether DKIM and SPF count for DMARC. Null where no DMARC record asks for it. */
export async function adviseAlignment({
  domain,
  mailFrom,
  signers,
  lookUp,
}: AlignmentQuestion): Promise<Advised | null> {
  const own = await walkUp(domain, lookUp);
  if (own.untold !== null) return notAsked(own.untold);
  const applying = applyingStep(domain, own.steps);
  if (applying === null) return null;
  const organisations = new Map([[domain, organisationOf(domain, own.steps)]]);
  for (const name of [...signers, ...(mailFrom === null ? [] : [mailFrom])]) {
    if (organisations.has(name)) continue;
    const { steps, untold } = await walkUp(name, lookUp);
    if (untold !== null) return notAsked(untold);
    organisations.set(name, organisationOf(name, steps));
  }
  const { record } = applying;
  const judgement = judgementOf(alignmentOf({ domain, mailFrom, signers }, record, organisations), record);
  return { judgement: { ...judgement, found: [record.text] }, at: `_dmarc.${applying.domain}` };
}

function judgementOf({ organisation, dkim, spf, strict }: Alignment, record: DmarcRecord): Judgement {
  if (dkim === null && spf === null) return judge('ALIGNED', { organisation });
  const relaxed = Object.fromEntries(strict.map((tag) => [tag, 'r']));
  const offer = strict.length === 0 ? null : offerDmarc({ tags: record.tags, lost: [] }, relaxed);
  if (dkim === null) return judge('ALIGNED_BY_DKIM', { spf: spf ?? '' }, { offer });
  if (spf === null) return judge('ALIGNED_BY_SPF', { dkim }, { offer });
  return judge('NOT_ALIGNED', { dkim, spf, strict }, { offer });
}
