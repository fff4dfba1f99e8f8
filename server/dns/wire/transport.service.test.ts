import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Answer, decode, encode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Query } from './message.ts';
import { networkTransport, type Server as Asked } from './transport.ts';

// Servers that send anything: a query always ends.

const QUESTION: Query = { name: 'example.test', type: 'TXT', isRecursive: true };
const TIMEOUT = 300;

let udp: UdpSocket;
let tcp: Server;
let endpoint: Asked;
/** The bytes that the server sends for a query; over TCP on this connection. */
let sayUdp: (question: Buffer) => Buffer[];
let sayTcp: (question: Buffer, socket: Socket) => void;

beforeAll(async () => {
  tcp = createServer((socket) => {
    socket.setNoDelay();
    socket.on('error', () => socket.destroy());
    socket.once('data', (chunk) => sayTcp(Buffer.from(chunk).subarray(2), socket));
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { address, port } = tcp.address() as AddressInfo;
  endpoint = { name: null, address, port };
  udp = createSocket('udp4');
  udp.on('message', (question, from) => {
    for (const answer of sayUdp(question)) udp.send(answer, from.port, from.address);
  });
  udp.bind(port, address);
  await once(udp, 'listening');
});
afterAll(() => {
  udp.close();
  tcp.close();
});

function right(question: Buffer, answers: Answer[] = [text('v=spf1 -all')], more: Partial<Packet> = {}): Buffer {
  const { id, questions } = decode(question);
  return encode({ type: 'response', id, questions, answers, ...more });
}
const text = (data: string): Answer => ({ type: 'TXT', name: QUESTION.name, ttl: 60, data });
const truncated = (question: Buffer) => [right(question, [], { flags: TRUNCATED_RESPONSE })];

function framed(packet: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(packet.length);
  return Buffer.concat([length, packet]);
}

async function oneByOne(bytes: Buffer, socket: Socket): Promise<void> {
  for (const byte of bytes) {
    socket.write(Uint8Array.of(byte));
    await new Promise(setImmediate);
  }
}

/** Writes as fast as the other side reads, until it disconnects. */
function endlessly(bytes: Buffer, socket: Socket): void {
  const write = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', write);
  write();
}

const MANY = Array.from({ length: 900 }, () => text('x'));
/** The largest message over TCP. */
const LARGE = [...Array.from({ length: 270 }, (_, index) => text(`${index}`.padEnd(200, 'x'))), text('y'.repeat(250))];

test.each<[string, typeof sayTcp, number | 'truncated' | 'too many records']>([
  ['one byte at a time', (question, socket) => void oneByOne(framed(right(question)), socket), 1],
  ['two messages at once', (q, socket) => socket.write(Buffer.concat([1, 2].map(() => framed(right(q))))), 1],
  ['more than 60 kB', (question, socket) => socket.write(framed(right(question, LARGE))), LARGE.length],
  ['an answer, and then endless data', (question, socket) => endlessly(framed(right(question)), socket), 1],
  ['endless data', (_, socket) => endlessly(Buffer.alloc(0x1_00_00, 0xff), socket), 'truncated'],
  ['endless empty messages', (_, socket) => endlessly(Buffer.alloc(0x1_00_00), socket), 'truncated'],
  ['a length and nothing else', (_, socket) => socket.write(Buffer.from([0xff, 0xff])), 'truncated'],
  ['half an answer', (question, socket) => socket.end(framed(right(question)).subarray(0, 30)), 'truncated'],
  ['an end', (_, socket) => socket.destroy(), 'truncated'],
  ['more records than anybody has', (q, socket) => socket.write(framed(right(q, MANY))), 'too many records'],
])('over TCP: %s', async (_, say, expected) => {
  sayUdp = truncated;
  sayTcp = say;
  // What has an answer may take long on a busy machine.
  const answer = await networkTransport(endpoint, QUESTION, expected === 'truncated' ? TIMEOUT : 5 * TIMEOUT);
  expect(typeof answer === 'string' ? answer : answer.answers.length).toBe(expected);
});

test('the true answer is found behind a flood of others', async () => {
  sayUdp = (question) => [
    ...Array.from({ length: 200 }, (_, index) => Buffer.from(`garbage ${index}`)),
    right(question, [text('forged')], { id: 1 + (decode(question).id ?? 0) }),
    right(question, [text('other')], { questions: [{ type: 'TXT', name: 'other.test' }] }),
    right(question),
  ];
  expect(await networkTransport(endpoint, QUESTION, 2000)).toMatchObject({ answers: [{ value: 'v=spf1 -all' }] });
});

// BADVERS has its upper bits in the OPT record (RFC 6891, section 6.1.3).
const BAD_VERSION = { type: 'OPT', name: '.', udpPayloadSize: 1232, extendedRcode: 1, ednsVersion: 0, options: [] };
test.each<[string, Partial<Packet>]>([
  ['FORMERR', { flags: 1 }],
  ['BADVERS', { additionals: [BAD_VERSION as unknown as Answer] }],
])('a server that cannot read a modern question, and says %s, is asked an old one', async (_, more) => {
  sayUdp = (question) => [
    (decode(question).additionals ?? []).length > 0 ? right(question, [], more) : right(question),
  ];
  expect(await networkTransport(endpoint, QUESTION, 5 * TIMEOUT)).toMatchObject({
    answers: [{ value: 'v=spf1 -all' }],
  });
});

test('a datagram that got lost is sent again', async () => {
  let sent = 0;
  sayUdp = (question) => (sent++ === 0 ? [] : [right(question)]);
  expect(await networkTransport(endpoint, QUESTION, 5 * TIMEOUT)).toMatchObject({
    answers: [{ value: 'v=spf1 -all' }],
  });
});
