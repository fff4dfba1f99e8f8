import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { FLOODS, residentMiB } from '../server/testing/testFlood.ts';
import { startMain } from '../server/testing/testMain.ts';
import type { Drill, DrillResult } from './drill.ts';
import type { FloodRequest } from './flooder.ts';

const HEAP_MIB = 512;
/** Memory of a process besides its heap. */
const BESIDES_MIB = 300;
/** A quarter of them is replaced every second. With the smallest chunks fewer connections use a whole processor. */
const CONNECTIONS = 400;
const HEAVY = { name: 'bodies in pieces of one byte', connections: 40 };
/** For the first attack, and for each of the others. */
const [MINUTES, OTHER_MINUTES] = [10, 2];
/** How long another caller may have to wait, in milliseconds. */
const WAIT_MAX = 5000;

export const flood: Drill = {
  name: 'flood',
  description: `callers without a token who send much and read nothing do not end a service with ${HEAP_MIB} MiB, nor keep others out`,
  minutesMax: MINUTES + Object.keys(FLOODS).length * OTHER_MINUTES + 5,
  async *run(folder) {
    for (const [index, name] of Object.keys(FLOODS).entries()) {
      const connections = name === HEAVY.name ? HEAVY.connections : CONNECTIONS;
      yield await holdOut(join(folder, `${index}.db`), name, connections, index === 0 ? MINUTES : OTHER_MINUTES);
    }
  },
};

async function holdOut(file: string, name: string, connections: number, minutes: number): Promise<DrillResult> {
  const service = startMain({ DATABASE_URL: `file:${file}`, DEMO: 'off' }, [`--max-old-space-size=${HEAP_MIB}`]);
  const flooder = fork(join(import.meta.dirname, 'flooder.ts'));
  try {
    const address = await service.address;
    flooder.send({ port: Number(new URL(address).port), name, connections } satisfies FloodRequest);
    const end = performance.now() + minutes * 60_000;
    let answers = 0;
    let slowest = 0;
    let most = 0;
    while (performance.now() < end) {
      const asked = performance.now();
      const { status } = await fetch(`${address}/healthz`);
      if (status !== 200) throw new Error(`/healthz is ${status}.`);
      answers++;
      slowest = Math.max(slowest, performance.now() - asked);
      most = Math.max(most, residentMiB(service.child.pid ?? 0));
      await delay(100);
    }
    flooder.send('stop');
    const [opened] = (await once(flooder, 'message')) as [number];
    const code = await service.stop();
    const lines = service.stderr().trim().split('\n');
    const wrong = lines.filter((line) => !isObject(line)).length;
    return {
      what: `${name}, for ${minutes} minutes`,
      expected: `others are answered within ${WAIT_MAX} ms, at most ${HEAP_MIB + BESIDES_MIB} MiB, a log of objects`,
      measured: `${opened} connections; ${answers} answers, the slowest after ${slowest.toFixed(0)} ms; ${most.toFixed(0)} MiB; ${wrong} of ${lines.length} lines are none; ended with ${code}`,
      holds: code === 0 && wrong === 0 && slowest <= WAIT_MAX && most <= HEAP_MIB + BESIDES_MIB,
    };
  } finally {
    flooder.kill('SIGKILL');
    service.child.kill('SIGKILL');
  }
}

function isObject(line: string): boolean {
  try {
    return typeof JSON.parse(line) === 'object';
  } catch {
    return false;
  }
}
