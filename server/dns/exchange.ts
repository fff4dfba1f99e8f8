import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { decodeAnswer, encodeQuestion, type Message, type Question } from './message.ts';

export type Endpoint = { address: string; port: number };

/** Why there is no answer to a question. */
export type Silence = 'timeout' | 'unreachable' | 'truncated';

const UDP_TRIES = 2;
/** Over TCP, two bytes in front of a message say how long it is (RFC 1035, section 4.2.2). */
const LENGTH_SIZE = 2;
const MESSAGE_MAX = 0xff_ff;

/**
 * Asks one server one question, over UDP and, where the answer does not fit, over TCP. Takes at most `timeout` ms, and at
 * most half of it more where something had to be asked again in another way.
 */
export async function exchange(server: Endpoint, question: Question, timeout: number): Promise<Message | Silence> {
  if (question.isTcp) return overTcp(server, question, timeout);
  const end = performance.now() + timeout;
  let answer: Message | Silence = 'timeout';
  for (let tries = UDP_TRIES; tries > 0 && answer === 'timeout'; tries--) {
    answer = await overUdp(server, question, Math.max(end - performance.now(), 0) / tries);
  }
  if (typeof answer !== 'string' && answer.rcode === 'FORMERR') {
    answer = await overUdp(server, question, Math.max(end - performance.now(), timeout / 4), true);
  }
  if (typeof answer === 'string' || !answer.isTruncated) return answer;
  const whole = await overTcp(server, question, Math.max(end - performance.now(), timeout / 4));
  return typeof whole === 'string' || whole.isTruncated ? 'truncated' : whole;
}

function overUdp(
  { address, port }: Endpoint,
  question: Question,
  timeout: number,
  isOld = false,
): Promise<Message | Silence> {
  const { promise, resolve } = Promise.withResolvers<Message | Silence>();
  const id = randomInt(0x1_00_00);
  // A connected socket: the system drops what others send, and tells when nobody listens there.
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  const timer = setTimeout(() => resolve('timeout'), timeout);
  socket.on('error', () => resolve('unreachable'));
  socket.on('message', (packet) => {
    // Something else than the answer may be forged or late: the true one may still come.
    const message = decodeAnswer(packet, id, question);
    if (message !== null) resolve(message);
  });
  socket.connect(port, address, () => socket.send(encodeQuestion(id, question, isOld)));
  return promise.finally(() => {
    clearTimeout(timer);
    socket.close();
  });
}

function overTcp({ address, port }: Endpoint, question: Question, timeout: number): Promise<Message | Silence> {
  const { promise, resolve } = Promise.withResolvers<Message | Silence>();
  const id = randomInt(0x1_00_00);
  const packet = encodeQuestion(id, question);
  const length = Buffer.alloc(LENGTH_SIZE);
  length.writeUInt16BE(packet.length);
  const timer = setTimeout(() => resolve('timeout'), timeout);
  // Sent one byte at a time or without end: what is beyond the first message is never kept.
  const received = Buffer.alloc(LENGTH_SIZE + MESSAGE_MAX);
  let filled = 0;
  const socket = connect(port, address, () => socket.write(Buffer.concat([length, packet])));
  socket.on('error', () => resolve('unreachable'));
  socket.on('close', () => resolve('unreachable'));
  socket.on('data', (chunk) => {
    filled += Buffer.from(chunk).copy(received, filled);
    const end = LENGTH_SIZE + received.readUInt16BE(0);
    if (filled < LENGTH_SIZE || filled < end) return;
    resolve(decodeAnswer(received.subarray(LENGTH_SIZE, end), id, question) ?? 'unreachable');
  });
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}
