import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/** Answers a request by its head, with any bytes. */
export type AnswerScript = (socket: Socket, head: string) => void;

export type TestUpstream = AsyncDisposable & {
  url: string;
  /** Answers requests with this from now on. */
  answer: (script: AnswerScript) => void;
  /** Heads and bodies that arrived since the last `answer`. */
  received: string[];
  /** Open connections with a request. Node may open others for later requests. */
  connections: () => number;
};

export const JSON_TYPE = 'content-type: application/json';

/** The body of a list of domains without any. */
export const NO_DOMAINS = JSON.stringify({
  data: [],
  meta: { current_page: 1, per_page: 1, total: 0, last_page: 1, has_next: false },
});

/** A status line, headers and a body; then the connection ends. */
export function says(head: string[], body = ''): AnswerScript {
  return (socket) => void socket.end(`HTTP/1.1 ${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`, 'latin1');
}

/** The head of a 200 response with this number of bytes. */
export const ok = (length: number) => `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\ncontent-length: ${length}\r\n\r\n`;

/** A real server that may violate HTTP. With `isTls` it has a self-signed certificate. */
export async function startTestUpstream({ isTls = false } = {}): Promise<TestUpstream> {
  let script: AnswerScript | null = null;
  let received: string[] = [];
  const sockets = new Set<Socket>();
  const asked = new Set<Socket>();
  const listener = (socket: Socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n') + 4;
      const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
      if (end < 4 || text.length < end + length) return;
      const head = text;
      text = '';
      received.push(head);
      asked.add(socket);
      script?.(socket, head);
    });
    socket.on('close', () => {
      sockets.delete(socket);
      asked.delete(socket);
    });
    // The client may have disconnected.
    socket.on('error', () => socket.destroy());
  };
  const server: Server = isTls ? createTlsServer(selfSigned(), listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${isTls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (next) => {
      script = next;
      received = [];
    },
    get received() {
      return received;
    },
    connections: () => asked.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const ED25519 = der(0x30, Buffer.from('06032b6570', 'hex'));

/** A key and a self-signed certificate (RFC 5280). */
function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const commonName = der(0x30, Buffer.from('0603550403', 'hex'), der(0x0c, Buffer.from('upstream.test')));
  const name = der(0x30, der(0x31, commonName));
  const validity = der(0x30, der(0x17, Buffer.from('250101000000Z')), der(0x17, Buffer.from('490101000000Z')));
  const version = der(0xa0, der(0x02, Buffer.of(2)));
  const serial = der(0x02, Buffer.of(1));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const signed = der(0x30, version, serial, ED25519, name, validity, name, spki);
  const certificate = der(0x30, signed, ED25519, der(0x03, Buffer.of(0), sign(null, signed, privateKey)));
  const lines = certificate.toString('base64').replaceAll(/(.{64})/g, '$1\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value in DER. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}
