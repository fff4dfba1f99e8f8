import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { must } from '../../../contract/values/must.ts';
import { type Sendroom, startSendroom } from '../../../e2e/support/startSendroom.ts';
import { openDatabase } from '../../../server/database/openDatabase.ts';
import { type Cluster, hostOf, onNode, startCluster } from '../../programs/citus.ts';
import { urlOf } from '../benchServer.ts';
import { createFilled, type Filled, type MakeRequest } from '../writtenRows.ts';
import { generateLoad, type LoadResult } from './generateLoad.ts';
import { createQuota, type Quota } from './processorQuota.ts';
import { childrenSeconds, processSeconds } from './processorTime.ts';

// A cluster whose workers have a small share of a processor each, because this machine has too few for them.

const SETTINGS = {
  'citus.shard_count': '8',
  // Citus opens further connections to a worker that has not answered for 10 ms; slowed workers take longer.
  'citus.executor_slow_start_interval': '100ms',
  // On a slowed worker these would take as much as all requests for a while, and only then.
  autovacuum: 'off',
  checkpoint_timeout: '1h',
};
const SERVICES = 2;
const WRITERS = 5;

/** Where a workspace is: `worker` counts from 0. */
export type Placed = Filled & { worker: number; shard: string };
/** A database with its workspaces, the largest first. */
export type Place = { name: string; workers: number; workspaces: Placed[]; services: Sendroom[] };
/** What callers send, each after the answer to the one before, by a number that grows. */
export type Load = { callers: number; next: (number: number) => { workspace: Placed; make: MakeRequest } };
export type Measured = {
  /** Milliseconds of each request, for each load. */
  times: number[][];
  perSecond: number;
  /** Processors that were used. */
  used: { workers: number[]; coordinator: number; services: number };
};

export const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

export class SlowedCluster implements AsyncDisposable {
  readonly cluster: Cluster;
  readonly #quotas: readonly Quota[];
  readonly #share: number;
  /** The largest used share of this machine's processors while workers were slowed. */
  busiest = 0;
  refused = 0;
  /** Numbers of requests, so that none repeats another. */
  #begun = 0;

  private constructor(cluster: Cluster, quotas: readonly Quota[], share: number) {
    [this.cluster, this.#quotas, this.#share] = [cluster, quotas, share];
  }

  /** Each of the `workers` has that share of a processor while it is measured. Throws one sentence where this machine can't do that. */
  static async start(workers: number, share: number): Promise<SlowedCluster> {
    const quotas: Quota[] = [];
    let cluster: Cluster | undefined;
    try {
      for (let at = 0; at < workers; at++) quotas.push(createQuota(`worker${at}`));
      cluster = await startCluster(workers, SETTINGS);
      for (const [at, { pid }] of cluster.workers.entries()) must(quotas[at]).add(pid);
      return new SlowedCluster(cluster, quotas, share);
    } catch (error) {
      // A group is only removed once it is empty.
      await cluster?.stop();
      for (const quota of quotas) quota.remove();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster.stop();
    for (const quota of this.#quotas) quota.remove();
  }

  /** Runs `work` with a new database, whose shards are on the first `workers`, and services of it. */
  async with<Result>(
    { name, workers, sizes }: { name: string; workers: number; sizes: readonly number[] },
    work: (place: Place) => Promise<Result>,
  ): Promise<Result> {
    const { coordinator } = this.cluster;
    for (const [at, worker] of this.cluster.workers.entries()) {
      const property = `'${hostOf(worker)}', 5432, 'shouldhaveshards', ${at < workers}`;
      await onNode(coordinator, `select citus_set_node_property(${property})`);
    }
    await onNode(coordinator, `create schema ${name} authorization sendroom`);
    const url = urlOf(coordinator, name);
    const workspaces = await this.#locate(name, await fill(url, sizes));
    const services: Sendroom[] = [];
    try {
      for (let at = 0; at < SERVICES; at++) services.push(await startSendroom({ DATABASE_URL: url, DEMO: 'off' }));
      return await work({ name, workers, workspaces, services });
    } finally {
      for (const service of services) await service.stop();
    }
  }

  async #locate(name: string, filled: readonly Filled[]): Promise<Placed[]> {
    const rows = await onNode(
      this.cluster.coordinator,
      `select uuid, shardid, nodename from
        (select uuid, get_shard_id_for_distribution_column('${name}.workspace_heads', id) as shardid
         from ${name}.workspaces) as shards
        join pg_dist_placement using (shardid) join pg_dist_node using (groupid)`,
    );
    const places = new Map(rows.map((row) => [row.uuid, row]));
    return filled
      .map((one) => {
        const { shardid, nodename } = must(places.get(one.uuid));
        const worker = this.cluster.workers.findIndex((each) => hostOf(each) === nodename);
        return { ...one, shard: String(shardid), worker };
      })
      .toSorted((a, b) => b.size - a.size);
  }

  /** Workers are slowed to `share`, unless it is null. */
  async measure(
    place: Place,
    loads: readonly Load[],
    seconds: number,
    share: number | null = this.#share,
  ): Promise<Measured> {
    for (const quota of this.#quotas) quota.set(share);
    const before = this.#read(place);
    const [results] = await Promise.all([
      Promise.all(loads.map((load) => this.#send(place, load, seconds))),
      delay(seconds * 1000),
    ]);
    const after = this.#read(place);
    for (const quota of this.#quotas) quota.set(null);
    const clock = after.at - before.at;
    if (share !== null) this.busiest = Math.max(this.busiest, (after.busy - before.busy) / (after.all - before.all));
    this.refused += sum(results.flat().map(({ refused }) => refused));
    return {
      times: results.map((ofLoad) => ofLoad.flatMap(({ times }) => times)),
      perSecond: sum(results.flat().map(({ perSecond }) => perSecond)),
      used: {
        workers: after.workers.map((value, at) => (value - must(before.workers[at])) / clock),
        coordinator: (after.coordinator - before.coordinator) / clock,
        services: (after.services - before.services) / clock,
      },
    };
  }

  /** Seconds of processors, and of the clock. */
  #read({ services }: Place) {
    const { coordinator, workers } = this.cluster;
    const times = cpus().map((one) => one.times);
    const all = sum(times.flatMap((one) => Object.values(one)));
    return {
      at: performance.now() / 1000,
      workers: workers.map(({ pid }) => childrenSeconds(pid)),
      coordinator: childrenSeconds(coordinator.pid),
      services: sum(services.map(({ processId }) => processSeconds(processId))),
      all,
      busy: all - sum(times.map(({ idle }) => idle)),
    };
  }

  /** The callers are spread over the services. */
  #send({ services }: Place, { callers, next }: Load, seconds: number): Promise<LoadResult[]> {
    let number = this.#begun;
    this.#begun += 100_000;
    const results = services.slice(0, callers).map(({ url }, at, { length }) => {
      const requestOf = () => {
        const { workspace, make } = next(number);
        const { path, ...sent } = make(workspace, number++);
        return { ...sent, url: new URL(path, url), headers: workspace.headers, mayRefuse: true };
      };
      return generateLoad(requestOf, Math.ceil((callers - at) / length), { seconds }, true);
    });
    return Promise.all(results);
  }
}

async function fill(url: string, sizes: readonly number[]): Promise<Filled[]> {
  const database = await openDatabase(url, { migrates: true });
  const filled: Filled[] = [];
  const rest = sizes.values();
  const writer = async () => {
    for (const size of rest) filled.push(await createFilled(database, size));
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await database.analyze();
  await database.close();
  return filled;
}
