import { generateKeyPairSync } from 'node:crypto';

// What the lab's DNS holds: a provider of mail and, for each fault, a sending domain that differs from the right one in one thing.

export const PROVIDER = 'provider.test';

const rsaKey = (bits: number) =>
  generateKeyPairSync('rsa', { modulusLength: bits })
    .publicKey.export({ type: 'spki', format: 'der' })
    .toString('base64');
export const KEY = `v=DKIM1; k=rsa; p=${rsaKey(2048)}`;
export const SHORT_KEY = `v=DKIM1; k=rsa; p=${rsaKey(1024)}`;
export const WEAK_KEY = `v=DKIM1; k=rsa; p=${rsaKey(512)}`;

/** The records that a sending domain needs, as the interface describes them. */
export const RECORDS = {
  k1: { type: 'CNAME', name: 'k1._domainkey', value: `k1.dkim.${PROVIDER}` },
  k2: { type: 'CNAME', name: 'k2._domainkey', value: `k2.dkim.${PROVIDER}` },
  key: { type: 'TXT', name: 's._domainkey', value: KEY },
  mx: { type: 'MX', name: 'bounce', value: `10 feedback.${PROVIDER}` },
  spf: { type: 'TXT', name: 'bounce', value: `v=spf1 include:${PROVIDER} ~all` },
  dmarc: { type: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=none' },
};
export type RecordKey = keyof typeof RECORDS;

/** A domain as the service describes it, with some of its records; the first may expect another value. */
export function sendingDomain(name: string, keys: readonly RecordKey[], value?: string) {
  const [first, ...others] = keys.map((key) => ({ ...RECORDS[key], is_valid: false }));
  if (first === undefined) throw new Error('A sending domain has records.');
  return {
    name,
    mail_from_domain: `bounce.${name}`,
    dns: [{ ...first, value: value ?? first.value }, ...others],
  };
}

/** Lines of a zone file in place of those of some records, and after all of them. */
export type Change = Partial<Record<RecordKey | 'more', string>>;

/** Text of a TXT record as zone files have it. */
export function quoted(text: string): string {
  return (text.match(/.{1,255}/gs) ?? ['']).map((piece) => `"${piece.replaceAll(/["\\]/g, '\\$&')}"`).join(' ');
}

/** A right domain but for `change`. */
export function domainLines(change: Change = {}): string[] {
  const right = Object.entries(RECORDS).map(([key, record]) => [key, line(record)] as const);
  return Object.values({ ...Object.fromEntries(right), more: '', ...change });
}

export function line({ type, name, value }: { type: string; name: string; value: string }): string {
  return `${name} ${type} ${type === 'TXT' ? quoted(value) : `${value}.`}`;
}

export type ZoneSettings = {
  /** Where the names of `lines` end; the zone itself unless said. */
  origin?: string;
  serial?: number;
  /** Seconds that answers are remembered, and that "there is nothing" is. */
  ttl?: number;
  /** The server that has changes first. */
  primary?: string;
};

/** A zone as the file that a name server loads. `hosts` are its name servers. */
export function zoneText(
  zone: string,
  hosts: readonly string[],
  lines: readonly string[],
  { origin = zone, serial = 2026112001, ttl = 300, primary = 'ns1.host.test' }: ZoneSettings = {},
): string {
  return [
    `$ORIGIN ${zone}.`,
    `$TTL ${ttl}`,
    `@ SOA ${primary}. hostmaster.host.test. ${serial} 3600 600 86400 ${ttl}`,
    ...hosts.map((host) => `@ NS ${host}.`),
    `$ORIGIN ${origin}.`,
    ...lines,
    '',
  ].join('\n');
}

/** The zone of the provider: what right records lead to. */
export const PROVIDER_LINES = [
  `@ TXT "v=spf1 ip4:192.0.2.0/24 -all"`,
  ...['k1', 'k2'].map((selector) => `${selector}.dkim TXT ${quoted(KEY)}`),
  'feedback A 192.0.2.25',
];
