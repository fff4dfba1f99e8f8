import type { DnsRecord, Domain, SenderAddress } from '#contract/domains/domain.ts';
import { must } from '#contract/values/must.ts';
import type { Random } from './seededRandom.ts';

const DAY = 86_400_000;

/** A separate seed, so that the DNS of the demo can create the domains without the rest. */
export const DOMAINS_SEED = 20_260_402;

const BRANDS = [
  'northwind',
  'globex',
  'initech',
  'blue-harbour',
  'kestrel',
  'umbrella-foods',
  'cafe-central',
  'orsted-marine',
  'acme',
  'lumen',
] as const;
const PREFIXES = ['', 'mail.', 'news.', 'notify.', 'billing.', 'eu.mail.'] as const;
const LOCALS = [
  'hello',
  'support',
  'billing',
  'news',
  'no-reply',
  'team',
  'orders',
  'events',
  'security',
  'press',
  'jobs',
  'legal',
] as const;

/** How a record is published. `right`: as listed, but the provider hasn't seen it yet. */
export type DemoFault =
  | 'right'
  | 'late'
  | 'missing'
  | 'doubled'
  | 'other target'
  | 'target doubled'
  | 'as text'
  | 'addresses'
  | 'extra'
  | 'priority in host'
  | 'quoted'
  | 'other include'
  | 'twice';

/** By the place of a domain and of its record. All other records are published as listed, and stored as valid. */
export const DEMO_FAULTS: Readonly<Record<number, Readonly<Record<number, DemoFault>>>> = {
  6: { 0: 'as text', 1: 'right', 5: 'twice' },
  12: { 4: 'target doubled', 9: 'missing', 17: 'other target', 24: 'priority in host' },
  16: { 0: 'doubled', 1: 'other target', 2: 'late', 3: 'right', 4: 'other include' },
  17: { 1: 'late', 3: 'extra', 4: 'twice' },
  21: { 0: 'right', 1: 'right', 2: 'right', 6: 'right' },
  22: { 1: 'missing', 3: 'extra', 4: 'quoted' },
  31: { 0: 'addresses', 1: 'doubled', 2: 'other target', 3: 'right', 4: 'other include' },
  54: { 2: 'late' },
  57: { 0: 'right', 1: 'right', 2: 'right', 3: 'right', 4: 'right', 5: 'right' },
};

/** The only one that the provider lists no records for. */
const WITHOUT_RECORDS = 59;

/** Sixty domains, in every state that a domain can have. Most are as they should be. */
export function demoDomains(random: Random, now: number): Domain[] {
  return PREFIXES.flatMap((prefix) => BRANDS.map((brand) => `${prefix}${brand}.example`)).map((name, index) => {
    const dns = records(random, index === 7 ? long(name) : name, index);
    const valid = dns.filter((record) => record.is_valid).length;
    const verified = dns.length > 0 && valid === dns.length;
    const failed = valid === 0 && index % 4 === 0;
    const created = now - Math.floor((2 + random.next() * 600) * DAY);
    return {
      uuid: random.uuid(),
      name: index === 7 ? long(name) : name,
      domain: index === 7 ? long(name) : name,
      verified,
      provider: index % 5 === 4 ? 'smtp-relay' : 'ses',
      // Unknown statuses, as another service may send them. Pages must show them as they are.
      status: verified ? 'completed' : (['under_review', 'throttled'][index - 21] ?? (failed ? 'failed' : 'pending')),
      verification: verified ? 'completed' : failed ? 'failed' : 'pending',
      mail_from_domain: index % 9 === 8 ? '' : `bounce.${index === 7 ? long(name) : name}`,
      mail_from_verified: dns.some((record) => record.type === 'MX' && record.is_valid),
      dns,
      created_at: new Date(created).toISOString(),
      updated_at: new Date(created + Math.floor(random.next() * (now - created))).toISOString(),
    };
  });
}

const long = (name: string) => `a-subdomain-with-a-long-name.in.another-one.${name}`;

function records(random: Random, name: string, index: number): DnsRecord[] {
  if (index === WITHOUT_RECORDS) return [];
  const dkim = Array.from({ length: index === 12 ? 24 : 3 }, () => {
    const selector = random.uuid().replaceAll('-', '');
    return { type: 'CNAME', name: `${selector}._domainkey.${name}`, value: `${selector}.dkim.mail.example.net` };
  });
  const wanted = [
    ...dkim,
    { type: 'MX', name: `bounce.${name}`, value: '10 feedback-smtp.eu.mail.example.net' },
    { type: 'TXT', name: `bounce.${name}`, value: 'v=spf1 include:spf.mail.example.net ~all' },
    ...(index % 3 === 0
      ? [{ type: 'TXT', name: `_dmarc.${name}`, value: `v=DMARC1; p=none; rua=mailto:dmarc@${name}` }]
      : []),
    ...(index === 21 ? [{ type: 'TLSA', name: `_25._tcp.${name}`, value: '3 1 1 0123456789abcdef' }] : []),
  ];
  return wanted.map((record, position) => ({ ...record, is_valid: DEMO_FAULTS[index]?.[position] === undefined }));
}

export function demoAddresses(random: Random, domain: Domain, index: number, now: number): SenderAddress[] {
  const count = index === 0 ? 40 : index % 6 === 5 ? 0 : random.below(15);
  return Array.from({ length: count }, (_, at) => {
    const base = must(LOCALS[at % LOCALS.length]);
    const address = at < LOCALS.length ? base : `${base}-${Math.floor(at / LOCALS.length)}`;
    const created = Date.parse(domain.created_at) + Math.floor(random.next() * (now - Date.parse(domain.created_at)));
    const time = new Date(created).toISOString();
    return {
      uuid: random.uuid(),
      domain_uuid: domain.uuid,
      address,
      full_address: `${address}@${domain.name}`,
      provider: domain.provider,
      display_name: random.pick(['Northwind', 'The Globex Team', 'Kestrel & Sons, “Orders”', 'Søren from Ørsted', '']),
      verification: random.pick(['completed', 'completed', 'completed', 'pending', 'failed']),
      created_at: time,
      updated_at: time,
    };
  });
}
