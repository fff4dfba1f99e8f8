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
import { isWithin } from '#contract/values/dnsName.ts';

// A small name server over UDP and TCP, for tests and the demo. Its zones are data.

type InMemoryZone = { serial?: number; records: Answer[] };
export type InMemoryZones = Record<string, InMemoryZone>;

export const RCODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };

const UDP_MAX = 1232;
const TTL = 300;
const NEGATIVE_TTL = 60;
const CHAIN_MAX = 8;

export function answerAsNameServer(zones: InMemoryZones, { name, type }: Question): Packet {
  const zone = findEnclosingZone(Object.keys(zones), name);
  if (zone === undefined) return { flags: RCODES.REFUSED };
  const { records, serial = 1 } = zones[zone] ?? { records: [] };
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
    ttl: TTL,
    data: {
      mname: 'ns1.host.test',
      rname: 'h.test',
      serial,
      refresh: 60,
      retry: 60,
      expire: 60,
      minimum: NEGATIVE_TTL,
    },
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

export function answerAsResolver(servers: readonly InMemoryZones[], question: Question, depth = 0): Packet {
  const zone = findEnclosingZone(servers.flatMap(Object.keys), question.name);
  const server = servers.find((zones) => zone !== undefined && zones[zone] !== undefined);
  if (server === undefined) return { flags: RCODES.SERVFAIL };
  const { flags = 0, ...answer } = answerAsNameServer(server, question);
  const [alias] = answer.answers ?? [];
  if (alias?.type !== 'CNAME' || question.type === 'CNAME') return { ...answer, flags: flags & 15 };
  if (depth > CHAIN_MAX) return { flags: RCODES.SERVFAIL };
  const rest = answerAsResolver(servers, { ...question, name: alias.data.toLowerCase() }, depth + 1);
  return { ...rest, answers: [alias, ...(rest.answers ?? [])] };
}

function findEnclosingZone(zones: readonly string[], name: string): string | undefined {
  return zones.filter((zone) => isWithin(name, zone)).toSorted((one, other) => other.length - one.length)[0];
}

const nameOf = ({ name }: Pick<Answer, 'name'>) => (name === '.' ? '' : name.toLowerCase());

const withTtl = (record: Answer): Answer => ({ ttl: TTL, ...record }) as Answer;

type PacketHandler = (address: string, packet: Packet & { id?: number }, isTcp: boolean) => Buffer | null;

/** Responds to each query with the result of `say`, which gets the name in lower case; the root is the empty name. */
export function createPacketHandler(say: (question: Question) => Packet): PacketHandler {
  return (_, { id, questions = [] }, isTcp) => {
    const [question] = questions;
    if (question === undefined) return null;
    const packet: Packet = { type: 'response', id, questions, ...say({ ...question, name: nameOf(question) }) };
    if (isTcp) return streamEncode(packet);
    const bytes = encode(packet);
    return bytes.length > UDP_MAX ? encode({ ...packet, flags: TRUNCATED_RESPONSE, answers: [] }) : bytes;
  };
}

/** At `wantedPort`, or at a free one when that is 0. Rejects with EADDRINUSE when it is taken. */
export async function listenOnSamePort(
  addresses: readonly string[],
  answer: PacketHandler,
  wantedPort = 0,
): Promise<{ port: number; close: () => Promise<void> }> {
  for (;;) {
    const sockets: { close: () => unknown }[] = [];
    try {
      let port = wantedPort;
      for (const address of addresses) {
        const tcp = createServer((socket) => {
          socket.on('error', () => socket.destroy());
          socket.on('data', (chunk) => {
            const packet = read(Buffer.from(chunk).subarray(2));
            const reply = packet && answer(address, packet, true);
            if (reply !== null) socket.write(reply);
          });
        });
        sockets.push(tcp);
        tcp.listen(port, address);
        await once(tcp, 'listening');
        port = (tcp.address() as AddressInfo).port;
        const udp = createSocket('udp4');
        sockets.push(udp);
        udp.on('message', (bytes, from) => {
          const packet = read(bytes);
          const reply = packet && answer(address, packet, false);
          if (reply !== null) udp.send(reply, from.port, from.address);
        });
        udp.bind(port, address);
        await once(udp, 'listening');
      }
      return { port, close: async () => sockets.forEach((socket) => socket.close()) };
    } catch (error) {
      for (const socket of sockets) socket.close();
      if (wantedPort !== 0 || (error as { code?: unknown }).code !== 'EADDRINUSE') throw error;
    }
  }
}

/** Decodes a query; null for a malformed one, because any local process can send packets. */
function read(bytes: Buffer): Packet | null {
  try {
    return decode(bytes);
  } catch {
    return null;
  }
}
