import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import { decodeAnswer, encodeQuestion, type Message, type Question } from './message.ts';

export type Endpoint = { address: string; port: number };

/** Why there is no answer to a question. */
export type Silence = 'timeout' | 'unreachable' | 'truncated';

const UDP_TRIES = 2;

/** Asks one server one question, over UDP and, where the answer does not fit, over TCP. Takes at most `timeout` ms. */
export async function exchange(server: Endpoint, question: Question, timeout: number): Promise<Message | Silence> {
  if (question.isTcp) return overTcp(server, question, timeout);
  const end = performance.now() + timeout;
  let answer: Message | Silence = 'timeout';
  for (let tries = UDP_TRIES; tries > 0 && answer === 'timeout'; tries--) {
    answer = await overUdp(server, question, (end - performance.now()) / tries);
  }
  if (typeof answer !== 'string' && answer.rcode === 'FORMERR') {
    answer = await overUdp(server, question, Math.max(end - performance.now(), timeout / 4), true);
  }
  if (typeof answer === 'string' || !answer.isTruncated) return answer;
  const whole = await overTcp(server, question, Math.max(end - performance.now(), timeout / 4));
  return typeof whole === 'string' ? 'truncated' : whole;
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
  const length = Buffer.alloc(2);
  length.writeUInt16BE(packet.length);
  const timer = setTimeout(() => resolve('timeout'), timeout);
  let received = Buffer.alloc(0);
  const socket = connect(port, address, () => socket.write(Buffer.concat([length, packet])));
  socket.on('error', () => resolve('unreachable'));
  socket.on('close', () => resolve('unreachable'));
  socket.on('data', (chunk) => {
    received = Buffer.concat([received, Buffer.from(chunk)]);
    const size = received.length < 2 ? Infinity : received.readUInt16BE(0) + 2;
    if (received.length >= size) resolve(decodeAnswer(received.subarray(2, size), id, question) ?? 'unreachable');
  });
  return promise.finally(() => {
    clearTimeout(timer);
    socket.destroy();
  });
}
