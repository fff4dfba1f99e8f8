import type { RecordStatus } from '#contract/domains/recordStatus.ts';
import { reachOf } from './codeMeaning.ts';
import type { Purpose } from './purpose.ts';

/** What a receiver does with mail. `limits`: accepts a part of it, late, or as spam. */
export type Severity = 'refuses' | 'limits' | 'accepts';

/** The purposes without which some receiver refuses mail of bulk senders, and of others. */
const REFUSED: Readonly<Record<'bulk' | 'others', readonly Purpose[]>> = {
  bulk: ['dkim', 'spf', 'dmarc', 'alignment', 'soa', 'from_host'],
  others: ['dkim', 'alignment', 'soa', 'from_host'],
};

/** What the strictest receiver does because of one finding, if everything else is right. `accepts` also when that's unknown. */
export function severityFor(
  finding: { purpose: Purpose; result: RecordStatus; code: string },
  { sendsBulk }: { sendsBulk: boolean },
): Severity {
  // Of what is wrong with the MX of the MAIL FROM name, this alone lets receivers refuse.
  if (finding.code === 'NULL_MX') return 'refuses';
  if (!REFUSED[sendsBulk ? 'bulk' : 'others'].includes(finding.purpose)) return 'accepts';
  // GMX and WEB.DE require alignment by DKIM.
  const reach = finding.code === 'ALIGNED_BY_SPF' ? 'no' : reachOf(finding);
  if (reach === 'partly') return 'limits';
  return reach === 'no' ? 'refuses' : 'accepts';
}
