import { connect, type Socket } from 'node:net';

export type Flood = {
  /** Connections that it has opened so far. */
  opened: () => number;
  stop: () => void;
};

/** Keeps `connections` open that send `message` and read nothing. Every second a quarter of them is replaced. */
export function startFlood(port: number, message: Uint8Array, connections: number): Flood {
  const open = new Set<Socket>();
  let opened = 0;
  const refill = () => {
    for (const socket of [...open].slice(0, connections / 4)) socket.destroy();
    while (open.size < connections) {
      const socket = connect(port, '127.0.0.1');
      open.add(socket.pause());
      opened++;
      // The service resets flooding connections.
      socket.on('error', () => {});
      socket.on('close', () => open.delete(socket));
      socket.write(message);
    }
  };
  refill();
  const timer = setInterval(refill, 1000);
  return {
    opened: () => opened,
    stop: () => {
      clearInterval(timer);
      for (const socket of open) socket.destroy();
    },
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const SIGN_IN = 'POST /session HTTP/1.1\r\nHost: x\r\nSendroom-Console: 1\r\nContent-Type: application/json\r\n';

/** Floods that need no token, with much effect for few bytes. */
export const FLOODS: Record<string, Uint8Array> = {
  'requests far ahead of their answers': Buffer.from(get('/openapi.json').repeat(1500)),
  'as many requests as a connection may send ahead': Buffer.from(get('/openapi.json').repeat(16)),
  'requests that are refused, as short as there are': Buffer.from('GET / HTTP/1.1\r\n\r\n'.repeat(3500)),
  'bodies in pieces of one byte': Buffer.from(
    `${SIGN_IN}Transfer-Encoding: chunked\r\n\r\n${'1\r\n[\r\n'.repeat(200_000)}`,
  ),
  'bodies that stop before their end': Buffer.from(`${SIGN_IN}Content-Length: 262144\r\n\r\n${'x'.repeat(250_000)}`),
};
