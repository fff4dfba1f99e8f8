import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { putContacts } from '../server/contacts/store.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import { residentMiB } from '../server/testing/testFlood.ts';
import { startMain } from '../server/testing/testMain.ts';
import { createToken, createWorkspace } from '../server/workspaces/store.ts';
import { type Drill, UnsupportedMachineError, type DrillResult } from './drill.ts';
import type { CallKind, LoadOutcome, LoadPlan } from './loadProcess.ts';

const TIMES = 5;
const SECONDS = { warmUp: 3, peak: 10, overload: 60 };
const TOKENS = 10;
const CONTACTS = 2000;
/** Connections for the peak load, and for an overload of many times the capacity. */
const CONNECTIONS = { peak: 48, overload: 3000 };
const MEMORY_MIB = 600;
const REFUSED_WITHIN_MS = 10;
const TASKSET = '/usr/bin/taskset';

export const overload: Drill = {
  name: 'overload',
  description: `a service that is asked for ${TIMES} times what it can do: it does no less, writes get through, lists are refused at once`,
  minutesMax: 6,
  async *run(folder) {
    if (availableParallelism() < 2 || !existsSync(TASKSET)) {
      throw new UnsupportedMachineError(
        'This needs taskset and two processors, so that callers do not take that of the service.',
      );
    }
    mkdirSync(join(folder, 'data'));
    const url = `file:${join(folder, 'data', 'overload.db')}`;
    const { calls, token } = await fill(url);
    const settings = { DATABASE_URL: url, DEMO: 'off', RATE_LIMIT: '0', DNS_RECHECK: 'off' };
    const service = startMain(settings);
    try {
      const address = await service.address;
      const port = Number(new URL(address).port);
      const pid = service.child.pid ?? 0;
      keepOn(pid, 0);
      const atPeak = { port, calls, connections: CONNECTIONS.peak };
      await call({ ...atPeak, seconds: SECONDS.warmUp });
      const peak = perSecond(await call({ ...atPeak, seconds: SECONDS.peak }));
      const health = watch(address, pid, token);
      const plan = { port, calls, connections: CONNECTIONS.overload, seconds: SECONDS.overload };
      const outcome = await call({ ...plan, perSecond: TIMES * peak });
      yield* rowsOf(outcome, peak, await health.stop());
      yield* refusals(outcome, refusedInLog(service.stderr()));
      const after = perSecond(await call({ ...atPeak, seconds: SECONDS.peak }));
      yield row(
        'answers a second afterwards',
        'as many as before, but for a tenth',
        formatShare(after, peak),
        after > 0.9 * peak,
      );
      const code = await service.stop();
      yield row('the end of the service', 'it ends with 0 when it is asked to', `it ended with ${code}`, code === 0);
    } finally {
      service.child.kill('SIGKILL');
    }
  },
};

const row = (what: string, expected: string, measured: string, holds: boolean): DrillResult => ({
  what,
  expected,
  measured,
  holds,
});

function* rowsOf(outcome: LoadOutcome, peak: number, seen: HealthSamples): Generator<DrillResult> {
  const count = (...kinds: string[]) => kinds.reduce((sum, kind) => sum + (outcome.times[kind]?.length ?? 0), 0);
  const all = Object.values(outcome.times).reduce((sum, times) => sum + times.length, 0);
  const sent = `${(all / SECONDS.overload).toFixed(0)} requests a second`;
  const goodput = perSecond(outcome);
  yield row(
    `answers a second, of ${sent}`,
    '80 % of the peak at least',
    formatShare(goodput, peak),
    goodput >= 0.8 * peak,
  );
  for (const kind of ['unsubscribe', 'update']) {
    const tried = Object.entries(outcome.times).filter(([name]) => name.startsWith(kind));
    const total = tried.reduce((sum, [, times]) => sum + times.length, 0);
    const part = count(`${kind} 200`) / total;
    yield row(
      `${kind}, of ${total}`,
      '99 % get through',
      `${(part * 100).toFixed(2)} %, ${formatTimes(outcome.times[`${kind} 200`])}`,
      part >= 0.99,
    );
  }
  yield row(
    `lists that are refused to somebody who has nothing else to do, ${seen.refused.length}`,
    'half of them within twice the time of /healthz, which waits for nobody',
    `${formatTimes(seen.refused)}; /healthz ${formatTimes(seen.health)}`,
    quantile(seen.refused, 0.5) < 2 * quantile(seen.health, 0.5),
  );
  const lost = count('list 0', 'update 0', 'unsubscribe 0');
  yield row('connections that are lost', 'none', `${lost}; ${outcome.unsent} requests found none free`, lost === 0);
  const { health, most } = seen;
  const measured = `${health.length} times, after ${Math.max(...health).toFixed(0)} ms at most; ${most.toFixed(0)} MiB`;
  yield row('health meanwhile, and memory', `always 200, at most ${MEMORY_MIB} MiB`, measured, most <= MEMORY_MIB);
}

const perSecond = ({ times, seconds }: LoadOutcome) =>
  Object.entries(times).reduce((sum, [name, { length }]) => sum + (name.endsWith(' 200') ? length : 0), 0) / seconds;
