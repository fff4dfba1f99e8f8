import type { ReadableDomain } from '#contract/domains/domain.ts';
import { advicePurpose, recordPurpose } from '#contract/receivers/purpose.ts';
import type { ReadReport } from '../check/latestCheck.ts';
import type { Item } from '../records/items.ts';
import { DmarcSection } from './DmarcSection.tsx';
import { ReceiversSection, type NamedFinding } from './ReceiversSection.tsx';

type Props = { domain: ReadableDomain; items: readonly Item[]; report: ReadReport | undefined };

/** What each receiver does with mail of this domain, and where the domain is with DMARC. Loaded after the page. */
export function ReceiverParts({ domain, items, report }: Props) {
  const findings = items.flatMap(({ about, record, finding, title }): NamedFinding[] => {
    if (finding === null) return [];
    const purpose = record === null ? advicePurpose(about ?? '') : recordPurpose(record, domain);
    const number = record === null ? '' : ` (record ${(domain.dns ?? []).indexOf(record) + 1})`;
    return [{ purpose, result: finding.result, code: finding.code, name: `${title}${number}` }];
  });
  // Nothing is known of a domain that nobody checked.
  if (findings.length === 0) return null;
  return (
    <>
      <ReceiversSection domain={domain} findings={findings} sendsBulk={report?.sends_bulk ?? true} />
      <DmarcSection domain={domain} items={items} report={report} />
    </>
  );
}
