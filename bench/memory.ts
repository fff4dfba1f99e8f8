import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureConsole } from '../server/console/consoleBuild.ts';
import { openDatabase } from '../server/database/openDatabase.ts';
import { seededRandom } from '../server/demo/seededRandom.ts';
import { startTestDns } from '../server/testing/testDns.ts';
import { putDomains } from '../server/domains/putDomains.ts';
import { findDomainByName } from '../server/domains/store.ts';
import { createRequiredRecords, publishAddresses, RIGHT_ADDRESS } from '../server/testing/testDomains.ts';
import { createToken, listWorkspaces } from '../server/workspaces/store.ts';
import { BUSIEST, type Engine, ENGINES, openEventStores } from './eventStores.ts';
import { type InspectedSendroom, startInspected, type ProcessUsage } from './inspect.ts';
import { type MixedLoadTarget, runMixedLoad } from './mixedLoad.ts';
import type { BenchmarkRow } from './table.ts';

/** Minutes of load; 60 for the hour of the goal. */
const MINUTES = Number(process.env['BENCH_MINUTES'] ?? 0.5);
/** A third of the time, at most five minutes, until every cache is full. */
const WARM_UP = Math.min(MINUTES / 3, 5);
const SAMPLES = 60;
const CALLERS = 8;
const DOMAINS = 20;
const MIB = 1024 * 1024;
const EVENTS = 'BENCH_STORES' in process.env ? 10_000_000 : 100_000;

type Sample = ProcessUsage & { hours: number };

/** What the service holds under a mixed load, on both engines at once, after garbage collection. */
export async function measureMemory(folder: string): Promise<BenchmarkRow[]> {
  // A process that built the console first would hold the memory of that.
  await ensureConsole(join(import.meta.dirname, '..'), console.log);
  const stores = await openEventStores(folder, [EVENTS]);
  await using dns = await startTestDns();
  const names = Array.from({ length: DOMAINS }, (_, index) => `memory${index}.test`);
  for (const name of names) publishAddresses(dns, name, { a: RIGHT_ADDRESS });
  const resolver = dns.addresses.resolver;
  try {
    const rows = await Promise.all(
      ENGINES.map((engine) => ofEngine(engine, stores.urlOf(engine, EVENTS), names, resolver)),
    );
    return rows.flat();
  } finally {
    await stores.stop();
  }
}

async function ofEngine(
  engine: Engine,
  databaseUrl: string,
  names: readonly string[],
  resolver: string,
): Promise<BenchmarkRow[]> {
  const data = await prepare(databaseUrl, names);
  const sendroom = await startInspected({
    DATABASE_URL: databaseUrl,
    DEMO: 'off',
    DNS_SERVERS: resolver,
    // So high that it counts and never refuses.
    RATE_LIMIT: '10000000',
  });
  try {
    const start = await sendroom.usageAfterGc();
    const end = AbortSignal.timeout(MINUTES * 60_000);
    const broken = new AbortController();
    const sampled = sample(sendroom, AbortSignal.any([end, broken.signal]));
    const calls = await runMixedLoad({ ...data, url: sendroom.url }, CALLERS, end).finally(() => broken.abort());
    const samples = await sampled;
    const warm = samples.filter(({ hours }) => hours * 60 >= WARM_UP);
    const [first, last] = [warm[0] ?? start, warm.at(-1) ?? start];
    const most = Math.max(...warm.map(({ rss }) => rss));
    const load = `${calls.toLocaleString('en')} calls in ${MINUTES} minutes, ${EVENTS.toLocaleString('en')} events`;
    return [
      [`memory on ${engine}: ${load}`, `${mib(start.rss)} at the start, at most ${mib(most)} MiB`],
      ['growth since the start', `${mib(most - start.rss)} MiB`, 'at most 150 MiB'],
      [
        `growth after ${WARM_UP.toFixed(0)} minutes`,
        `${mib(last.rss - first.rss)} MiB, ${slope(warm, 'rss')}`,
        'none in an hour',
      ],
      ['of that in the heap', `${mib(last.heap - first.heap)} MiB, ${slope(warm, 'heap')}`, 'none in an hour'],
    ];
  } finally {
    await sendroom.stop();
  }
}

async function sample(sendroom: InspectedSendroom, signal: AbortSignal): Promise<Sample[]> {
  const samples: Sample[] = [];
  const start = performance.now();
  while (!signal.aborted) {
    // Ends only by the signal.
    await delay((MINUTES * 60_000) / SAMPLES, null, { signal }).catch(() => {});
    samples.push({ ...(await sendroom.usageAfterGc()), hours: (performance.now() - start) / 3_600_000 });
  }
  return samples;
}

/** Adds what the load needs besides events. */
async function prepare(url: string, names: readonly string[]): Promise<Omit<MixedLoadTarget, 'url'>> {
  const database = await openDatabase(url);
  try {
    const [workspace] = await listWorkspaces(database);
    if (workspace === undefined) throw new Error('There are no events to measure on.');
    const now = Date.now();
    const { token } = await createToken(workspace, database, { name: 'bench', role: 'admin' }, now);
    const domains = await database.write(workspace, async (scope) => {
      await putDomains(
        scope,
        names.map((name) => ({ name, dns: createRequiredRecords(name, ['a', 'b']) })),
        now,
      );
      const uuids: string[] = [];
      for (const name of names) {
        const domain = await findDomainByName(scope, name);
        if (domain !== null) uuids.push(domain.uuid);
      }
      return uuids;
    });
    return {
      token,
      workspace: workspace.uuid,
      busiest: BUSIEST,
      contacts: EVENTS / 100,
      domains,
      random: seededRandom(1),
    };
  } finally {
    await database.close();
  }
}

const mib = (bytes: number) => (bytes / MIB).toFixed(0);

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Slope by least squares, with its standard error. */
function slope(samples: readonly Sample[], of: 'rss' | 'heap'): string {
  const hours = samples.map((one) => one.hours);
  const sizes = samples.map((one) => one[of] / MIB);
  const [middle, height] = [mean(hours), mean(sizes)];
  const spread = mean(hours.map((x) => (x - middle) ** 2));
  const rise = mean(hours.map((x, index) => (x - middle) * ((sizes[index] ?? 0) - height))) / spread;
  const rest = mean(hours.map((x, index) => ((sizes[index] ?? 0) - height - rise * (x - middle)) ** 2));
  const error = Math.sqrt(rest / (samples.length - 2) / spread);
  return `slope ${rise.toFixed(1)} ± ${error.toFixed(1)} MiB an hour`;
}
