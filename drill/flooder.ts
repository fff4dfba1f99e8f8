import { FLOODS, type Flood, startFlood } from '../server/testing/testFlood.ts';

// A process that floods a service until it is stopped, and reports the number of connections.

export type FloodRequest = { port: number; name: string; connections: number };

let flood: Flood | null = null;

process.on('message', (message: FloodRequest | 'stop') => {
  if (message !== 'stop') {
    flood = startFlood(message.port, FLOODS[message.name] ?? Buffer.alloc(0), message.connections);
    return;
  }
  flood?.stop();
  process.send?.(flood?.opened() ?? 0, () => process.disconnect?.());
});
