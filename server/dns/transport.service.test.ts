import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Answer, decode, encode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Query } from './message.ts';
import { networkTransport, type Server as Asked } from './transport.ts';

// Servers that send anything: a query always ends.

const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 1);
vi.setConfig({ testTimeout: 10_000 * ROUNDS });

const QUESTION: Query = { name: 'example.test', type: 'TXT', isRecursive: true };
const TIMEOUT = 800;

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

/** The largest message over TCP. */
const LARGE = [...Array.from({ length: 270 }, (_, index) => text(`${index}`.padEnd(200, 'x'))), text('y'.repeat(250))];

test.each<[string, typeof sayTcp, number | 'truncated' | 'too many records']>([
  ['one byte at a time', (question, socket) => void oneByOne(framed(right(question)), socket), 1],
  [
    'two messages at once',
    (question, socket) => socket.write(Buffer.concat([1, 2].map(() => framed(right(question))))),
    1,
  ],
  ['more than 60 kB', (question, socket) => socket.write(framed(right(question, LARGE))), LARGE.length],
  ['an answer, and then data without end', (question, socket) => endlessly(framed(right(question)), socket), 1],
  ['data without end', (_, socket) => endlessly(Buffer.alloc(0x1_00_00, 0xff), socket), 'truncated'],
  ['empty messages without end', (_, socket) => endlessly(Buffer.alloc(0x1_00_00), socket), 'truncated'],
  ['a length and nothing else', (_, socket) => socket.write(Buffer.from([0xff, 0xff])), 'truncated'],
  ['half a length', (_, socket) => socket.write(Buffer.from([0])), 'truncated'],
  ['half an answer', (question, socket) => socket.end(framed(right(question)).subarray(0, 30)), 'truncated'],
  ['nothing', () => {}, 'truncated'],
  ['an end', (_, socket) => socket.destroy(), 'truncated'],
  [
    'more records than anybody has',
    (q, socket) =>
      socket.write(
        framed(
          right(
            q,
            Array.from({ length: 900 }, () => text('x')),
          ),
        ),
      ),
    'too many records',
  ],
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

type Change = { at: number; byte: number };

function changed(bytes: Buffer, changes: readonly Change[]): Buffer {
  for (const { at, byte } of changes) bytes[Math.floor(at * (bytes.length - 1))] = byte;
  return bytes;
}

test('whatever becomes of the bytes of an answer on their way, there is an end', async () => {
  const change = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.integer({ min: 0, max: 255 }) });
  const asks = fc.asyncProperty(fc.array(change, { maxLength: 5 }), fc.boolean(), async (changes, isCut) => {
    sayUdp = (question) => (isCut ? truncated(question) : [changed(right(question), changes)]);
    sayTcp = (question, socket) => socket.end(changed(framed(right(question)), changes));
    const answer = await networkTransport(endpoint, QUESTION, 20);
    if (typeof answer === 'string') expect(['timeout', 'garbled', 'truncated']).toContain(answer);
    else expect(answer.answers.length).toBeLessThan(2);
  });
  await fc.assert(asks, { numRuns: 150 * ROUNDS });
});

test('no time is enough to ask, and too little to fail', async () => {
  sayUdp = (question) => [right(question)];
  const timeouts = Array.from({ length: 60 }, (_, index) => (index + 1) / 20);
  const answers = await Promise.all(timeouts.map((timeout) => networkTransport(endpoint, QUESTION, timeout)));
  for (const answer of answers) if (typeof answer === 'string') expect(['timeout', 'garbled']).toContain(answer);
});
