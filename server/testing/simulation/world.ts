import { type Answer, decode, encode, type Packet, type Question } from 'dns-packet';
import type { DnsRecord } from '#contract/domains/domain.ts';
import { isWithin } from '#contract/values/dnsName.ts';
import { TEST_BLOCK } from '../../../testing/lab/addresses.ts';
import { answerAsNameServer, answerAsResolver, type InMemoryZones, RCODES } from '../../demo/nameServer.ts';
import { DnsClient } from '../../dns/conversation/dnsClient.ts';
import { decodeResponse, encodeQuery } from '../../dns/wire/message.ts';
import type { Transport } from '../../dns/wire/transport.ts';
import { address, cname, KEY, mx, txt } from '../testZone.ts';

// The DNS around one domain: its zone at two servers of its host, a provider, a registry, and our resolver.

const PROVIDER = 'provider.dev';
const SPF = `v=spf1 include:spf.${PROVIDER} ~all`;
const DMARC = 'v=DMARC1; p=none';
const [REGISTRY, FIRST, SECOND, OF_PROVIDER, RESOLVER] = [10, 11, 12, 13, 53].map(
  (last) => `${TEST_BLOCK}.0.${last}`,
) as [string, string, string, string, string];
const ID = 7;

export type FaultName = keyof typeof FAULTS;

/** What a domain's DNS is at a time. `host`: of its name servers; `selector`: of the key that is published. */
export type WorldState = {
  domain: string;
  host: string;
  selectors: readonly string[];
  faults: readonly FaultName[];
};

/** `host`: the domain of its name servers. */
export type ScriptedDomain = { name: string; host: string; listsDmarc: boolean };

/** Of a domain whose key has this selector. */
export function listedRecords({ name: domain, listsDmarc }: ScriptedDomain, selector: string): DnsRecord[] {
  const record = (type: string, name: string, value: string) => ({
    type,
    name: `${name}.${domain}`,
    value,
    is_valid: false,
  });
  return [
    record('CNAME', `${selector}._domainkey`, `${selector}.dkim.${PROVIDER}`),
    record('MX', 'bounce', `10 feedback.${PROVIDER}`),
    record('TXT', 'bounce', SPF),
    ...(listsDmarc ? [record('TXT', '_dmarc', DMARC)] : []),
  ];
}

export const mailFromOf = (domain: string) => `bounce.${domain}`;

/** What the servers have, and who is silent. */
type World = { first: Answer[]; second: Answer[]; provider: Answer[]; delegation: string[]; silent: Set<string> };

type Change = (world: World, domain: string, host: string) => void;

const without = (records: Answer[], type: string, name: string) =>
  records.filter((one) => one.type !== type || one.name !== name);
const atBoth = (world: World, change: (records: Answer[]) => Answer[]) => {
  world.first = change(world.first);
  world.second = change(world.second);
};

/** How the DNS of a domain can be wrong, or just another. */
export const FAULTS = {
  'no dkim': (world, domain) =>
    atBoth(world, (records) => records.filter(({ name }) => !name.endsWith(`._domainkey.${domain}`))),
  'no dmarc': (world, domain) => atBoth(world, (records) => without(records, 'TXT', `_dmarc.${domain}`)),
  'two dmarc': (world, domain) =>
    atBoth(world, (records) => [...records, txt(`_dmarc.${domain}`, 'v=DMARC1; p=reject')]),
  'other mx': (world, domain) =>
    atBoth(world, (records) => [
      ...without(records, 'MX', `bounce.${domain}`),
      mx(`bounce.${domain}`, 10, `mx.${PROVIDER}`),
    ]),
  'spf without include': (world, domain) =>
    atBoth(world, (records) => [
      ...without(records, 'TXT', `bounce.${domain}`),
      txt(`bounce.${domain}`, 'v=spf1 ip4:198.51.100.7 ~all'),
    ]),
  'old at second': (world, domain) => {
    world.second = without(world.second, 'TXT', `bounce.${domain}`);
  },
  'other at second': (world, domain) => {
    world.second = [...without(world.second, 'MX', `bounce.${domain}`), mx(`bounce.${domain}`, 10, `mx.${PROVIDER}`)];
  },
  'second is silent': ({ silent }) => void silent.add(SECOND),
  'both are silent': ({ silent }) => void silent.add(FIRST).add(SECOND),
  'no include': (world) => {
    world.provider = without(world.provider, 'TXT', `spf.${PROVIDER}`);
  },
  'other name servers': (world, _, host) => {
    world.delegation = [`ns1.${host}`, `ns3.${host}`];
  },
  'resolvers are down': ({ silent }) => void silent.add(RESOLVER),
} as const satisfies Record<string, Change>;

