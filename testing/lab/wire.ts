import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { decode, type DecodedPacket, encode, type Packet, type Question, type RecordType } from 'dns-packet';

const PORT = 53;
/** The longest time after which a resolver gives up. */
const FORWARD_MS_MAX = 12_000;

export type ReceivedQuery = {
  /** The name is in lower case and without the final dot; the root is the empty name. */
  question: Question;
  query: DecodedPacket;
  bytes: Buffer;
  isTcp: boolean;
};

/** The response without the length prefix of TCP; null for silence. */
export type QueryHandler = (asked: ReceivedQuery) => Promise<Buffer | null> | Buffer | null;

/** How a server handles TCP: not at all, or it breaks off in the middle of an answer. */
export type TcpBehaviour = 'refused' | 'broken' | 'taken';

/** Listens on port 53 of an address. */
export async function listen(
  address: string,
  answering: QueryHandler,
  tcp: TcpBehaviour = 'taken',
): Promise<AsyncDisposable> {
  const answer = async (bytes: Buffer, isTcp: boolean): Promise<Buffer | null> => {
    try {
      const query = decode(bytes);
      const [question] = query.questions ?? [];
      if (question === undefined) return null;
      const name = question.name === '.' ? '' : question.name.toLowerCase();
      return await answering({ question: { ...question, name }, query, bytes, isTcp });
    } catch {
      // The message cannot be decoded, or there is no answer to forward.
      return null;
    }
  };
  let isClosed = false;
  const udp = createSocket('udp4').bind(PORT, address);
  udp.on('message', (bytes, from) => {
    void answer(bytes, false).then((reply) => {
      if (reply !== null && !isClosed) udp.send(reply, from.port, from.address);
    });
  });
  await once(udp, 'listening');
  udp.on('error', () => {});
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => {});
    void overTcp(socket, (bytes) => answer(bytes, true), tcp === 'broken');
  });
  if (tcp !== 'refused') {
    server.listen(PORT, address);
    await once(server, 'listening');
  }
  return {
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      udp.close();
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

async function overTcp(
  socket: Socket,
  answer: (bytes: Buffer) => Promise<Buffer | null>,
  isBroken: boolean,
): Promise<void> {
  for await (const bytes of framed(socket)) {
    const reply = await answer(bytes);
    if (reply === null) continue;
    const framedReply = frame(reply);
    socket.write(isBroken ? framedReply.subarray(0, framedReply.length / 2) : framedReply);
    if (isBroken) socket.destroySoon();
  }
}

function frame(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** The messages of a connection, until it ends or breaks. */
async function* framed(socket: Socket): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of socket) {
      rest = Buffer.concat([rest, chunk as Buffer]);
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
        const end = 2 + rest.readUInt16BE(0);
        yield rest.subarray(2, end);
        rest = rest.subarray(end);
      }
    }
  } catch {
    // The client has disconnected.
  }
}

/** Forwards a query, and returns the response. Rejects if there is none. */
export async function forward(bytes: Buffer, address: string, isTcp: boolean): Promise<Buffer> {
  const signal = AbortSignal.timeout(FORWARD_MS_MAX);
  if (isTcp) {
    const socket = connect({ host: address, port: PORT, signal });
    try {
      socket.on('error', () => {}).write(frame(bytes));
      for await (const reply of framed(socket)) return reply;
      throw new Error(`${address} gave no answer.`);
    } finally {
      socket.destroy();
    }
  }
  const socket = createSocket('udp4');
  try {
    socket.send(bytes, PORT, address);
    const [reply] = (await once(socket, 'message', { signal })) as [Buffer];
    return reply;
  } finally {
    socket.close();
  }
}

/** Sends a query; null when there is no answer in `timeout` milliseconds. */
export async function ask(
  address: string,
  name: string,
  type: RecordType,
  { timeout, isRecursive = false }: { timeout: number; isRecursive?: boolean },
): Promise<DecodedPacket | null> {
  const bytes = encode({ type: 'query', id: 1, flags: isRecursive ? 0x0100 : 0, questions: [{ name, type }] });
  const late = new Promise<null>((resolve) => setTimeout(resolve, timeout, null).unref());
  const reply = await Promise.race([late, forward(bytes, address, true).catch(() => null)]);
  return reply === null ? null : decode(reply);
}

/** A response to `asked` with `content`. */
export function reply({ query }: ReceivedQuery, content: Packet): Buffer {
  const { id = 0, questions = [] } = query;
  return encode({ type: 'response', id, questions, ...content });
}
