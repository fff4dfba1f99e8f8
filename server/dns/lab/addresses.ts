import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { Endpoint } from '../exchange.ts';

export const ADDRESSES = {
  resolver: '127.0.0.1',
  registry: '127.0.0.10',
  ns1: '127.0.0.11',
  ns2: '127.0.0.12',
  dead: '127.0.0.14',
  silent: '127.0.0.15',
  faulty: '127.0.0.16',
  /** Serves what the world must not see, and refuses everything else. */
  inside: '127.0.0.54',
};
export type Place = keyof typeof ADDRESSES;

/** Free at all addresses, and none that the system gives to whoever asks for any. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(20_000, 30_000);
    const free = await Promise.all(Object.values(ADDRESSES).map((address) => isFree({ address, port })));
    if (free.every(Boolean)) return port;
  }
  throw new Error(
    'No port is free at all loopback addresses of the DNS lab, which has only been seen to run on Linux.',
  );
}

async function isFree({ address, port }: Endpoint): Promise<boolean> {
  const tcp = createServer().listen(port, address);
  const udp = createSocket('udp4').bind(port, address);
  try {
    await Promise.all([once(tcp, 'listening'), once(udp, 'listening')]);
    return true;
  } catch {
    return false;
  } finally {
    tcp.on('error', () => {}).close();
    udp.on('error', () => {}).close();
  }
}
