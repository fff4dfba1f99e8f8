import { randomInt } from 'node:crypto';
import { type Answer, encode, type Packet, type Question, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet';
import { TEST_BLOCK } from '../../lab/addresses.ts';
import { needNamespace } from '../../.ci/programs/namespace.ts';
import { DnsClient, type DnsClientOptions } from '../dns/dnsClient.ts';
import { listenOnSamePort, answerAsResolver, answerAsNameServer, type InMemoryZones } from '../dns/nameServer.ts';
import type { Endpoint } from '../dns/transport.ts';

// Real name servers for tests, over UDP and TCP, on port 53 of public-looking addresses: a registry, two authoritative
// servers, a lame one and a resolver. They need the network namespace of the lab.

/** The servers, by the last number of their addresses. */
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

/** What a server does instead of answering correctly; undefined for the correct answer. */
export type Misbehaviour = 'silence' | 'garbage' | 'wrong id' | 'wrong question' | 'truncated' | Packet | undefined;

export type TestDns = AsyncDisposable & {
  addresses: Readonly<Record<ServerName, string>>;
  /** In the form of `DnsClientOptions`. */
  resolvers: readonly Endpoint[];
  /** Zones by server and by name. */
  zones: Record<string, InMemoryZones>;
  /** Called for each query, with the server. */
  misbehave: Record<string, (question: Question, isTcp: boolean, packet: Packet) => Misbehaviour>;
  /** All queries, as `server name type`. */
  queries: string[];
  /** A client that uses its resolver. */
  dnsClient: (options?: Partial<DnsClientOptions>) => DnsClient;
};

/** Adds a zone to both name servers, and delegates it in the registry. */
export function addZone(dns: TestDns, zone: string, records: Answer[]): void {
  const apex = (['ns1', 'ns2'] as const).map((host): Answer => ({ type: 'NS', name: zone, data: `${host}.host.test` }));
  for (const server of [NS1, NS2])
    dns.zones[server] = { ...dns.zones[server], [zone]: { records: [...apex, ...records] } };
  dns.zones[REGISTRY]?.test?.records.push(...apex);
}

export async function startTestDns(): Promise<TestDns> {
  needNamespace();
  const dns: Pick<TestDns, 'zones' | 'misbehave' | 'queries'> = {
    zones: { [NS1]: {}, [NS2]: {}, [LAME]: {} },
    misbehave: {},
    queries: [],
  };
  const { addresses, close } = await listen((server) => serve(server, dns));
  const hosts: Answer[] = [
    { type: 'A', name: 'ns1.host.test', data: addresses.ns1 },
    { type: 'A', name: 'ns2.host.test', data: addresses.ns2 },
    { type: 'A', name: 'lame.host.test', data: addresses.lame },
    { type: 'A', name: 'registry.test', data: addresses.registry },
  ];
  dns.zones[REGISTRY] = {
    '': { records: [{ type: 'NS', name: '.', data: 'registry.test' }] },
    test: { records: [{ type: 'NS', name: 'test', data: 'registry.test' }, ...hosts] },
  };
  const resolvers = [{ address: addresses.resolver, port: PORT }];
  return {
    ...dns,
    addresses,
    resolvers,
    dnsClient: (options) => new DnsClient({ resolvers, ...options }),
    [Symbol.asyncDispose]: close,
  };
}

/** Returns the answer to `packet`, or null for silence. */
type Serve = (packet: Packet & { id?: number }, isTcp: boolean) => Buffer | null;

/** Each has its own addresses, because tests run side by side. */
async function listen(
  serveAs: (server: ServerName) => Serve,
): Promise<{ addresses: TestDns['addresses']; close: () => Promise<void> }> {
  for (let tries = 1; ; tries++) {
    const network = `${TEST_BLOCK}.${randomInt(256)}`;
    const entries = Object.entries(SERVERS).map(
      ([server, last]) => [server as ServerName, `${network}.${last}`] as const,
    );
    const answers = new Map<string, Serve>(entries.map(([server, address]) => [address, serveAs(server)]));
    try {
      const { close } = await listenOnSamePort(
        [...answers.keys()],
        (address, packet, isTcp) => answers.get(address)?.(packet, isTcp) ?? null,
        PORT,
      );
      return { addresses: Object.fromEntries(entries) as TestDns['addresses'], close };
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'EADDRINUSE' || tries === TRIES_MAX) throw error;
    }
  }
}

function serve(server: ServerName, dns: Pick<TestDns, 'zones' | 'misbehave' | 'queries'>): Serve {
  return (packet, isTcp) => {
    const [question] = packet.questions ?? [];
    if (question === undefined) return null;
    const name = question.name === '.' ? '' : question.name.toLowerCase();
    dns.queries.push(`${server} ${name || '.'} ${question.type}`);
    const fault = dns.misbehave[server]?.({ ...question, name }, isTcp, packet);
    if (fault === 'silence') return null;
    if (fault === 'garbage') return Buffer.from('hello');
    const id = packet.id ?? 0;
    const frame = (content: Packet) => {
      const whole: Packet = {
        type: 'response',
        questions: packet.questions,
        ...content,
        id: fault === 'wrong id' ? (id + 1) & 0xffff : id,
        ...(fault === 'wrong question' && { questions: [{ ...question, name: 'other.test' }] }),
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
