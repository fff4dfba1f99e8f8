import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export type TestProxy = AsyncDisposable & {
  url: string;
  disconnect: () => Promise<void>;
  reconnect: () => Promise<void>;
};

export async function startTestProxy(address: string): Promise<TestProxy> {
  const url = new URL(address);
  const socketFolder = url.searchParams.get('host');
  const port = Number(url.port || 5432);
  const target = socketFolder === null ? { host: url.hostname, port } : { path: `${socketFolder}/.s.PGSQL.${port}` };
  const sockets = new Set<Socket>();
  const server = createServer((outside) => {
    const inside = connect(target);
    for (const socket of [outside, inside]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => (outside.destroy(), inside.destroy(), sockets.delete(socket)));
    }
    outside.pipe(inside).pipe(outside);
  });
  const listen = (on: number) => once(server.listen(on, '127.0.0.1'), 'listening');
  await listen(0);
  const { port: own } = server.address() as AddressInfo;
  url.searchParams.delete('host');
  url.host = `127.0.0.1:${own}`;
  const disconnect = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    disconnect: disconnect,
    reconnect: async () => void (await listen(own)),
    [Symbol.asyncDispose]: disconnect,
  };
}
