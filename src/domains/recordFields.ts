import { readable, textOf } from '#contract/characterStrings.ts';
import type { Fix } from '#contract/dnsCheck.ts';
import { dnsName, recordName, relativeTo } from '#contract/dnsName.ts';
import type { ReadableDnsRecord, ReadableDomain } from '#contract/domain.ts';

/** What the names of records are read against. */
export type SendingDomain = Pick<ReadableDomain, 'name' | 'mail_from_domain'>;

/** Where a record is, in full and as names are compared; null where that cannot be read. */
export function nameOf({ name }: ReadableDnsRecord, domain: SendingDomain): string | null {
  const zone = dnsName(domain.name);
  if (zone === null || name === null) return null;
  // A wildcard is a name to write, but none to look up.
  const [, wildcard, rest = ''] = /^\s*(\*(?:\.|$))?(.*)$/s.exec(name) ?? [];
  const full = recordName(rest, zone, dnsName(domain.mail_from_domain ?? ''));
  return full !== null && wildcard !== undefined ? `*.${full}` : full;
}

export type RecordFields = Omit<Fix, 'todo'>;

/** What to type into the form of the DNS host for a record. What cannot be read stands as it is listed. */
export function fieldsOf(record: ReadableDnsRecord, domain: SendingDomain): RecordFields {
  const name = nameOf(record, domain);
  const listed = record.name ?? '';
  return {
    type: record.type ?? '',
    host: name === null ? listed : relativeTo(name, dnsName(domain.name) ?? ''),
    name: name ?? listed,
    ...dataOf(record),
  };
}

/** An MX value "10 mx.example.net" is a priority and a name; the text of a TXT is what its zone-file text means. */
function dataOf({ type, value }: ReadableDnsRecord): Pick<Fix, 'value' | 'priority'> {
  const written = value ?? '';
  const kind = type?.toUpperCase();
  if (kind === 'TXT') return { value: readable(textOf(written)), priority: null };
  const [, priority, host] = (kind === 'MX' && /^\s*(\d{1,5})\s+(\S+)\s*$/.exec(written)) || [];
  return host === undefined ? { value: written, priority: null } : { value: host, priority: Number(priority) };
}
