import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  type Question,
  streamEncode,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import { Asker, type AskerOptions } from './asker.ts';

// Real name servers for tests, over UDP and TCP on loopback: a registry, two authorities, a lame one and a resolver.

const REGISTRY = '127.0.0.10';
export const NS1 = '127.0.0.11';
export const NS2 = '127.0.0.12';
const LAME = '127.0.0.13';
export const RESOLVER = '127.0.0.53';

export type TestZone = { serial?: number; records: Answer[] };

/** What a server does in place of answering truly; undefined for the truth. */
export type Misbehaviour = 'silence' | 'garbage' | 'wrong id' | 'wrong question' | 'truncated' | Packet | undefined;

export type TestDns = AsyncDisposable & {
  port: number;
  /** Zones by the address of the server that answers for them, and by name. */
  zones: Record<string, Record<string, TestZone>>;
  /** Called for each question, by the address of the server. */
  misbehave: Record<string, (question: Question, isTcp: boolean, packet: Packet) => Misbehaviour>;
  /** Everything that was asked, as `address name type`. */
  asked: string[];
  asker: (options?: Partial<AskerOptions>) => Asker;
};

export const RCODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };

/** Puts a zone on both name servers and tells its registry about it. */
export function addZone(dns: TestDns, zone: string, records: Answer[]): void {
  const apex = (['ns1', 'ns2'] as const).map((host): Answer => ({ type: 'NS', name: zone, data: `${host}.host.test` }));
  for (const address of [NS1, NS2])
    dns.zones[address] = { ...dns.zones[address], [zone]: { records: [...apex, ...records] } };
  dns.zones[REGISTRY]?.test?.records.push(...apex);
}

export async function startTestDns(): Promise<TestDns> {
  const hosts: Answer[] = [
    { type: 'A', name: 'ns1.host.test', data: NS1 },
    { type: 'A', name: 'ns2.host.test', data: NS2 },
    { type: 'A', name: 'lame.host.test', data: LAME },
    { type: 'A', name: 'registry.test', data: REGISTRY },
  ];
  const dns: Omit<TestDns, 'asker' | 'port' | typeof Symbol.asyncDispose> = {
    zones: {
      [REGISTRY]: {
        '': { records: [{ type: 'NS', name: '.', data: 'registry.test' }] },
        test: { records: [{ type: 'NS', name: 'test', data: 'registry.test' }, ...hosts] },
      },
      [NS1]: {},
      [NS2]: {},
      [LAME]: {},
    },
    misbehave: {},
    asked: [],
  };

  const answer = (address: string, packet: Packet & { id?: number }, isTcp: boolean): Buffer | null => {
    const [question] = packet.questions ?? [];
    if (question === undefined) return null;
    const name = question.name === '.' ? '' : question.name.toLowerCase();
    dns.asked.push(`${address} ${name || '.'} ${question.type}`);
    const fault = dns.misbehave[address]?.({ ...question, name }, isTcp, packet);
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
    const truth = frame(
      address === RESOLVER ? resolve(dns.zones, name, question) : told(dns.zones, address, name, question),
    );
    return !isTcp && truth.length > 1232 ? frame({ flags: TRUNCATED_RESPONSE }) : truth;
  };

  const { port, close } = await listenOnSamePort([RESOLVER, REGISTRY, NS1, NS2, LAME], answer);
  return {
    ...dns,
    port,
    asker: (options) => new Asker({ resolvers: [{ address: RESOLVER, port }], authorityPort: port, ...options }),
    [Symbol.asyncDispose]: close,
  };
}

type Zones = TestDns['zones'];

