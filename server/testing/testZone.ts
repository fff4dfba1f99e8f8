import { generateKeyPairSync } from 'node:crypto';
import { type Answer, decode } from 'dns-packet';
import { beforeEach, vi } from 'vitest';
import type { Finding } from '#contract/domains/dnsCheck.ts';
import { checkDomain, checkWholeDomain, type RecordCheck } from '../dns/checkDomain.ts';
import { DnsClient, type DnsClientOptions } from '../dns/conversation/dnsClient.ts';
import type { SendingDomain } from '../dns/expectedRecord.ts';
import { decodeResponse, encodeQuery } from '../dns/wire/message.ts';
import { isSpecialUse } from '../dns/wire/specialUse.ts';
import type { Transport } from '../dns/wire/transport.ts';
import { addZone, createServers, NS1, NS2, RESOLVER, type TestDns } from './testDns.ts';

const ID = 7;

// Checks one record in a zone of its own, with a provider whose records are right.

/** The records of a zone; `at` makes a full name of a host, and `@` is the zone itself. */
export type BuildZone = (at: (host: string) => string) => Answer[];
/** A listed record; `@` in its value is the zone. */
export type ListedRecord = { type: string; name: string; value: string; is_valid?: boolean };

export function txt(name: string, ...data: string[]): Answer {
  return { type: 'TXT', name, data: data.flatMap((text) => text.match(/.{1,255}/gs) ?? ['']) };
}
export const cname = (name: string, data: string): Answer => ({ type: 'CNAME', name, data });
export const address = (name: string, data: string): Answer => ({ type: 'A', name, data });
export const mx = (name: string, preference: number, exchange: string): Answer => ({
  type: 'MX',
  name,
  data: { preference, exchange },
});

const rsa = (bits: number) => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  return `v=DKIM1; k=rsa; p=${publicKey.export({ type: 'spki', format: 'der' }).toString('base64')}`;
};
export const KEY = rsa(2048);
export const OTHER_KEY = rsa(2048);
export const WEAK_KEY = rsa(512);
export const SPF = 'v=spf1 include:spf.provider.test ~all';
export const DMARC = 'v=DMARC1; p=none';

export const K1: ListedRecord = { type: 'CNAME', name: 'k1._domainkey', value: 'k1.dkim.provider.test' };
export const MX: ListedRecord = { type: 'MX', name: 'bounce', value: '10 feedback.provider.test' };
export const BOUNCE_SPF: ListedRecord = { type: 'TXT', name: 'bounce', value: SPF };
export const DKIM: ListedRecord = { type: 'TXT', name: 's._domainkey', value: KEY };
export const POLICY: ListedRecord = { type: 'TXT', name: '_dmarc', value: DMARC };
export const ADDRESS: ListedRecord = { type: 'A', name: 'track', value: '192.0.2.1' };

/** A zone in which `K1` is right. */
export const RIGHT_ZONE: BuildZone = (at) => [cname(at(K1.name), K1.value)];

/** The same servers without a network. Silence takes no time, but the clock of the check goes on by the timeout. */
function createTestDns(): TestDns {
  const { dns, answer } = createServers(0);
  const places = new Set(Object.values(dns.addresses));
  let now = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const transport: Transport = async ({ name, address }, query, timeout) => {
    if (name !== null && isSpecialUse(address)) return 'refused address';
    if (!places.has(address)) return name === null ? 'connection refused' : 'no route';
    const end = now + timeout;
    const packet = decode(encodeQuery(ID, query));
    const bytes = answer(address, packet, query.isTcp === true);
    if (bytes === null) {
      await new Promise(setImmediate);
      now = Math.max(now, end);
      return 'timeout';
    }
    const response = decodeResponse(query.isTcp ? bytes.subarray(2) : bytes, ID, query);
    if (response?.isTruncated !== true) return response ?? 'garbled';
    return decodeResponse((answer(address, packet, true) ?? bytes).subarray(2), ID, query) ?? 'truncated';
  };
  return {
    ...dns,
    dnsClient: (options) => new DnsClient({ resolvers: dns.resolvers, transport, ...options }),
    [Symbol.asyncDispose]: async () => {},
  };
}

