import type { ReadableDnsRecord } from '#contract/domain.ts';

export type RecordsSummary = { total: number; valid: number; broken: number; unknown: number };

/** Counts by stored verdict. A record whose verdict the service did not send is neither valid nor broken. */
export function summarise(records: readonly ReadableDnsRecord[] | null): RecordsSummary {
  const all = records ?? [];
  const valid = all.filter((record) => record.is_valid === true).length;
  const broken = all.filter((record) => record.is_valid === false).length;
  return { total: all.length, valid, broken, unknown: all.length - valid - broken };
}

const withoutFinalDot = (name: string) => name.replace(/\.$/, '');

/** The host as most DNS forms want it: relative to the domain, `@` for the domain itself; whole when it is elsewhere. */
export function relativeHost(name: string, domain: string): string {
  const host = withoutFinalDot(name);
  const zone = withoutFinalDot(domain).toLowerCase();
  if (host.toLowerCase() === zone) return '@';
  return host.toLowerCase().endsWith(`.${zone}`) ? host.slice(0, -zone.length - 1) : host;
}

/** An MX value "10 mx.example.net" apart; other values, and an MX without a number, have no priority. */
export function splitPriority(record: ReadableDnsRecord): { priority: string | null; value: string } {
  const value = record.value ?? '';
  const parts = record.type?.toUpperCase() === 'MX' ? /^\s*(\d{1,5})\s+(\S+)\s*$/.exec(value) : null;
  return parts === null ? { priority: null, value } : { priority: parts[1] ?? null, value: parts[2] ?? '' };
}

const HOST = /^[\w*@-][\w.*-]*$/;

/** The records as zone-file text (RFC 1035, section 5.1), relative to the domain. What cannot be written stands as a comment. */
export function zoneFile(domain: string, records: readonly ReadableDnsRecord[]): string {
  const lines = records.map((record) => zoneLine(record, domain));
  return [`$ORIGIN ${withoutFinalDot(domain)}.`, ...lines, ''].join('\n');
}

function zoneLine(record: ReadableDnsRecord, domain: string): string {
  const type = record.type?.toUpperCase() ?? '';
  const name = record.name ?? '';
  const relative = relativeHost(name, domain);
  const host = relative === withoutFinalDot(name) ? `${relative}.` : relative;
  const data = recordData(type, splitPriority(record));
  if (data === null || !HOST.test(host)) return `; not written: ${JSON.stringify({ type, name, value: record.value })}`;
  return `${host}\tIN\t${type}\t${data}`;
}

function recordData(type: string, { priority, value }: { priority: string | null; value: string }): string | null {
  switch (type) {
    case 'CNAME':
    case 'NS':
      return HOST.test(value) ? `${withoutFinalDot(value)}.` : null;
    case 'MX':
      return priority !== null && HOST.test(value) ? `${priority} ${withoutFinalDot(value)}.` : null;
    case 'A':
    case 'AAAA':
      return /^[\da-f.:]+$/i.test(value) ? value : null;
    case 'TXT':
      return characterStrings(value);
    default:
      return null;
  }
}

/** TXT data: quoted strings of at most 255 bytes each; what is not printable ASCII is written as `\DDD`. */
function characterStrings(value: string): string {
  const plain = /^".*"$/s.test(value) ? value.slice(1, -1).replaceAll(/"\s+"/g, '') : value;
  const bytes = new TextEncoder().encode(plain);
  const strings: string[] = [];
  for (let start = 0; start < bytes.length || start === 0; start += 255) {
    strings.push(`"${Array.from(bytes.slice(start, start + 255), escapeByte).join('')}"`);
  }
  return strings.join(' ');
}

function escapeByte(byte: number): string {
  const char = String.fromCharCode(byte);
  if (char === '"' || char === '\\') return `\\${char}`;
  return byte >= 32 && byte < 127 ? char : `\\${String(byte).padStart(3, '0')}`;
}
