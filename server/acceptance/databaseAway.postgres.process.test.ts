import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, type TestContext, test, vi } from 'vitest';
import { freezeProcesses } from '../testing/processes/freezeProcesses.ts';
import { type PostgresServer, startPostgres } from '../../testing/programs/postgres.ts';
import { killServices, type StartedService, startService } from '../testing/processes/testMain.ts';
import { createWriters, findUnclearAnswers, type Writers } from '../testing/testWriters.ts';

// PostgreSQL goes away under constant writes: every request gets a clear error, and no confirmed write is lost.

const AWAY_S = Number(process.env.AWAY_SECONDS ?? 0);
vi.setConfig({ testTimeout: 120_000 + AWAY_S * 2000 });

const BACK_MS_MAX = AWAY_S > 0 ? 5_000 : 30_000;

let folder: string;
let server: PostgresServer;
let service: StartedService;
let writers: Writers;
let goOn: () => void;
beforeEach(async () => {
  goOn = () => {};
  folder = mkdtempSync(join(tmpdir(), 'sendroom-away-'));
  chmodSync(folder, 0o755);
  server = await start();
  ({ writers } = await createWriters(server.url, 4));
  service = await startService(server.url);
});
afterEach(async () => {
  goOn();
  killServices();
  await writers.stop();
  await server.stop('SIGQUIT');
  rmSync(folder, { recursive: true, force: true });
});

function start(): Promise<PostgresServer> {
  return startPostgres({}, join(folder, 'data'));
}

async function onServer(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: server.superuserUrl });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

async function readiness(): Promise<number> {
  return (await fetch(`${service.address}/readyz`, { signal: AbortSignal.timeout(25_000) })).status;
}

async function stayAway(isAnswered: (answer: Writers['answers'][number]) => boolean = ({ status }) => status === 503) {
  if (AWAY_S > 0) await delay(AWAY_S * 1000);
  await expect.poll(() => writers.answers.filter(isAnswered).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(4);
}

async function whileAway({ task }: TestContext, take: () => Promise<() => Promise<unknown> | void>): Promise<void> {
  writers.start([service.address]);
  await writers.waitForWrites(100);
  const bringBack = await take();
  await expect.poll(readiness, { timeout: 30_000 }).toBe(503);
  await bringBack();
  const start = performance.now();
  await expect.poll(readiness, { timeout: BACK_MS_MAX, interval: 50 }).toBe(200);
  const ready = performance.now() - start;
  await expect.poll(() => writers.acknowledgedSince(start), { timeout: BACK_MS_MAX, interval: 50 }).toBe(true);
  await writers.waitForWrites(100);
  await writers.stop();

  expect(service.isRunning()).toBe(true);
  expect(findUnclearAnswers(writers.answers)).toEqual([]);
  const refused = writers.answers.filter(({ status }) => status === 503);
  expect(refused).not.toEqual([]);
  const { faults, found } = await writers.compare(service.address);
  expect(faults).toEqual([]);
  expect(found).toBe(writers.acknowledged);
  const longest = Math.max(...refused.map(({ sent, at }) => at - sent));
  Object.assign(task.meta, {
    measured: `${found} acknowledged, 0 lost; ${refused.length} refused, after ${inSeconds(longest)} s at most; ready ${inSeconds(ready)} s after its return`,
  });
}

const inSeconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);

test('a server that is stopped at once, and started again', (context) =>
  whileAway(context, async () => {
    await server.stop('SIGQUIT');
    return async () => {
      server = await start();
    };
  }));

test('a server that stands still', (context) =>
  whileAway(context, async () => {
    goOn = freezeProcesses([server.pid]);
    await stayAway();
    return goOn;
  }));

const AWAIT_STANDBY = [`alter system set synchronous_standby_names = 'nobody'`, 'select pg_reload_conf()'];
const AWAIT_NONE = ['alter system reset synchronous_standby_names', 'select pg_reload_conf()'];

test('a write that no standby confirms is not acknowledged, despite a statement timeout', async ({ task }) => {
  await onServer(`alter role sendroom set statement_timeout = '2s'`);
  writers.start([service.address]);
  // Connections from before the limit do not have it.
  await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sendroom'`);
  await writers.waitForWrites(50);
  await onServer(...AWAIT_STANDBY);
  const start = performance.now();
  await stayAway(({ at }) => at > start + 1000);
  const meanwhile = writers.answers.filter(({ at }) => at > start + 1000);
  expect(meanwhile).not.toEqual([]);
  expect(meanwhile.filter(({ status }) => status === 200)).toEqual([]);
  expect((await fetch(`${service.address}/readyz`)).status).toBe(200);
  await onServer(...AWAIT_NONE);
  await writers.waitForWrites(50);
  await writers.stop();
  expect(findUnclearAnswers(writers.answers)).toEqual([]);
  const { faults, found, more } = await writers.compare(service.address);
  expect(faults).toEqual([]);
  Object.assign(task.meta, { measured: `${found} acknowledged, 0 lost; ${more} written of which nobody was told` });
});

test('nor is one whose wait for a standby is cancelled', async () => {
  writers.start([service.address]);
  await writers.waitForWrites(50);
  await onServer(...AWAIT_STANDBY);
  const start = performance.now();
  const waiting = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
  const meanwhile = () => writers.answers.filter(({ sent }) => sent > start + 500);
  const breakOff = () => onServer(waiting).then(() => meanwhile().length);
  await expect.poll(breakOff).toBeGreaterThan(10);
  expect(meanwhile().filter(({ status }) => status === 200)).toEqual([]);
  await onServer(...AWAIT_NONE);
  await writers.waitForWrites(50);
  await writers.stop();
  expect(findUnclearAnswers(writers.answers)).toEqual([]);
  expect((await writers.compare(service.address)).faults).toEqual([]);
});
