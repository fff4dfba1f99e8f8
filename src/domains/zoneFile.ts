import type { ReadableDnsRecord } from '#contract/domain.ts';
import { visible } from '../ui/visible.ts';
import { relativeHost, splitPriority, withoutFinalDot } from './dnsRecord.ts';

const HOST = /^(?=.{1,253}\.?$)[\w*-]{1,63}(\.[\w*-]{1,63})*\.?$/;
const IPV4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?=\d)|$)){4}$/;

/** Seconds that resolvers may keep what nobody has said anything else about. */
const TTL = 3600;
/** Of an MX whose value has no number; every mail provider is content with it. */
const PRIORITY = '10';

/**
 * The records as zone-file text (RFC 1035, section 5.1), relative to the domain, for a zone that has its SOA already. What
 * cannot be written stands as a comment; so does what lies outside the domain, which a name server would refuse here.
 */
export function zoneFile(domain: string, records: readonly ReadableDnsRecord[]): string {
  const origin = HOST.test(domain) ? `$ORIGIN ${withoutFinalDot(domain)}.` : `; not a domain: ${quoted(domain)}`;
  return [origin, `$TTL ${TTL}`, ...records.map((record) => zoneLine(record, domain)), ''].join('\n');
}

/** As JSON in which nothing ends a line or hides. */
const quoted = (value: unknown) => visible(JSON.stringify(value));

function zoneLine(record: ReadableDnsRecord, domain: string): string {
  const type = record.type?.toUpperCase() ?? '';
  const host = zoneHost(record.name ?? '', domain);
  const data = record.value === null ? null : recordData(type, splitPriority(record));
  if (host === null || data === null) {
    const { name, value } = record;
    return `; not written: ${quoted({ type, name, value })}`;
  }
  const line = `${host}\tIN\t${type}\t${data}`;
  return host.endsWith('.') ? `; for another zone: ${line}` : line;
}

/** A name outside the domain ends with a dot. One without any dot can only be meant inside. */
function zoneHost(name: string, domain: string): string | null {
  if (name === '@') return name;
  if (!HOST.test(name)) return null;
  const relative = relativeHost(name, domain);
  return relative === withoutFinalDot(name) && name.includes('.') ? `${relative}.` : relative;
}

function recordData(type: string, { priority, value }: { priority: string | null; value: string }): string | null {
  switch (type) {
    case 'CNAME':
    case 'NS':
      return HOST.test(value) ? `${withoutFinalDot(value)}.` : null;
    case 'MX':
      // A server has a name, and not only a number.
      return HOST.test(value) && /[^\d.]/.test(value) && Number(priority) <= 65_535
        ? `${priority ?? PRIORITY} ${withoutFinalDot(value)}.`
        : null;
    case 'A':
      return IPV4.test(value) ? value : null;
    case 'AAAA':
      return /^[\da-f:.]+$/i.test(value) && URL.canParse(`http://[${value}]`) ? value : null;
    case 'TXT':
      return characterStrings(value);
    default:
      return null;
  }
}

/** TXT data: quoted strings of at most 255 bytes each; what is not printable ASCII is written as `\DDD`. */
function characterStrings(value: string): string {
  const bytes = QUOTED.test(value) ? unquote(value) : [...new TextEncoder().encode(value)];
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

/** A value that is zone-file text already, as in `"v=DKIM1\; " "p=..."`. */
const QUOTED = /^\s*("([^"\\]|\\.)*"\s*)+$/s;

function unquote(value: string): number[] {
  const text = [...value.matchAll(/"((?:[^"\\]|\\.)*)"/gsu)].map(([, inner = '']) => inner).join('');
  return text.split(/\\(\d{3}|.)/su).flatMap((part, index) => {
    const isByte = index % 2 === 1 && part.length === 3;
    return isByte ? [Number(part) & 255] : [...new TextEncoder().encode(part)];
  });
}

function escapeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  if (char === '"' || char === '\\') return `\\${char}`;
  return byte >= 32 && byte < 127 ? char : `\\${String(byte).padStart(3, '0')}`;
}
