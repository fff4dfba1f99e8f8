import { setTimeout as delay } from 'node:timers/promises';
import { must } from '../../contract/values/must.ts';
import { startSendroom } from '../../e2e/support/startSendroom.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { DISTRIBUTED_TABLES } from '../../server/database/postgres/distribute.ts';
import { describeMissingCitus, onNode, startCluster } from '../programs/citus.ts';
import { type PostgresServer, startPostgres } from '../programs/postgres.ts';
import { urlOf } from './benchServer.ts';
import { generateLoad, median } from './measure/generateLoad.ts';
import { childrenSeconds, processSeconds } from './measure/processorTime.ts';
import type { BenchmarkRow } from './measure/table.ts';
import {
  createFilled,
  emailOf,
  eventsOf,
  type Filled,
  firstPage,
  type MakeRequest,
  oneContact,
  unsubscribe,
  update,
} from './writtenRows.ts';

// What a request costs where workspaces are distributed over machines (docs/citus.md), compared with one server.

const WORKERS = 2;
const ROUNDS = 3;
const CALLERS = 4;
/** Before and while a service is measured that has nothing to do. */
const IDLE_MS = 5_000;
const CONTACTS = 10_000;
const EVENTS_AT_ONCE = 1000;

/** The same service on one server, on a cluster, and there without policies on what is distributed. */
const PLACES = ['one', 'cluster', 'open'] as const;
type Place = (typeof PLACES)[number];
type Service = {
  url: string;
  workspace: Filled;
  /** Seconds of processor time of the service and of its servers. */
  used: () => number;
  /** The same of a second in which nothing is asked: each node of a cluster looks for deadlocks, for example. */
  idle: number;
  stop: () => Promise<void>;
};
type Case = { name: string; requests: number; goal: number; make: MakeRequest };

const READ = { requests: 1000, goal: 1.6 };
const WRITE = { requests: 400, goal: 2 };
const CASES: readonly Case[] = [
  { ...READ, name: 'first page of contacts', make: firstPage },
  { ...READ, name: 'one contact', make: oneContact },
  {
    ...READ,
    name: 'search',
    make: (workspace, number) => ({
      method: 'GET',
      path: `/v1/contacts?search=${encodeURIComponent(emailOf(workspace, number).slice(0, 12))}`,
    }),
  },
  { ...WRITE, name: 'update', make: update },
  { ...WRITE, name: 'unsubscribe', make: unsubscribe },
  { name: `${EVENTS_AT_ONCE} events`, requests: 8, goal: 2, make: eventsOf(EVENTS_AT_ONCE) },
];

export async function measureShards(): Promise<BenchmarkRow[]> {
  const missing = describeMissingCitus();
  if (missing !== null) throw new Error(missing);
  const stops: (() => Promise<void>)[] = [];
  try {
    const services = await startServices(stops);
    const rows: BenchmarkRow[] = [];
    for (const each of CASES) rows.push(...(await measureCase(each, services)));
    return rows;
  } finally {
    for (const stop of stops.toReversed()) await stop();
  }
}

/** What has to be stopped is added to `stops`. */
async function startServices(stops: (() => Promise<void>)[]): Promise<Record<Place, Service>> {
  const one = await startPostgres();
  stops.push(one.stop);
  const cluster = await startCluster(WORKERS);
  stops.push(cluster.stop);
  const nodes = [cluster.coordinator, ...cluster.workers];
  const start = async (servers: readonly PostgresServer[], schema: string) => {
    const [first] = servers;
    await onNode(must(first), `create schema ${schema} authorization sendroom`);
    const service = await startService(urlOf(must(first), schema), servers);
    stops.push(service.stop);
    return service;
  };
  const services = {
    one: await start([one], 'one'),
    cluster: await start(nodes, 'cluster'),
    open: await start(nodes, 'open'),
  };
  for (const table of DISTRIBUTED_TABLES) {
    await onNode(
      cluster.coordinator,
      `alter table open.${table} disable row level security, no force row level security`,
    );
  }
  return services;
}

async function startService(url: string, servers: readonly PostgresServer[]): Promise<Service> {
  const database = await openDatabase(url, { migrates: true });
  const workspace = await createFilled(database, CONTACTS);
  await database.analyze();
  await database.close();
  const sendroom = await startSendroom({ DATABASE_URL: url, DEMO: 'off' });
  const used = () => servers.reduce((sum, { pid }) => sum + childrenSeconds(pid), processSeconds(sendroom.processId));
  await delay(IDLE_MS);
  const before = used();
  await delay(IDLE_MS);
  return {
    url: sendroom.url,
    workspace,
    used,
    idle: (used() - before) / (IDLE_MS / 1000),
    stop: sendroom.stop,
  };
}

/** The places alternate, so that other work on the machine affects all. */
async function measureCase(
  { name, requests, goal, make }: Case,
  services: Record<Place, Service>,
): Promise<BenchmarkRow[]> {
  const rounds: Record<Place, number>[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const costs = { one: 0, cluster: 0, open: 0 };
    for (const place of PLACES) {
      const service = services[place];
      const { headers } = service.workspace;
      const start = performance.now();
      const before = service.used();
      await generateLoad(
        (number) => {
          const { path, ...sent } = make(service.workspace, round * requests + number);
          return { ...sent, url: new URL(path, service.url), headers };
        },
        CALLERS,
        { requests },
        true,
      );
      costs[place] =
        ((service.used() - before - (service.idle * (performance.now() - start)) / 1000) / requests) * 1000;
    }
    // The first round warms up.
    if (round > 0) rounds.push(costs);
  }
  const millis = (place: Place) => median(rounds.map((costs) => costs[place])).toFixed(2);
  const ratio = (over: Place, under: Place) => median(rounds.map((costs) => costs[over] / costs[under])).toFixed(2);
  return [
    [
      `${name}: processor time on a cluster and on one server`,
      `${millis('cluster')} / ${millis('one')} ms, x ${ratio('cluster', 'one')}`,
      `at most ${goal}`,
    ],
    [
      `${name}: the cluster without policies`,
      `${millis('open')} ms, the policies cost x ${ratio('cluster', 'open')}`,
      'at most 1.1',
    ],
  ];
}
