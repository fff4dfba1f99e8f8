import { parseTxtBytes } from '#contract/characterStrings.ts';
import type { Fix } from '#contract/dnsCheck.ts';
import { normalizeDnsName } from '#contract/dnsName.ts';

const IPV4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?=\d)|$)){4}$/;

/** For an MX without a priority. */
const PRIORITY = 10;

/**
 * The data of a record in zone-file syntax (RFC 1035, section 5.1); null when the value is not valid for the type.
 * `written` is the value as it is listed, quoted or not. `value` and `priority` are parsed from it.
 */
export function zoneData(type: string, written: string, { value, priority }: Pick<Fix, 'value' | 'priority'>) {
  const server = normalizeDnsName(value);
  switch (type) {
    case 'CNAME':
    case 'NS':
      return server === null ? null : `${server}.`;
    case 'MX':
      // A value of digits and dots is a priority or an address, not the name of a server.
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

/** TXT data: quoted strings of at most 255 bytes each. Bytes that are not printable ASCII are written as `\DDD`. */
function characterStrings(value: string): string {
  const bytes = [...parseTxtBytes(value)];
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