function isWithin(name: string, zone: string): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`);
}

function longest(zones: readonly string[], name: string): string | undefined {
  return zones.filter((zone) => isWithin(name, zone)).toSorted((one, other) => other.length - one.length)[0];
}

const nameOf = ({ name }: Answer) => (name === '.' ? '' : name.toLowerCase());

/** What an authority says: the records, a referral, or that there is none. */
function told(zones: Zones, address: string, name: string, { type }: Question): Packet {
  const own = zones[address] ?? {};
  const zone = longest(Object.keys(own), name);
  if (zone === undefined) return { flags: RCODES.REFUSED };
  const { records, serial = 1 } = own[zone] ?? { records: [] };
  const cut = records.find(
    (record) => record.type === 'NS' && nameOf(record) !== zone && isWithin(name, nameOf(record)),
  );
  if (cut !== undefined) {
    const servers = records.filter((record) => record.type === 'NS' && nameOf(record) === nameOf(cut));
    const isGlue = (record: Answer) =>
      record.type === 'A' && servers.some((server) => 'data' in server && server.data === record.name);
    return { authorities: servers.map(withTtl), additionals: records.filter(isGlue).map(withTtl) };
  }
  const soa: Answer = {
    type: 'SOA',
    name: zone || '.',
    ttl: 300,
    data: { mname: 'ns1.host.test', rname: 'h.test', serial, refresh: 60, retry: 60, expire: 60, minimum: 60 },
  };
  if (type === 'SOA' && name === zone) return { flags: AUTHORITATIVE_ANSWER, answers: [soa] };
  const exists = records.some((record) => isWithin(nameOf(record), name));
  const wildcard = `*.${name.split('.').slice(1).join('.')}`;
  const at = exists ? name : wildcard;
  const answers = records
    .filter((record) => nameOf(record) === at && (record.type === type || record.type === 'CNAME'))
    .map((record) => ({ ...withTtl(record), name: name || '.' }));
  if (answers.length > 0) return { flags: AUTHORITATIVE_ANSWER, answers };
  const isThere = exists || records.some((record) => nameOf(record) === wildcard);
  return { flags: AUTHORITATIVE_ANSWER | (isThere ? 0 : RCODES.NXDOMAIN), authorities: [soa] };
}

const withTtl = (record: Answer): Answer => ({ ttl: 300, ...record }) as Answer;

/** What a resolver says that asks the first server that has the zone. */
function resolve(zones: Zones, name: string, question: Question, depth = 0): Packet {
  const all = Object.entries(zones).flatMap(([address, own]) => Object.keys(own).map((zone) => ({ address, zone })));
  const zone = longest(
    all.map((one) => one.zone),
    name,
  );
  const server = all.find((one) => one.zone === zone);
  if (server === undefined) return { flags: RCODES.SERVFAIL };
  const { flags = 0, ...answer } = told(zones, server.address, name, question);
  const [alias] = answer.answers ?? [];
  if (alias?.type !== 'CNAME' || question.type === 'CNAME') return { ...answer, flags: flags & 15 };
  if (depth > 8) return { flags: RCODES.SERVFAIL };
  const rest = resolve(zones, alias.data.toLowerCase(), question, depth + 1);
  return { ...rest, answers: [alias, ...(rest.answers ?? [])] };
}

type Answering = (address: string, packet: Packet, isTcp: boolean) => Buffer | null;

/** Every address on one port, as real ones all have 53. */
async function listenOnSamePort(
  addresses: readonly string[],
  answer: Answering,
): Promise<{ port: number; close: () => Promise<void> }> {
  for (;;) {
    const sockets: { close: () => unknown }[] = [];
    try {
      let port = 0;
      for (const address of addresses) {
        const tcp = createServer((socket) => {
          socket.on('error', () => {});
          socket.on('data', (chunk) => {
            const reply = answer(address, decode(Buffer.from(chunk).subarray(2)), true);
            if (reply !== null) socket.write(reply);
          });
        });
        sockets.push(tcp);
        tcp.listen(port, address);
        await once(tcp, 'listening');
        port = (tcp.address() as AddressInfo).port;
        const udp = createSocket('udp4');
        sockets.push(udp);
        udp.on('message', (packet, from) => {
          const reply = answer(address, decode(packet), false);
          if (reply !== null) udp.send(reply, from.port, from.address);
        });
        udp.bind(port, address);
        await once(udp, 'listening');
      }
      return { port, close: async () => sockets.forEach((socket) => socket.close()) };
    } catch (error) {
      for (const socket of sockets) socket.close();
      if ((error as { code?: unknown }).code !== 'EADDRINUSE') throw error;
    }
  }
}
