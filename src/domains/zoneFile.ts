import { bytesOf } from '#contract/characterStrings.ts';
import type { Fix } from '#contract/dnsCheck.ts';
import { dnsName, relativeTo } from '#contract/dnsName.ts';
import type { ReadableDnsRecord } from '#contract/domain.ts';
import { visible } from '../ui/visible.ts';
import { fieldsOf, nameOf, type SendingDomain } from './recordFields.ts';

const IPV4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?=\d)|$)){4}$/;

/** Seconds that resolvers may keep what nobody has said anything else about. */
const TTL = 3600;
/** Of an MX whose value has no number; every mail provider is content with it. */
const PRIORITY = 10;

/**
 * The records as zone-file text (RFC 1035, section 5.1), relative to the domain, for a zone that has its SOA already. What
 * cannot be written stands as a comment; so does what lies outside the domain, which a name server would refuse here.
 */
export function zoneFile(domain: SendingDomain, records: readonly ReadableDnsRecord[]): string {
  const zone = dnsName(domain.name);
  const origin = zone === null ? `; not a domain: ${quoted(domain.name)}` : `$ORIGIN ${zone}.`;
  return [origin, `$TTL ${TTL}`, ...records.map((record) => zoneLine(record, domain)), ''].join('\n');
}

/** As JSON in which nothing ends a line or hides. */
const quoted = (value: unknown) => visible(JSON.stringify(value));

function zoneLine(record: ReadableDnsRecord, domain: SendingDomain): string {
  const type = record.type?.toUpperCase() ?? '';
  const name = nameOf(record, domain);
  const data = record.value === null ? null : recordData(type, record.value, fieldsOf(record, domain));
  if (name === null || data === null) {
    const { name: listed, value } = record;
    return `; not written: ${quoted({ type, name: listed, value })}`;
  }
  const host = relativeTo(name, dnsName(domain.name) ?? '');
  const line = (owner: string) => `${owner}\tIN\t${type}\t${data}`;
  return host === name ? `; for another zone: ${line(`${name}.`)}` : line(host);
}

/** `written` is the value as the service has it; `value` and `priority` are what is in it. */
function recordData(
  type: string,
  written: string,
  { value, priority }: Pick<Fix, 'value' | 'priority'>,
): string | null {
  const server = dnsName(value);
  switch (type) {
    case 'CNAME':
    case 'NS':
      return server === null ? null : `${server}.`;
    case 'MX':
      // A server has a name, and not only a number.
      return server !== null && /[^\d.]/.test(server) && (priority ?? PRIORITY) <= 65_535
        ? `${priority ?? PRIORITY} ${server}.`
        : null;
    case 'A':
      return IPV4.test(value) ? value : null;
    case 'AAAA':
      return /^[\da-f:.]+$/i.test(value) && URL.canParse(`http://[${value}]`) ? value : null;
    case 'TXT':
      return characterStrings(written);
    default:
      return null;
  }
}

/** TXT data: quoted strings of at most 255 bytes each; what is not printable ASCII is written as `\DDD`. */
function characterStrings(value: string): string {
  const bytes = [...bytesOf(value)];
  const strings: string[] = [];
  for (let start = 0; start < bytes.length || start === 0; start += 255) {
    strings.push(
      `"${bytes
        .slice(start, start + 255)
        .map(escapeByte)
        .join('')}"`,
    );
  }
  return strings.join(' ');
}

function escapeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  if (char === '"' || char === '\\') return `\\${char}`;
  return byte >= 32 && byte < 127 ? char : `\\${String(byte).padStart(3, '0')}`;
}
