import { escapeInvalidBytes, parseTxtText } from '#contract/characterStrings.ts';
import type { Finding, Fix } from '#contract/dnsCheck.ts';
import { normalizeDnsName, isWithin, recordName, relativeTo } from '#contract/dnsName.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';

/** What the names of records are read against. */
export type SendingDomain = Pick<ReadableDomain, 'name' | 'mail_from_domain'>;

/** Where a record is, in full and as names are compared; null where that cannot be read. */
export function resolveFullName({ name }: Pick<ReadableDnsRecord, 'name'>, domain: SendingDomain): string | null {
  const zone = normalizeDnsName(domain.name);
  if (zone === null || name === null) return null;
  // A wildcard is a name to write, but none to look up.
  const [, wildcard, rest = ''] = /^\s*(\*(?:\.|$))?(.*)$/s.exec(name) ?? [];
  const full = recordName(rest, zone, normalizeDnsName(domain.mail_from_domain ?? ''));
  return full !== null && wildcard !== undefined ? `*.${full}` : full;
}

export type RecordFields = Omit<Fix, 'todo'>;

/**
 * What to type into the form of the DNS host for a record as it is listed. What cannot be read stands as it is listed.
 * Only a check tells the zone; until then there is no host, which a zone cut below the domain would make wrong.
 */
export function createRecordFields(
  record: ReadableDnsRecord,
  domain: SendingDomain,
  finding: Pick<Finding, 'zone' | 'fix'> | null,
): RecordFields {
  const name = resolveFullName(record, domain);
  return {
    type: record.type ?? '',
    host: name === null || finding === null ? null : hostOf(name, finding),
    name: name ?? record.name ?? '',
    ...parseRecordData(record),
  };
}

function hostOf(name: string, { zone, fix }: Pick<Finding, 'zone' | 'fix'>): string | null {
  if (fix?.name === name) return fix.host;
  return zone !== null && zone !== '' && isWithin(name, zone) ? relativeTo(name, zone) : null;
}

/** An MX value "10 mx.example.net" is a priority and a name; the text of a TXT is what its zone-file text means. */
function parseRecordData({ type, value }: ReadableDnsRecord): Pick<Fix, 'value' | 'priority'> {
  const written = value ?? '';
  const kind = type?.toUpperCase();
  if (kind === 'TXT') return { value: escapeInvalidBytes(parseTxtText(written)), priority: null };
  const [, priority, host] = (kind === 'MX' && /^\s*(\d{1,5})\s+(\S+)\s*$/.exec(written)) || [];
  return host === undefined ? { value: written, priority: null } : { value: host, priority: Number(priority) };
}
