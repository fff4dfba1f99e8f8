import type { ListedDomain } from '../runCheckCommand.ts';
import { PROVIDER } from '../companies.ts';
import { otherRsa2048, rsa1024, rsa2048, rsa512 } from '../situations/keys.ts';
import { quoted } from '../zoneFile.ts';

const rsaKey = (key: string) => `v=DKIM1; k=rsa; p=${key}`;
export const KEY = rsaKey(rsa2048);
export const OTHER_KEY = rsaKey(otherRsa2048);
export const SHORT_KEY = rsaKey(rsa1024);
export const WEAK_KEY = rsaKey(rsa512);

/** The records that a sending domain needs, as the interface describes them. */
export const RECORDS = {
  k1: { type: 'CNAME', name: 'k1._domainkey', value: `k1.dkim.${PROVIDER}` },
  k2: { type: 'CNAME', name: 'k2._domainkey', value: `k2.dkim.${PROVIDER}` },
  key: { type: 'TXT', name: 's._domainkey', value: KEY },
  mx: { type: 'MX', name: 'bounce', value: `10 feedback.${PROVIDER}` },
  spf: { type: 'TXT', name: 'bounce', value: `v=spf1 include:spf.${PROVIDER} ~all` },
  dmarc: { type: 'TXT', name: '_dmarc', value: 'v=DMARC1; p=none' },
};
export type RecordKey = keyof typeof RECORDS;
export const RECORD_KEYS = Object.keys(RECORDS) as RecordKey[];

/** A domain as the service lists it, with some of its records. The first may have another expected value. */
export function sendingDomain(
  name: string,
  keys: readonly RecordKey[],
  { value, stored = false }: { value?: string; stored?: boolean } = {},
): ListedDomain {
  const [first, ...others] = keys.map((key) => ({ ...RECORDS[key], is_valid: stored }));
  if (first === undefined) throw new Error('A sending domain has records.');
  return { name, mail_from_domain: `bounce.${name}`, dns: [{ ...first, value: value ?? first.value }, ...others] };
}

/** Lines of a zone file that replace those of some records, and lines after all of them. */
export type RecordChange = Partial<Record<RecordKey | 'more', string>>;

/** The lines of a right domain with `change`. */
export function domainLines(change: RecordChange = {}): string[] {
  const right = Object.entries(RECORDS).map(([key, record]) => [key, line(record)] as const);
  return Object.values({ ...Object.fromEntries(right), more: '', ...change });
}

/** A record as a line of a zone file. */
export function line({ type, name, value }: { type: string; name: string; value: string }): string {
  return `${name} ${type} ${type === 'TXT' ? quoted(value) : `${value}.`}`;
}

export const cname = (target: string) => `k1._domainkey CNAME ${target}`;

export const mx = (...records: string[]) => records.map((record) => `bounce MX ${record}`).join('\n');

export const text = (name: string, ...texts: string[]) => texts.map((one) => `${name} TXT ${quoted(one)}`).join('\n');
