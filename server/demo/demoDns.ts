import { decode, type Packet, type Question, type Answer } from 'dns-packet';
import type { CheckedLine } from '../domains/checks/checkedLine.ts';
import { checkDomain } from '../dns/checkDomain.ts';
import { DnsClient } from '../dns/conversation/dnsClient.ts';
import { decodeResponse, encodeQuery } from '../dns/wire/message.ts';
import {
  createPacketHandler,
  listenOnSamePort,
  answerAsResolver,
  answerAsNameServer,
  type InMemoryZones,
} from './nameServer.ts';
import type { Transport } from '../dns/wire/transport.ts';
import { DEMO_FAULTS, type DemoFault, demoDomains, DOMAINS_SEED } from './demoDomains.ts';
import { seededRandom } from './seededRandom.ts';
import type { DnsRecord, Domain } from '#contract/domains/domain.ts';

const REMEMBERED = 60;
const ADDRESS = '127.0.0.1';

export type DemoDns = AsyncDisposable & {
  dnsClient: DnsClient;
  resolver: string;
};

/** Whether the demo has this name. Only reserved names (RFC 2606). */
export function isDemoName(name: string): boolean {
  return /(^|\.)example\.?$/i.test(name);
}

/** The resolver on this machine is for `dns-check`. */
export async function startDemoDns(): Promise<DemoDns> {
  const { zones, lateNames } = demoZones(demoDomains(seededRandom(DOMAINS_SEED), 0), ADDRESS);
  const resolver = createStaleResolver(zones, lateNames);
  const { port, close } = await listenOnSamePort([ADDRESS], createPacketHandler(resolver));
  return {
    dnsClient: new DnsClient({
      resolvers: [{ address: ADDRESS, port }],
      transport: createInProcessTransport((question) => answerAsNameServer(zones, question), resolver),
    }),
    resolver: `${ADDRESS}:${port}`,
    [Symbol.asyncDispose]: close,
  };
}

/** What checks of the domains find, without listening on a port. */
export async function checkDemoDomains(
  domains: readonly Domain[],
): Promise<{ domain: Domain; lines: CheckedLine[] }[]> {
  const { zones, lateNames } = demoZones(domains, ADDRESS);
  const resolver = createStaleResolver(zones, lateNames);
  const transport = createInProcessTransport((question) => answerAsNameServer(zones, question), resolver);
  const dnsClient = new DnsClient({ resolvers: [{ address: ADDRESS, port: 53 }], transport });
  const checked = [];
  for (const domain of domains) {
    checked.push({ domain, lines: await Array.fromAsync(checkDomain(dnsClient, domain, { onError: throwError })) });
  }
  return checked;
}

function throwError(error: unknown): never {
  throw error;
}

function createInProcessTransport(
  nameServer: (question: Question) => Packet,
  resolver: (question: Question) => Packet,
): Transport {
  const [authoritative, recursive] = [createPacketHandler(nameServer), createPacketHandler(resolver)];
  const id = 1;
  return async ({ name, address }, query) => {
    const packet = decode(encodeQuery(id, query));
    const framed = (name === null ? recursive : authoritative)(address, packet, true);
    // Over TCP, the length of a message precedes it in two bytes.
    return (framed && decodeResponse(framed.subarray(2), id, query)) ?? 'timeout';
  };
}

/** A resolver that caches negative responses about the `late` names for a while. */
function createStaleResolver(zones: InMemoryZones, late: ReadonlySet<string>): (question: Question) => Packet {
  const ends = new Map<string, number>();
  return (question) => {
    if (!late.has(question.name)) return answerAsResolver([zones], question);
    const now = Date.now();
    const end = ends.getOrInsert(question.name, now + REMEMBERED * 1000);
    if (end <= now) return answerAsResolver([zones], question);
    const nothing = answerAsResolver([zones], { ...question, name: `nothing-yet.${question.name}` });
    return {
      ...nothing,
      authorities: nothing.authorities?.map((soa) => ({ ...soa, ttl: Math.ceil((end - now) / 1000) })),
    };
  };
}

const SERVER = 'ns1.dns.example';
const PROVIDER = 'mail.example.net';
/** The mail server of the owners of the domains. */
const OFFICE_MX = 'mx.office.example';
/** The DKIM key of the provider: RSA, 2048 bits. Its private key is lost. */
const KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAnQFyN/4oGExB6FHsHyeoZGEbJJMQS+1uu3ACTyhO+FnE0uIjxRa56UFi' +
  'NAQNqNHENhpvPX2xI8Aa1OV1D+MbkdR/IoZtv3edIkahVU5K4tjvNujxkjvghxrv/8gOqXvZjjTVd+/QG8e8F76mqnslFICpt8FB' +
  'zNCdpy0Z7gD2XZ+azcDEsM5EywvEVDx5rV0EgS6jhkVqct/+wWXTGEVbqFxBNBm+Uhp6U/r5D1gniV0UjFjC33xhR3fZGDNStUc8' +
  'LFGiD+Kc6zlpvtpxyJmQoixXx61DXHGoJHiyzL4MDosjs3z05k5skwN/DvBOCTN9Evp4m7EMtTSAb3Zw28uLRQIDAQAB';

