import { randomInt } from 'node:crypto';
import { type Answer, encode, type Packet, type Question, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet';
import { TEST_BLOCK } from '../../testing/lab/addresses.ts';
import { needNamespace } from '../../testing/programs/namespace.ts';
import { DnsClient, type DnsClientOptions } from '../dns/conversation/dnsClient.ts';
import { listenOnSamePort, answerAsResolver, answerAsNameServer, type InMemoryZones } from '../demo/nameServer.ts';
import type { Endpoint } from '../dns/wire/transport.ts';

export { RCODES } from '../demo/nameServer.ts';

const SERVERS = { registry: 10, ns1: 11, ns2: 12, lame: 13, resolver: 53 } as const;
type ServerName = keyof typeof SERVERS;

// Keys of the addresses in `TestDns`.
const REGISTRY: ServerName = 'registry';
const LAME: ServerName = 'lame';
export const NS1: ServerName = 'ns1';
export const NS2: ServerName = 'ns2';
export const RESOLVER: ServerName = 'resolver';

const PORT = 53;
const TRIES_MAX = 100;

/** Undefined: the correct response. */
export type Misbehaviour = 'silence' | 'garbage' | 'truncated' | Packet | undefined;

export type TestDns = AsyncDisposable & {
  addresses: Readonly<Record<ServerName, string>>;
  resolvers: readonly Endpoint[];
  zones: Record<string, InMemoryZones>;
  misbehave: Record<string, (question: Question, isTcp: boolean, packet: Packet) => Misbehaviour>;
  /** All queries, as `server name type`. */
  queries: string[];
  dnsClient: (options?: Partial<DnsClientOptions>) => DnsClient;
};

export function addZone(dns: TestDns, zone: string, records: Answer[]): void {
  const apex = (['ns1', 'ns2'] as const).map((host): Answer => ({ type: 'NS', name: zone, data: `${host}.host.test` }));
  for (const server of [NS1, NS2])
    dns.zones[server] = { ...dns.zones[server], [zone]: { records: [...apex, ...records] } };
  dns.zones[REGISTRY]?.test?.records.push(...apex);
}

/** On port 53 of addresses of their own, because tests run in parallel. */
export async function startTestDns(): Promise<TestDns> {
  needNamespace();
  for (let tries = 1; ; tries++) {
    const { dns, answer } = createServers(randomInt(256));
    try {
      const { close } = await listenOnSamePort(Object.values(dns.addresses), answer, PORT);
      return {
        ...dns,
        dnsClient: (options) => new DnsClient({ resolvers: dns.resolvers, ...options }),
        [Symbol.asyncDispose]: close,
      };
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EADDRINUSE' || tries === TRIES_MAX) throw error;
    }
  }
}

type Servers = Omit<TestDns, 'dnsClient' | typeof Symbol.asyncDispose>;

export function createServers(block: number): { dns: Servers; answer: Parameters<typeof listenOnSamePort>[1] } {
  const entries = Object.entries(SERVERS).map(([server, last]) => [server, `${TEST_BLOCK}.${block}.${last}`] as const);
  const addresses = Object.fromEntries(entries) as TestDns['addresses'];
  const hosts: Answer[] = [
    { type: 'A', name: 'ns1.host.test', data: addresses.ns1 },
    { type: 'A', name: 'ns2.host.test', data: addresses.ns2 },
    { type: 'A', name: 'lame.host.test', data: addresses.lame },
    { type: 'A', name: 'registry.test', data: addresses.registry },
  ];
  const registry: InMemoryZones = {
    '': { records: [{ type: 'NS', name: '.', data: 'registry.test' }] },
    test: { records: [{ type: 'NS', name: 'test', data: 'registry.test' }, ...hosts] },
  };
  const dns: Servers = {
    addresses,
    resolvers: [{ address: addresses.resolver, port: PORT }],
    zones: { [NS1]: {}, [NS2]: {}, [LAME]: {}, [REGISTRY]: registry },
    misbehave: {},
    queries: [],
  };
  const handlers = new Map<string, Serve>(
    entries.map(([server, address]) => [address, serve(server as ServerName, dns)]),
  );
  return { dns, answer: (address, packet, isTcp) => handlers.get(address)?.(packet, isTcp) ?? null };
}

/** Null is silence. */
type Serve = (packet: Packet & { id?: number }, isTcp: boolean) => Buffer | null;

function serve(server: ServerName, dns: Pick<TestDns, 'zones' | 'misbehave' | 'queries'>): Serve {
  return (packet, isTcp) => {
    const [question] = packet.questions ?? [];
    if (question === undefined) return null;
    const name = question.name === '.' ? '' : question.name.toLowerCase();
    dns.queries.push(`${server} ${name || '.'} ${question.type}`);
    const fault = dns.misbehave[server]?.({ ...question, name }, isTcp, packet);
    if (fault === 'silence') return null;
    if (fault === 'garbage') return Buffer.from('hello');
    const frame = (content: Packet) => {
      const whole: Packet = {
        type: 'response',
        questions: packet.questions,
        ...content,
        id: packet.id ?? 0,
      };
      return isTcp ? streamEncode(whole) : encode(whole);
    };
    if (fault === 'truncated') return frame({ flags: TRUNCATED_RESPONSE });
    if (typeof fault === 'object') return frame(fault);
    const asked = { ...question, name };
    const truth = frame(
      server === RESOLVER
        ? answerAsResolver(Object.values(dns.zones), asked)
        : answerAsNameServer(dns.zones[server] ?? {}, asked),
    );
    return !isTcp && truth.length > 1232 ? frame({ flags: TRUNCATED_RESPONSE }) : truth;
  };
}
