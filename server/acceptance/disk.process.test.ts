import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { obtainProgram } from '../../testing/programs/debianPackages.ts';
import { programFile } from '../testing/processes/programFile.ts';
import { killServices, type StartedService, startMain, startService } from '../testing/processes/testMain.ts';
import { runProgram } from '../testing/processes/testProcess.ts';
import { createWriters, findUnclearAnswers, type Writers } from '../testing/testWriters.ts';

// A real disk that becomes full, broken or read-only. Needs root.

const MIB = 2 ** 20;

let folder: string;
let disk: string;
let file: string;
let url: string;
let service: StartedService;
let writers: Writers;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sendroom-disk-'));
  disk = join(folder, 'disk');
  file = join(disk, 'data.db');
  url = `file:${file}`;
  mkdirSync(disk);
  mount('-t', 'tmpfs', '-o', 'size=24m,mode=0700', 'tmpfs', disk);
  ({ writers } = await createWriters(url, 4));
  service = await startService(url);
});
afterEach(async () => {
  killServices();
  await writers.stop();
  spawnSync('umount', ['--lazy', disk]);
  rmSync(folder, { recursive: true, force: true });
});

function mount(...parameters: string[]): void {
  const { status, stderr } = spawnSync('mount', parameters, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

function fill(): string {
  const filler = join(disk, 'filler');
  const descriptor = openSync(filler, 'w');
  try {
    for (let size = MIB; size >= 1; size /= 2) {
      while (writesTo(descriptor, Buffer.alloc(size)));
    }
  } finally {
    closeSync(descriptor);
  }
  return filler;
}

function writesTo(descriptor: number, bytes: Buffer): boolean {
  try {
    return writeSync(descriptor, bytes) === bytes.length;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOSPC') throw error;
    return false;
  }
}

async function failing(calls: string, error: string): Promise<() => Promise<void>> {
  const strace = obtainProgram(folder, 'strace');
  const rules = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}`];
  const files = [file, `${file}-wal`, `${file}-probe`].flatMap((path) => ['-P', path]);
  const parameters = ['-f', '-o', '/dev/null', ...rules, ...files, '-p', String(service.pid)];
  const tracer = spawn(strace.path, parameters, { env: strace.env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(tracer, 'close');
  await once(tracer.stderr, 'data');
  return async () => {
    tracer.kill('SIGINT');
    await ended;
  };
}

const status = async (path: string, token?: string) => {
  const response = await fetch(`${service.address}${path}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  return response.status;
};
const refusals = (start: number) => writers.answers.filter(({ status: code, sent }) => code === 503 && sent > start);

test('while disk writes fail, changes are refused and reads work; then it recovers', async ({ task }) => {
  writers.start([service.address]);
  await writers.waitForWrites(50);
  const repair = await failing('write,pwrite64', 'EIO');
  const start = performance.now();
  await expect.poll(() => refusals(start).length).toBeGreaterThan(10);
  await expect.poll(() => status('/readyz')).toBe(503);
  expect(await status('/v1/contacts/c0@example.com', writers.token)).toBe(200);
  await repair();
  const back = performance.now();
  await expect.poll(() => writers.acknowledgedSince(back)).toBe(true);
  await expect.poll(() => status('/readyz')).toBe(200);
  await writers.stop();

  expect(service.isRunning()).toBe(true);
  expect(findUnclearAnswers(writers.answers)).toEqual([]);
  const { faults, found } = await writers.compare(service.address);
  expect(faults).toEqual([]);
  const measured = `${found} acknowledged, 0 lost; ${refusals(0).length} refused with Retry-After, reads answered`;
  Object.assign(task.meta, { measured });
});

test('a failed fsync ends the service, and the next start has every acknowledged change', async ({ task }) => {
  await service.kill();
  const main = startMain({ DATABASE_URL: url, DEMO: 'off', RATE_LIMIT: '0', DNS_RECHECK: 'off' });
  service = { ...service, address: await main.address, pid: main.child.pid ?? 0 };
  writers.start([service.address]);
  await writers.waitForWrites(50);
  await failing('fsync,fdatasync', 'EIO');
  expect(await main.ended).toBe(1);
  await writers.stop();
  const last = main.stderr().trim().split('\n');
  expect(last.some((line) => line.startsWith('{') && line.includes('"level":"fatal"'))).toBe(true);

  service = await startService(url);
  const { faults, found } = await writers.compare(service.address);
  expect(faults).toEqual([]);
  writers.start([service.address]);
  await writers.waitForWrites(50);
  Object.assign(task.meta, { measured: `it ended with 1; ${found} acknowledged, 0 lost` });
});

test('a backup without space fails with a message and leaves nothing', async () => {
  // More than SQLite keeps in memory.
  // The service may be writing.
  const database = new DatabaseSync(file, { timeout: 10_000 });
  database.exec('create table large as select randomblob(4000000)');
  database.close();
  const filler = fill();
  truncateSync(filler, statSync(filler).size - MIB / 128);
  const before = readdirSync(disk);
  const copy = join(disk, 'copy.db');
  const env = { DATABASE_URL: url };
  const said = await runProgram([process.execPath, programFile('admin'), 'backup', copy], { stdin: '', env });
  expect(said).toEqual({ code: 1, out: '', err: `No space left for ${copy}.\n` });
  expect(readdirSync(disk)).toEqual(before);
});

test('a service on a read-only disk does not start, and says why', async () => {
  await service.kill();
  mount('-o', 'remount,ro', disk);
  const main = startMain({ DATABASE_URL: url, DEMO: 'off' });
  expect(await main.ended).toBe(1);
  expect(main.stdout()).toMatch(/^The database \S+ cannot be opened: [^\n]+\.\n$/);
});
