import { isWithin } from '#contract/dnsName.ts';
import { judge, type Judgement } from '../catalogue/catalogue.ts';
import { publicName } from '../expectedRecord.ts';
import type { LookUp } from '../resolution.ts';
import { type DmarcRecord, isDmarc, reportDomains } from './dmarcRecord.ts';
import { textsOf } from './walkDmarcTree.ts';

/** Receivers that are asked. Each needs up to four queries, and the record of a stranger can name hundreds. */
const RECEIVERS_MAX = 3;

type ReportReceiversResult = {
  /** The first fault, and the name concerned. */
  fault: { judgement: Judgement; at: string } | null;
  /** Receivers that could not be checked, and those after the first `RECEIVERS_MAX`. */
  unsure: readonly string[];
};

/**
 * Checks whether reports about `domain`, which has the record, can be delivered. One query for each receiver, one more
 * outside of its `organisation` (RFC 9990, section 4), two more when it has no MX. `organisation` is null when it is
 * not known.
 */
export async function checkReportReceivers(
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
    const why = receiver === null ? 'no_domain' : await mailFault(receiver, lookUp);
    if (why === 'unknown') unsure.add(written);
    else if (why !== null) {
      const judgement = judge('DMARC_REPORTS_LOST', { receiver: written, why, isOwn }, { offer: null });
      return { fault: { judgement, at: `_dmarc.${domain}` }, unsure: [] };
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
      return { fault: { judgement, at: permission.name }, unsure: [] };
    }
  }
  return { fault: null, unsure: [...unsure] };
}

/**
 * Why mail cannot be delivered to `domain`; null when nothing is against it. Without an MX, mail goes to its address
 * (RFC 5321, section 5.1).
 */
async function mailFault(
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
