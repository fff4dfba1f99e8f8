import { decode, type Packet, type Question } from 'dns-packet';
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
import { DOMAINS_SEED } from './demo.ts';
import { demoDomains } from './demoDomains.ts';
import { demoZones } from './demoZones.ts';
import { seededRandom } from './seededRandom.ts';

/** Seconds for which the resolver of the demo caches old responses. */
const REMEMBERED = 60;
const ADDRESS = '127.0.0.1';

export type DemoDns = AsyncDisposable & {
  /** A client without network: the zones are in this process. */
  dnsClient: DnsClient;
  /** The address of its resolver, for the command `dns-check`. */
  resolver: string;
};

/** Whether the demo has this name. Only reserved names (RFC 2606). */
export function isDemoName(name: string): boolean {
  return /(^|\.)example\.?$/i.test(name);
}

/**
 * Starts the DNS of the domains of the demo: a client for this process, and a resolver on this machine for `dns-check`.
 */
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

/** A transport that calls the name server and the resolver directly, with encoded packets. */
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