/** Name servers with a provider, for the tests of a file. Before each of them all servers answer correctly. */
export function createTestProvider(): TestDns {
  const dns = createTestDns();
  addProvider(dns);
  beforeEach(() => resetServers(dns));
  return dns;
}

/** Adds a provider to `dns`, and the zone of the name servers. */
function addProvider(dns: TestDns): void {
  const hosts = (['ns1', 'ns2', 'lame'] as const).map((host) => address(`${host}.host.test`, dns.addresses[host]));
  addZone(dns, 'host.test', hosts);
  addZone(dns, 'provider.test', [
    txt('k1.dkim.provider.test', KEY),
    txt('spf.provider.test', 'v=spf1 ip4:192.0.2.0/24 -all'),
    address('feedback.provider.test', '192.0.2.25'),
  ]);
}

/** From now on all servers answer correctly, and no queries are recorded. */
function resetServers(dns: TestDns): void {
  for (const server of [NS1, NS2, RESOLVER, 'registry', 'lame']) dns.misbehave[server] = () => undefined;
  dns.queries.length = 0;
}

/** An internal error fails the test. */
export const onFault = (fault: unknown): never => {
  throw fault;
};

let count = 0;
/** The next zone, and the last one. */
export const nextZone = () => `d${count}.test`;
export const lastZone = () => `d${count - 1}.test`;

/** Adds a new zone to `dns`, and returns the full names in it. */
export function publishZone(dns: TestDns, zone: BuildZone): (host: string) => string {
  const name = nextZone();
  count++;
  const at = (host: string) => (host === '@' ? name : host.endsWith('.test') ? host : `${host}.${name}`);
  addZone(dns, name, zone(at));
  return at;
}

/** Publishes a new zone, and checks one record that should be in it. */
export async function checkInZone(
  dns: TestDns,
  zone: BuildZone,
  { is_valid = false, ...listed }: ListedRecord,
  client: DnsClient = dns.dnsClient(),
): Promise<Finding & { zone: string }> {
  const name = publishZone(dns, zone)('@');
  const domain = {
    name,
    mail_from_domain: `bounce.${name}`,
    dns: [{ ...listed, value: listed.value.replace('@', name), is_valid }],
  };
  // Stops before advice is queried.
  for await (const { finding } of checkDomain(client, domain, { onError: onFault })) return { ...finding, zone: name };
  throw new Error('There is one record.');
}

/** How mail is sent; hosts are in the zone. */
export type SendingSetup = {
  /** Whether to ask for advice on mail that the domain receives, too. */
  advisesOnIncoming?: boolean;
  from?: string;
  mailFrom?: string | null;
  sendsBulk?: boolean;
  records?: readonly [type: string, name: string, value: string][];
};

/** Publishes a new zone, sends from `from` in it (the zone itself), and returns each advice by its subject. */
export async function adviseInZone(
  dns: TestDns,
  zone: BuildZone,
  {
    from = '@',
    mailFrom = 'bounce',
    records = [[K1.type, K1.name, K1.value]],
    advisesOnIncoming = false,
    sendsBulk,
  }: SendingSetup = {},
  options: Partial<DnsClientOptions> = {},
): Promise<Partial<Record<string, Finding>>> {
  const at = publishZone(dns, zone);
  const domain = {
    name: at(from),
    mail_from_domain: mailFrom === null ? null : at(mailFrom),
    dns: records.map(([type, name, value]) => ({ type, name, value, is_valid: null })),
    sends_bulk: sendsBulk,
  };
  const { advice } = await checkWholeDomain(dns.dnsClient(options), domain, { onError: onFault, advisesOnIncoming });
  return Object.fromEntries(advice.map(({ about, finding }) => [about, finding]));
}

/** Checks all records of a domain whose zone is published. */
export async function checkRecords(client: DnsClient, domain: SendingDomain): Promise<RecordCheck[]> {
  return (await checkWholeDomain(client, domain, { onError: onFault })).records;
}
