import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startMain } from '../server/testing/testMain.ts';
import type { Drill, DrillResult } from './drill.ts';
import { obtainProgram, type Program } from './programs.ts';

const CONNECTIONS = 1000;
const SECONDS = 110;
/** How long another caller may have to wait, in milliseconds. */
const WAIT_MAX = 1000;

type Mode = {
  what: string;
  path: string;
  args: readonly string[];
  /** Seconds until the service has closed all connections. */
  closedWithin: number;
};

const modes: readonly Mode[] = [
  { what: 'slowhttptest -H, headers that do not end', path: '/healthz', args: ['-H', '-i', '2'], closedWithin: 35 },
  {
    what: 'slowhttptest -B, bodies that do not end',
    path: '/session',
    // The header of the console is put behind the media type: without it the service would not wait for the body.
    args: ['-B', '-i', '2', '-s', '8192', '-t', 'POST', '-f', 'application/json\r\nSendroom-Console: 1'],
    closedWithin: 45,
  },
  {
    what: 'slowhttptest -X, answers that are read by 32 bytes',
    path: '/openapi.json',
    args: ['-X', '-w', '10', '-y', '20', '-n', '3', '-z', '32', '-k', '5'],
    closedWithin: SECONDS,
  },
];

export const slowCallers: Drill = {
  name: 'slow-callers',
  description: `${CONNECTIONS} connections of slowhttptest in each of its three modes are closed, and nobody else waits for them`,
  minutesMax: 10,
  async *run(folder) {
    const program = obtainProgram(folder, 'slowhttptest');
    for (const mode of modes) yield await holdOut(program, join(folder, `${mode.args[0]}.db`), mode);
  },
};

async function holdOut(program: Program, file: string, { what, path, args, closedWithin }: Mode): Promise<DrillResult> {
  const service = startMain({ DATABASE_URL: `file:${file}`, DEMO: 'off' });
  try {
    const address = await service.address;
    const before = socketsOf(service.child.pid);
    const always = ['-c', String(CONNECTIONS), '-r', '200', '-l', String(SECONDS), '-p', '3', '-u', address + path];
    const attack = spawn(program.path, [...args, ...always], { env: program.env, stdio: 'ignore' });
    const ended = once(attack, 'close');
    const start = performance.now();
    const isOver = () => performance.now() - start > SECONDS * 1000;
    let most = 0;
    let slowest = 0;
    let closedAfter = Infinity;
    while (!isOver() && closedAfter === Infinity) {
      const asked = performance.now();
      const { status } = await fetch(`${address}/healthz`);
      if (status !== 200) throw new Error(`/healthz is ${status}.`);
      slowest = Math.max(slowest, performance.now() - asked);
      const open = socketsOf(service.child.pid) - before;
      most = Math.max(most, open);
      // One of them may be that of this request.
      if (most > CONNECTIONS / 2 && open <= 2) closedAfter = (performance.now() - start) / 1000;
      await delay(200);
    }
    attack.kill();
    await ended;
    const isRight = (await service.stop()) === 0;
    return {
      what,
      expected: `all are closed within ${closedWithin} s, and others wait for at most ${WAIT_MAX} ms`,
      measured: `${most} open at most, closed after ${closedAfter.toFixed(0)} s; others waited for ${slowest.toFixed(0)} ms at most`,
      holds: isRight && closedAfter <= closedWithin && slowest <= WAIT_MAX,
    };
  } finally {
    service.child.kill('SIGKILL');
  }
}

/** The number of open sockets of a process. */
function socketsOf(pid = 0): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => isSocket(join(folder, name))).length;
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith('socket:');
  } catch {
    // Closed meanwhile.
    return false;
  }
}