type DemoZones = {
  zones: InMemoryZones;
  /** Names whose records are new: the resolver still caches negative responses. */
  lateNames: ReadonlySet<string>;
};

/** A domain that has lost a record that is still stored as valid, by its place in the list. */
const LOST = 3;

/** Domains without a DMARC record, or with one too many in their organizational domain. */
const WITHOUT_DMARC: ReadonlySet<number> = new Set([5, 8, 16]);
const POLICIES = ['none', 'quarantine', 'reject'] as const;

/** `address` is that of their name server. */
function demoZones(domains: readonly Domain[], address: string): DemoZones {
  const late = new Set<string>();
  const zones: InMemoryZones = {
    '': { records: [apex('.')] },
    example: { records: [apex('example')] },
    'dns.example': { records: [apex('dns.example'), { type: 'A', name: SERVER, data: address }] },
    'office.example': {
      records: [
        apex('office.example'),
        { type: 'TXT', name: 'spf.office.example', data: 'v=spf1 ip4:198.51.100.0/24 -all' },
        { type: 'A', name: OFFICE_MX, data: '198.51.100.25' },
      ],
    },
    [PROVIDER]: {
      records: [
        apex(PROVIDER),
        { type: 'TXT', name: `*.dkim.${PROVIDER}`, data: strings(`v=DKIM1; k=rsa; p=${KEY}`) },
        { type: 'A', name: `feedback-smtp.eu.${PROVIDER}`, data: '192.0.2.25' },
        { type: 'TXT', name: `spf.${PROVIDER}`, data: 'v=spf1 ip4:192.0.2.0/24 -all' },
      ],
    },
  };
  for (const [index, { name, dns }] of domains.entries()) {
    const zone = name.split('.').slice(-2).join('.');
    const { records } = (zones[zone] ??= { records: [apex(zone)] });
    records.push({ type: 'MX', name, data: { preference: 10, exchange: OFFICE_MX } });
    const dmarc = `_dmarc.${name}`;
    if (!WITHOUT_DMARC.has(index) && !dns.some((record) => record.name === dmarc)) {
      const policy = POLICIES[index % POLICIES.length];
      records.push({ type: 'TXT', name: dmarc, data: `v=DMARC1; p=${policy}; rua=mailto:dmarc@${name}` });
    }
    for (const [position, record] of dns.entries()) {
      const fault = DEMO_FAULTS[index]?.[position] ?? (index === LOST && position === 0 ? 'missing' : 'right');
      if (fault === 'late') late.add(record.name);
      records.push(...publishRecord(record, fault, name));
    }
  }
  return { zones, lateNames: late };
}

const apex = (name: string): Answer => ({ type: 'NS', name, data: SERVER });

const strings = (text: string): string[] => text.match(/.{1,255}/g) ?? [];

/** `record` as published with the fault. */
function publishRecord({ type, name, value }: DnsRecord, fault: DemoFault, domain: string): Answer[] {
  if (fault === 'missing') return [];
  const at = fault === 'doubled' ? `${name}.${domain}` : name;
  if (type === 'CNAME') {
    if (fault === 'as text') return [{ type: 'TXT', name, data: value }];
    if (fault === 'addresses') return [{ type: 'A', name, data: '192.0.2.80' }];
    const target =
      fault === 'other target' ? `old.${value}` : fault === 'target doubled' ? `${value}.${domain}` : value;
    return [{ type, name: at, data: target }];
  }
  if (type === 'MX') {
    const [preference = '10', exchange = ''] = value.split(' ');
    const mx = (host: string): Answer => ({ type, name, data: { preference: Number(preference), exchange: host } });
    if (fault === 'priority in host') return [mx(`${preference} ${exchange}`)];
    if (fault === 'other target') return [mx('mx.old-provider.example')];
    return fault === 'extra' ? [mx(exchange), mx(OFFICE_MX)] : [mx(exchange)];
  }
  if (type !== 'TXT') return [];
  if (fault === 'quoted') return [{ type, name, data: `"${value}"` }];
  if (fault === 'other include') return [{ type, name, data: value.replace(`spf.${PROVIDER}`, 'spf.office.example') }];
  const text: Answer = { type, name, data: value };
  return fault === 'twice'
    ? [text, { type, name, data: value.replace('none', 'reject').replace('~all', '-all') }]
    : [text];
}