const worldOf = ({ domain, host, selectors, faults }: WorldState): World => {
  const own = [
    mx(domain, 10, `mx.${PROVIDER}`),
    mx(`bounce.${domain}`, 10, `feedback.${PROVIDER}`),
    txt(`bounce.${domain}`, SPF),
    txt(`_dmarc.${domain}`, DMARC),
    ...selectors.map((selector) => cname(`${selector}._domainkey.${domain}`, `${selector}.dkim.${PROVIDER}`)),
  ];
  const world: World = {
    first: own,
    second: own,
    provider: [
      txt(`*.dkim.${PROVIDER}`, KEY),
      txt(`spf.${PROVIDER}`, 'v=spf1 ip4:192.0.2.0/24 -all'),
      address(`feedback.${PROVIDER}`, '192.0.2.25'),
      address(`mx.${PROVIDER}`, '192.0.2.26'),
    ],
    delegation: [`ns1.${host}`, `ns2.${host}`],
    silent: new Set(),
  };
  for (const fault of faults) FAULTS[fault](world, domain, host);
  return world;
};

const ns = (zone: string, hosts: readonly string[]) => hosts.map((data): Answer => ({ type: 'NS', name: zone, data }));

/** A client that sees the DNS in this state. Silence takes no time. */
export function clientFor(state: WorldState): DnsClient {
  const { domain, host } = state;
  const { first, second, provider, delegation, silent } = worldOf(state);
  const apex = ns(domain, delegation);
  const hosts = [address(`ns1.${host}`, FIRST), address(`ns2.${host}`, SECOND), address(`ns3.${host}`, SECOND)];
  const ofHost = { records: [...ns(host, [`ns1.${host}`, `ns2.${host}`]), ...hosts] };
  const ofProvider = ns(PROVIDER, [`ns1.${PROVIDER}`]);
  const providerHost = address(`ns1.${PROVIDER}`, OF_PROVIDER);
  const zones: Record<string, InMemoryZones> = {
    [REGISTRY]: {
      '': { records: [...ns('.', ['registry.dev'])] },
      dev: {
        records: [
          ...ns('dev', ['registry.dev']),
          address('registry.dev', REGISTRY),
          ...apex,
          ...ns(host, [`ns1.${host}`, `ns2.${host}`]),
          ...hosts,
          ...ofProvider,
          providerHost,
        ],
      },
    },
    [FIRST]: { [domain]: { records: [...apex, ...first] }, [host]: ofHost },
    [SECOND]: { [domain]: { records: [...apex, ...second] }, [host]: ofHost },
    [OF_PROVIDER]: { [PROVIDER]: { records: [...ofProvider, providerHost, ...provider] } },
  };
  /** As from the first of the servers that respond. */
  const resolve = (asked: Question): Packet => {
    const isOfHost = isWithin(asked.name, domain) || isWithin(asked.name, host);
    if (isOfHost && silent.has(FIRST)) return { flags: RCODES.SERVFAIL };
    return answerAsResolver(Object.values(zones), asked);
  };
  const transport: Transport = async (server, query) => {
    if (silent.has(server.address)) return 'timeout';
    const request = decode(encodeQuery(ID, query));
    const [question] = request.questions ?? [];
    const own = zones[server.address];
    if (question === undefined || (own === undefined && server.address !== RESOLVER)) return 'no route';
    const asked = { ...question, name: question.name === '.' ? '' : question.name.toLowerCase() };
    const answer = own === undefined ? resolve(asked) : answerAsNameServer(own, asked);
    const packet: Packet = { type: 'response', id: ID, questions: [question], ...answer };
    return decodeResponse(encode(packet), ID, query) ?? 'garbled';
  };
  return new DnsClient({ resolvers: [{ address: RESOLVER, port: 53 }], transport });
}
