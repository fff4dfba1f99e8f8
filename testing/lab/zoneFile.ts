import { domainToASCII } from 'node:url';
import type { Zone } from './situation.ts';

/** `negativeTtl`: seconds, if it differs from the TTL of the records. */
export type LabZone = Zone & { negativeTtl?: number };

const TTL_SECONDS = 300;
const SERIAL = 2026112001;
const OWN_SOA = /^@\s+(\d+\s+)?SOA\s/m;
export const DEFAULT_NAME_SERVERS = ['ns1.dnshost.net', 'ns2.dnshost.net'];

/** A name with A-labels in lower case, without the final dot. */
export function asciiName(name: string): string {
  return name
    .split('.')
    .map((label) => (/[^\p{ASCII}]/u.test(label) ? domainToASCII(label) : label.toLowerCase()))
    .join('.');
}

export function isBelow(name: string, zone: string): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`);
}

/** Character strings of a TXT record in zone-file syntax. */
export function txt(value: string): string {
  const bytes = Buffer.from(value);
  const strings = Array.from({ length: Math.ceil(bytes.length / 255) || 1 }, (_, index) =>
    [...bytes.subarray(index * 255, index * 255 + 255)].map((byte) => {
      const character = String.fromCharCode(byte);
      if (byte < 0x20 || byte > 0x7e) return `\\${String(byte).padStart(3, '0')}`;
      return /["\\]/.test(character) ? `\\${character}` : character;
    }),
  );
  return strings.map((characters) => `"${characters.join('')}"`).join(' ');
}

/** The zone file that a name server loads; `more` are additional lines, such as delegations. */
export function zoneFile(
  {
    name,
    ns = DEFAULT_NAME_SERVERS,
    ttl = TTL_SECONDS,
    negativeTtl = ttl,
    serial = SERIAL,
    primary = ns[0] ?? 'ns1.dnshost.net',
  }: LabZone,
  text: string,
  more: readonly string[],
): string {
  const zone = asciiName(name);
  const origin = zone === '' ? '.' : `${zone}.`;
  return [
    `$ORIGIN ${origin}`,
    `$TTL ${ttl}`,
    ...(OWN_SOA.test(text)
      ? []
      : [`@ ${ttl} SOA ${primary}. hostmaster.dnshost.net. ${serial} 3600 600 86400 ${negativeTtl}`]),
    ...ns.map((host) => `@ NS ${host}.`),
    text,
    `$ORIGIN ${origin}`,
    ...more,
    '',
  ].join('\n');
}

/** Addresses of a name in a zone text, as `A 192.0.2.1`. */
export function addressesIn({ name, text }: Zone, host: string): string[] {
  const zone = asciiName(name);
  return text.split('\n').flatMap((line) => {
    const [, owner = '', type = '', address = ''] = /^(\S+)\s+(?:\d+\s+)?(?:IN\s+)?(A|AAAA)\s+(\S+)/.exec(line) ?? [];
    const full = owner === '@' ? zone : owner.endsWith('.') ? owner.slice(0, -1) : `${owner}.${zone}`;
    return full.toLowerCase() === host ? `${type} ${address}` : [];
  });
}
