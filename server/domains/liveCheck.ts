import type { CheckLine } from '#contract/dnsCheck.ts';
import type { DnsRecord, Domain } from '#contract/domain.ts';
import type { Asker } from '../dns/asker.ts';
import { checkDomain } from '../dns/checkDomain.ts';

/** What the DNS says about `domain` now, line by line. */
export async function* liveCheck(asker: Asker, domain: Domain): AsyncGenerator<CheckLine, void, void> {
  for await (const line of checkDomain(asker, domain)) {
    const { kind, finding } = line;
    if (kind === 'advice') yield { kind, about: line.about, finding };
    else yield { kind, index: line.index, record: domain.dns[line.index] as DnsRecord, finding };
  }
  yield { kind: 'end', checked_at: new Date().toISOString(), again_in: 30, domain };
}
