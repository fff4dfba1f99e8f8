import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

export type AnswerScript = (socket: Socket, head: string) => void;

export type TestUpstream = AsyncDisposable & {
  url: string;
  answer: (script: AnswerScript) => void;
  received: string[];
  connections: () => number;
};

export const JSON_TYPE = 'content-type: application/json';

export const NO_DOMAINS = JSON.stringify({
  data: [],
  meta: { current_page: 1, per_page: 1, total: 0, last_page: 1, has_next: false },
});

export function says(head: string[], body = ''): AnswerScript {
  return (socket) => void socket.end(`HTTP/1.1 ${head.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`, 'latin1');
}

export const ok = (length: number) => `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\ncontent-length: ${length}\r\n\r\n`;

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
  const server: Server = isTls ? createTlsServer(SELF_SIGNED, listener) : createServer(listener);
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

/** A key and a certificate that it has signed itself, until 2049, of `upstream.test`. */
const SELF_SIGNED = {
  key: pem('PRIVATE KEY', 'MC4CAQAwBQYDK2VwBCIEIIxxJUHGkeJY3eggUnt34KKfV5rGzDRd0iiifT/o4ejv'),
  cert: pem(
    'CERTIFICATE',
    'MIHcMIGPoAMCAQICAQEwBQYDK2VwMBgxFjAUBgNVBAMMDXVwc3RyZWFtLnRlc3Qw',
    'HhcNMjUwMTAxMDAwMDAwWhcNNDkwMTAxMDAwMDAwWjAYMRYwFAYDVQQDDA11cHN0',
    'cmVhbS50ZXN0MCowBQYDK2VwAyEAzx8Q700UzdN7Pa6aZKzwXcwugezzswfTrrLL',
    'LGUnGgEwBQYDK2VwA0EA9cw0C443tWk7Ykov/21mUP80LXHUuFwN3qbtQYX9dtBC',
    'MTLmAkL9RvxhAQ/YZFPfNxfXyvDkXQv0uHzH7ZITBA==',
  ),
};

function pem(what: string, ...lines: string[]): string {
  return `-----BEGIN ${what}-----\n${lines.join('\n')}\n-----END ${what}-----\n`;
}
