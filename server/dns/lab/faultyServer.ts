import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { type Answer, decode, type DecodedPacket, encode, type Packet, type Question, streamEncode } from 'dns-packet';
import type { Endpoint } from '../exchange.ts';

// A name server that does what no zone file can say: it passes questions on to a right one, and spoils the answers.

type Asked = { question: Question; isTcp: boolean; packet: DecodedPacket };
type Spoilt = Packet | 'nothing' | 'garbage' | 'wrong id' | 'late';
type Fault = (answer: Packet, asked: Asked) => Spoilt;

const RCODES = { FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };
const TRUNCATED = 0x0200;
const LATE_MS = 1500;

const fails =
  (rcode: number): Fault =>
  (answer) => ({ ...empty(answer), flags: rcode });
const empty = (answer: Packet): Packet => ({ ...answer, answers: [], authorities: [], additionals: [] });
const isRecord = ({ question }: Asked) => /^(k1|bounce)\b/.test(question.name);
const cname = (name: string): Answer => ({ type: 'CNAME', name, ttl: 300, data: 'else.host.test' });

let isForged = false;

/** By the first label of the zone. */
const faults: Record<string, Fault> = {
  'two-cnames': (answer, asked) =>
    asked.question.type === 'CNAME' && answer.answers?.[0]?.name.startsWith('k1.')
      ? { ...answer, answers: [...(answer.answers ?? []), cname(asked.question.name)] }
      : answer,
  'cname-beside-mx': (answer, asked) =>
    isRecord(asked) && asked.question.type === 'MX'
      ? { ...answer, answers: [cname(asked.question.name), ...(answer.answers ?? [])] }
      : answer,
  'cname-instead-on-demand': (answer, asked) =>
    isRecord(asked) && asked.question.type === 'CNAME'
      ? { ...empty(answer), answers: [cname(asked.question.name)] }
      : answer,
  'text-beside-cname': (answer, asked) =>
    isRecord(asked) && asked.question.type === 'TXT'
      ? { ...empty(answer), answers: [{ type: 'TXT', name: asked.question.name, ttl: 300, data: 'p=old' }] }
      : answer,
  formerr: fails(RCODES.FORMERR),
  servfail: fails(RCODES.SERVFAIL),
  notimp: fails(RCODES.NOTIMP),
  refused: fails(RCODES.REFUSED),
  'wrong-id': () => 'wrong id',
  garbage: () => 'garbage',
  'half-garbage': () => 'garbage',
  late: () => 'late',
  'truncated-without-tcp': (answer, { isTcp }) => (isTcp ? 'nothing' : { ...empty(answer), flags: TRUNCATED }),
  'nodata-without-soa': (answer, asked) => (isRecord(asked) ? empty(answer) : answer),
  'nothing-without-soa': (answer, asked) =>
    isRecord(asked) ? { ...empty(answer), flags: (answer.flags ?? 0) | RCODES.NXDOMAIN } : answer,
  'refers-upwards': (answer) => ({
    ...empty(answer),
    flags: 0,
    authorities: [{ type: 'NS', name: '.', ttl: 300, data: 'root.test' }],
  }),
  'before-edns': (answer, { packet }) =>
    (packet.additionals ?? []).length > 0 ? { ...empty(answer), flags: RCODES.FORMERR } : answer,
  // Once, and over UDP: as somebody would who guesses.
  'forged-once': (answer, asked) => {
    if (!isRecord(asked) || asked.question.type !== 'CNAME' || asked.isTcp || isForged) return answer;
    isForged = true;
    return { ...empty(answer), flags: (answer.flags ?? 0) | RCODES.NXDOMAIN };
  },
};

/** Starts it, and beside it one that takes questions and never answers. */
export async function startFaultyServers(
  faulty: Endpoint,
  silent: Endpoint,
  right: Endpoint,
): Promise<AsyncDisposable> {
  let isClosed = false;
  const udp = await bound(faulty);
  udp.on('message', (packet, from) => {
    void answered(packet, right, false).then((reply) => {
      if (reply !== null && !isClosed) udp.send(reply, from.port, from.address);
    });
  });
  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (chunk: Buffer) => {
      void answered(chunk.subarray(2), right, true).then((reply) => (reply ? socket.write(reply) : socket.destroy()));
    });
  });
  tcp.listen(faulty.port, faulty.address);
  await once(tcp, 'listening');
  const open: (Socket | Server)[] = [udp, tcp, await bound(silent)];
  return {
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      for (const one of open) one.close();
    },
  };
}

async function bound({ address, port }: Endpoint): Promise<Socket> {
  const socket = createSocket('udp4').bind(port, address);
  await once(socket, 'listening');
  return socket;
}

async function answered(asked: Buffer, right: Endpoint, isTcp: boolean): Promise<Buffer | null> {
  const packet = decode(asked);
  const [question] = packet.questions ?? [];
  if (question === undefined) return null;
  const fault = Object.entries(faults).find(([label]) => question.name.toLowerCase().endsWith(`${label}.test`))?.[1];
  const answer: Packet = { ...decode(await forward(asked, right)), type: 'response' };
  const spoilt = fault?.(answer, { question, isTcp, packet }) ?? answer;
  if (spoilt === 'nothing') return null;
  if (spoilt === 'garbage') return Buffer.from('hello');
  const id = spoilt === 'wrong id' ? ((packet.id ?? 0) + 1) & 0xffff : packet.id;
  const whole = { ...(typeof spoilt === 'string' ? answer : spoilt), id };
  if (spoilt === 'late') await new Promise((resolve) => setTimeout(resolve, LATE_MS));
  return isTcp ? streamEncode(whole) : encode(whole);
}

async function forward(packet: Buffer, { address, port }: Endpoint): Promise<Buffer> {
  const socket = createSocket('udp4');
  socket.connect(port, address, () => socket.send(packet));
  const [reply] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return reply;
}