const formatShare = (value: number, whole: number) =>
  `${value.toFixed(0)}, ${((value / whole) * 100).toFixed(0)} % of ${whole.toFixed(0)}`;
const formatTimes = (times: readonly number[] = []) =>
  `median ${quantile(times, 0.5).toFixed(1)} ms, 99 % within ${quantile(times, 0.99).toFixed(1)} ms`;

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** In a process of its own, on the other processor. */
async function call(plan: LoadPlan): Promise<LoadOutcome> {
  const child = fork(join(import.meta.dirname, 'loadProcess.ts'), { serialization: 'advanced' });
  keepOn(child.pid ?? 0, 1);
  child.send(plan);
  const [outcome] = (await once(child, 'message')) as [LoadOutcome];
  return outcome;
}

function keepOn(pid: number, processor: number): void {
  execFileSync(TASKSET, ['--all-tasks', '--cpu-list', '--pid', String(processor), String(pid)], { stdio: 'ignore' });
}

/**
 * Times of refused lists by the service's own log. They count from the start of a request's turn; the wait for that,
 * and for a processor, shows only from outside.
 */
function* refusals({ times }: LoadOutcome, inLog: readonly number[]): Generator<DrillResult> {
  const refused = times['list 503']?.length ?? 0;
  const share = inLog.filter((ms) => ms < REFUSED_WITHIN_MS).length / inLog.length;
  yield row(
    `lists that are refused, ${refused}, by the log of the service, once their turn has come`,
    `99 % in under ${REFUSED_WITHIN_MS} ms`,
    `${(share * 100).toFixed(2)} %, ${formatTimes(inLog)}`,
    share >= 0.99,
  );
}

type Line = { msg: string; route?: string; status?: number; ms?: number };

function refusedInLog(log: string): number[] {
  const lines = log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return lines.flatMap(({ msg, route, status, ms }) =>
    msg === 'answered' && route === '/v1/contacts' && status === 503 && ms !== undefined ? [ms] : [],
  );
}

/** Times in milliseconds seen by an occasional caller. The load generators are too busy to measure them. */
type HealthSamples = { health: number[]; refused: number[]; most: number };

function watch(address: string, pid: number, token: string): { stop: () => Promise<HealthSamples> } {
  const over = new AbortController();
  const seen: HealthSamples = { health: [], refused: [], most: 0 };
  const ended = (async () => {
    while (!over.signal.aborted) {
      const start = performance.now();
      const { status } = await fetch(`${address}/healthz`);
      if (status !== 200) throw new Error(`/healthz is ${status}.`);
      seen.health.push(performance.now() - start);
      seen.most = Math.max(seen.most, residentMiB(pid));
      const asked = performance.now();
      const list = await fetch(`${address}/v1/contacts`, { headers: { authorization: `Bearer ${token}` } });
      if (list.status === 503) seen.refused.push(performance.now() - asked);
      await list.arrayBuffer();
      await delay(100);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await ended;
      return seen;
    },
  };
}

type OverloadTenant = { token: string; workspace: string };

function request(method: string, path: string, token: string, body = ''): string {
  const about = body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${about}\r\n${body}`;
}

/** Workspaces full of contacts, and the requests: mostly lists, some of them with a search. */
async function fill(url: string): Promise<{ calls: CallKind[]; token: string }> {
  const database = await openDatabase(url);
  try {
    const now = Date.now();
    const tenants: OverloadTenant[] = [];
    for (let index = 0; index < TOKENS; index++) {
      const workspace = await createWorkspace(database, { name: `Acme ${index}`, identity_field: null }, now);
      const { token } = await createToken(workspace, database, { name: 'overload', role: 'admin' }, now);
      const people = Array.from({ length: CONTACTS }, (_, each) => ({
        attributes: { email: `c${each}@example.com`, company: `Company ${each % 40}`, first_name: `Anna ${each}` },
      }));
      await database.write(workspace, (scope) => putContacts(scope, people, now));
      tenants.push({ token, workspace: workspace.uuid });
    }
    const each = (count: number, make: (tenant: OverloadTenant, index: number) => string) =>
      Array.from({ length: count }, (_, index) => tenants.map((tenant) => make(tenant, index))).flat();
    const calls = [
      {
        kind: 'list',
        share: 0.9,
        requests: each(40, ({ token }, index) =>
          request(
            'GET',
            `/v1/contacts?per_page=50&page=${(index % 20) + 1}${index % 4 === 0 ? '&search=Company%201' : ''}`,
            token,
          ),
        ),
      },
      {
        kind: 'update',
        share: 0.05,
        requests: each(200, ({ token }, index) =>
          request('POST', `/v1/contacts/c${index}%40example.com`, token, `{"attributes":{"job_title":"${index}"}}`),
        ),
      },
      {
        kind: 'unsubscribe',
        share: 0.05,
        requests: each(CONTACTS, ({ token, workspace }, index) =>
          request('POST', `/v1/workspaces/${workspace}/contacts/c${index}%40example.com/unsubscribe`, token),
        ),
      },
    ];
    return { calls, token: tenants[0]?.token ?? '' };
  } finally {
    await database.close();
  }
}
