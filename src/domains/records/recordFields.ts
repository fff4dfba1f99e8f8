import { escapeInvalidBytes, parseTxtText } from '#contract/values/characterStrings.ts';
import type { Finding, Fix } from '#contract/domains/dnsCheck.ts';
import { isWithin, relativeTo } from '#contract/values/dnsName.ts';
import type { ReadableDnsRecord } from '#contract/domains/domain.ts';
import { resolveFullName, type SendingDomain } from './recordName.ts';

export type RecordFields = Omit<Fix, 'todo'>;

/** The fields to enter at the DNS host. An invalid name stays as listed. `host` needs a finding, which has the zone. */
export function createRecordFields(
  record: ReadableDnsRecord,
  domain: SendingDomain,
  finding: Pick<Finding, 'zone' | 'fix' | 'result' | 'found'> | null,
): RecordFields {
  const name = resolveFullName(record, domain);
  // Another record than the listed one may do: what is published counts.
  const published = finding?.result === 'ok' && finding.found.length === 1 ? finding.found[0] : undefined;
  return {
    type: record.type ?? '',
    host: name === null || finding === null ? null : hostOf(name, finding),
    name: name ?? record.name ?? '',
    ...parseRecordData({ ...record, value: published ?? record.value }),
  };
}

function hostOf(name: string, { zone, fix }: Pick<Finding, 'zone' | 'fix'>): string | null {
  if (fix?.name === name) return fix.host;
  return zone !== null && zone !== '' && isWithin(name, zone) ? relativeTo(name, zone) : null;
}

function parseRecordData({ type, value }: ReadableDnsRecord): Pick<Fix, 'value' | 'priority'> {
  const written = value ?? '';
  const kind = type?.toUpperCase();
  if (kind === 'TXT') return { value: escapeInvalidBytes(parseTxtText(written)), priority: null };
  const [, priority, host] = (kind === 'MX' && /^\s*(\d{1,5})\s+(\S+)\s*$/.exec(written)) || [];
  return host === undefined ? { value: written, priority: null } : { value: host, priority: Number(priority) };
}
