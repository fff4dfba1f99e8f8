import { type Judgement, resultOf } from '../catalogue/catalogue.ts';
import type { LookUp } from '../conversation/lookUp.ts';
import { adviseDmarc } from './adviseDmarc.ts';
import { judgeDmarc } from './judgeDmarc.ts';

/** Tags that need further look-ups to be judged. */
const FOLLOWED_TAGS = /[;\s](psd|sp|np|pct|rua|ruf)\s*=/i;

/** A record that is strict enough may still have undeliverable reports or unprotected subdomains. */
export async function judgeListedDmarc({
  name,
  texts,
  expected,
  lookUp,
}: {
  lookUp: LookUp;
  name: string;
  texts: readonly string[];
  expected: string;
}): Promise<Judgement> {
  const judgement = judgeDmarc({ texts, expected, inherited: null });
  const domain = /^_dmarc\.(.+)$/.exec(name)?.[1];
  if (judgement.code !== 'MATCH' || domain === undefined || !texts.some((text) => FOLLOWED_TAGS.test(text))) {
    return judgement;
  }
  const advice = await adviseDmarc({ domain, lookUp });
  if (resultOf(advice.judgement.code, 'record') !== 'warn') return judgement;
  const { found: _, ...warning } = advice.judgement;
  // Only the receiver of the reports can allow them, in another zone.
  if (warning.code === 'DMARC_REPORTS_REFUSED') return { ...warning, offer: null };
  return advice.name === name ? warning : judgement;
}
