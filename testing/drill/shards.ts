import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { must } from '../../contract/values/must.ts';
import { verifyWorkspace } from '../../server/cli/admin/verify.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { freezeProcesses } from '../../server/testing/processes/freezeProcesses.ts';
import { type StartedService, startService } from '../../server/testing/processes/testMain.ts';
import { findUnclearAnswers, type WriteAnswer } from '../../server/testing/testWriters.ts';
import { listWorkspaces } from '../../server/workspaces/store.ts';
import { type Cluster, describeMissingCitus, hostOf, onNode, startCluster } from '../programs/citus.ts';
import { type Drill, type DrillResult, UnsupportedMachineError } from './drill.ts';
import { countPrepared, type LoadedWorkspace, ShardsLoad, workerOf } from './shardsLoad.ts';

const WORKSPACES = 8;
/** Acknowledged writes of each workspace before and after each fault. */
const WRITES = 5;
const AWAY_MS = 6_000;
const KILLS = 5;
const RECOVERY_LIMIT_MS = 90_000;
const SETTINGS = {
  'citus.shard_count': '12',
  'citus.node_connection_timeout': '2s',
  'citus.recover_2pc_interval': '5s',
  // Else shards are hidden, and their policies with them.
  'citus.override_table_visibility': 'off',
  'citus.show_shards_for_app_name_prefixes': '*',
};

export const shards: Drill = {
  name: 'shards',
  description: 'Citus: shards move between two workers, and nodes are killed, while two services write',
  minutesMax: 30,
  run: runShards,
};

type Run = { cluster: Cluster; load: ShardsLoad; services: readonly StartedService[]; faults: string[]; found: number };

async function* runShards(folder: string): AsyncGenerator<DrillResult> {
  const missing = describeMissingCitus();
  if (missing !== null) throw new UnsupportedMachineError(missing);
  const cluster = await startCluster(2, SETTINGS, folder);
  const services: StartedService[] = [];
  try {
    const { url } = cluster.coordinator;
    // Lengthens the moment between the two phases of a commit, so that kills meet it.
    for (const setting of ['commit_delay = 100000', 'commit_siblings = 0']) {
      await onNode(cluster.coordinator, `alter system set ${setting}`);
    }
    await onNode(cluster.coordinator, 'select pg_reload_conf()');
    await setHasShards(cluster, false);
    for (let at = 0; at < 2; at++) services.push(await startService(url));
    const addresses = services.map(({ address }) => address);
    const load = await ShardsLoad.open(url, WORKSPACES, addresses);
    const run: Run = { cluster, load, services, faults: [], found: 0 };
    yield* move(run);
    yield await killWorkers(run);
    yield await killCoordinator(run);
    yield await freezeWorker(run);
    yield* examine(run);
    await load.close();
  } finally {
    await Promise.all(services.map((service) => service.kill()));
    await cluster.stop();
  }
}

/** Whether the second worker may have shards, as one that was added and one that wasn't yet. */
const setHasShards = ({ coordinator, workers }: Cluster, may: boolean) =>
  onNode(
    coordinator,
    `select citus_set_node_property('${hostOf(must(workers[1]))}', 5432, 'shouldhaveshards', ${may})`,
  );

/** As in docs/scaling.md. */
const LET_MOVE = `do $$ declare role name; begin
  for role in select rolname from pg_roles where rolname ~ '^citus_shard_(move|split)_subscription_role' and not rolbypassrls loop
    execute format('alter role %I bypassrls', role);
  end loop;
end $$`;

/** Runs SQL that moves shards, while writes to them go on. */
async function moveShards({ coordinator, workers }: Cluster, text: string): Promise<void> {
  const moved = new AbortController();
  const letMove = async () => {
    while (!moved.signal.aborted) {
      for (const worker of workers) await onNode(worker, LET_MOVE);
      await delay(500);
    }
  };
  const letting = letMove();
  await onNode(coordinator, text).finally(() => moved.abort());
  await letting;
}

async function* move(run: Run): AsyncGenerator<DrillResult> {
  const { cluster, load } = run;
  yield await duringLoad(run, 'rebalance: half of all shards move to a worker that was added', async () => {
    await setHasShards(cluster, true);
    await moveShards(cluster, `select rebalance_table_shards(rebalance_strategy => 'by_shard_count')`);
  });
  const places = await Promise.all(load.all.map(({ workspace }) => workerOf(cluster, workspace)));
  const counts = cluster.workers.map((worker) => places.filter((place) => place === hostOf(worker)).length);
  yield {
    what: 'workspaces',
    expected: 'some on each worker',
    measured: counts.join(' and '),
    holds: Math.min(...counts) > 0,
  };
  // With writes going on it may never end: https://github.com/citusdata/citus/issues/6790.
  const isolate = `select isolate_tenant_to_new_shard('workspace_heads', ${load.all[0]?.workspace.id}, 'CASCADE', shard_transfer_mode => 'block_writes')`;
  yield await duringLoad(run, 'isolate_tenant_to_new_shard of a workspace, with block_writes', () =>
    onNode(cluster.coordinator, isolate),
  );
  yield await findPolicies(cluster);
}

async function findPolicies({ workers }: Cluster): Promise<DrillResult> {
  const counts = { shards: 0, without: 0 };
  for (const worker of workers) {
    const [row] = await onNode(
      worker,
      `select count(*)::int as shards, count(*) filter (where not relrowsecurity or not relforcerowsecurity
        or not exists (select from pg_policy where polrelid = pg_class.oid))::int as without
       from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname ~ '_[0-9]{6,}$'`,
    );
    counts.shards += Number(row?.['shards']);
    counts.without += Number(row?.['without']);
  }
  return {
    what: 'policies of rows',
    expected: 'on each shard',
    measured: `${counts.without} of ${counts.shards} shards without`,
    holds: counts.without === 0 && counts.shards > 0,
  };
}

async function duringLoad(run: Run, what: string, act: () => Promise<unknown>): Promise<DrillResult> {
  const { load } = run;
  load.start();
  await load.waitForWrites(WRITES);
  const start = performance.now();
  await act();
  const seconds = performance.now() - start;
  await load.waitForWrites(WRITES);
  const gap = Math.max(...load.all.map(({ writers }) => writers.longestGap(start)));
  await stop(run);
  const refused = since(load.all, start).filter(({ status }) => status !== 200);
  return {
    what,
    expected: 'no workspace is without an acknowledged write for 30 s',
    measured: `${formatSeconds(seconds)} s; ${formatSeconds(gap)} s at most without one; ${refused.length} requests refused`,
    holds: gap < 30_000,
  };
}

async function stop(run: Run): Promise<void> {
  const { faults, found } = await run.load.stop();
  run.faults.push(...faults);
  run.found += found;
}

type Away = { inDoubt: number; otherGap: number; others: WriteAnswer[]; own: WriteAnswer[]; back: number };

/** Takes a node away for some seconds, and gives it back. */
async function takeAway(run: Run, node: number | 'coordinator', freeze = false): Promise<Away> {
  const { cluster, load } = run;
  const { coordinator, workers } = cluster;
  const server = node === 'coordinator' ? coordinator : (workers[node] ?? coordinator);
  const places = await Promise.all(load.all.map(({ workspace }) => workerOf(cluster, workspace)));
  const own = load.all.filter((_, at) => node === 'coordinator' || places[at] === hostOf(server));
  const others = load.all.filter((one) => !own.includes(one));
  load.start();
  await load.waitForWrites(WRITES);
  const begin = performance.now();
  const bringBack: () => Promise<void> | void = freeze ? freezeProcesses([server.pid]) : await cluster.kill(server);
  const start = performance.now();
  await delay(AWAY_MS);
  const inDoubt = freeze ? 0 : await countPrepared(workers.filter((worker) => worker !== server));
  const end = performance.now();
  await bringBack();
  const started = performance.now();
  await load.waitForWrites(WRITES, own);
  const back = Math.max(...own.map(({ writers }) => firstWrite(writers.answers, started) - started));
  await load.waitForWrites(WRITES, others);
  const otherGap = Math.max(0, ...others.map(({ writers }) => writers.longestGap(begin)));
  await stop(run);
  console.log(
    `  ${node}: ${inDoubt} in doubt, others ${formatSeconds(otherGap)} s, back after ${formatSeconds(back)} s`,
  );
  const meanwhile = (among: readonly LoadedWorkspace[]) => since(among, start).filter(({ sent }) => sent < end);
  return { inDoubt, otherGap, others: meanwhile(others), own: meanwhile(own), back };
}

const firstWrite = (answers: readonly WriteAnswer[], start: number) =>
  answers.find(({ status, sent }) => status === 200 && sent >= start)?.at ?? Infinity;

const since = (among: readonly LoadedWorkspace[], start: number) =>
  among.flatMap(({ writers, reads }) => [...writers.answers, ...reads]).filter(({ sent }) => sent >= start);

async function killWorkers(run: Run): Promise<DrillResult> {
  const times: Away[] = [];
  for (let time = 0; time < KILLS; time++) times.push(await takeAway(run, time % 2));
  const kept = times.flatMap(({ own }) => own).filter(({ status }) => status === 200);
  const hindered = times.flatMap(({ others }) => others).filter(({ status }) => status !== 200);
  return {
    what: `kill -9 of a worker, ${KILLS} times, away for ${AWAY_MS / 1000} s`,
    expected: 'its workspaces get 503, the others go on',
    measured: `${describe(times)}; of others ${times.flatMap(({ others }) => others).length} answered, ${hindered.length} refused, ${formatSeconds(Math.max(...times.map(({ otherGap }) => otherGap)))} s at most without an acknowledged write`,
    holds: kept.length === 0 && hindered.length === 0,
  };
}

async function killCoordinator(run: Run): Promise<DrillResult> {
  const times: Away[] = [];
  for (let time = 0; time < KILLS; time++) times.push(await takeAway(run, 'coordinator'));
  const inDoubt = times.reduce((sum, one) => sum + one.inDoubt, 0);
  return {
    what: `kill -9 of the coordinator, ${KILLS} times, away for ${AWAY_MS / 1000} s`,
    expected: 'all get 503, and go on afterwards',
    measured: `${describe(times)}; ${inDoubt} two-phase commits left in doubt`,
    holds: times.every(({ own }) => own.every(({ status }) => status !== 200)),
  };
}

async function freezeWorker(run: Run): Promise<DrillResult> {
  const away = await takeAway(run, 0, true);
  const hindered = away.others.filter(({ status }) => status !== 200);
  return {
    what: `a worker stands still for ${AWAY_MS / 1000} s`,
    expected: 'each request is answered',
    measured: `${describe([away])}; of others ${away.others.length} answered, ${hindered.length} refused, ${formatSeconds(away.otherGap)} s at most without an acknowledged write`,
    holds: away.own.every(({ status }) => status !== 'hung'),
  };
}

function describe(times: readonly Away[]): string {
  const own = times.flatMap((one) => one.own);
  const longest = Math.max(...own.map(({ sent, at }) => at - sent));
  const back = times.map((one) => one.back);
  return `${own.length} requests of its own, answered after ${formatSeconds(longest)} s at most; written again ${formatSeconds(Math.max(...back))} s after its start at most`;
}

async function* examine(run: Run): AsyncGenerator<DrillResult> {
  const { cluster, load, services } = run;
  const start = performance.now();
  const nodes = [cluster.coordinator, ...cluster.workers];
  while ((await countPrepared(nodes)) > 0 && performance.now() - start < RECOVERY_LIMIT_MS) await delay(200);
  const left = await countPrepared(nodes);
  yield {
    what: 'two-phase commits',
    expected: 'none is left in doubt',
    measured: `${left} left after ${formatSeconds(performance.now() - start)} s`,
    holds: left === 0,
  };
  const acknowledged = load.all.reduce((sum, { writers }) => sum + writers.acknowledged, 0);
  yield {
    what: 'acknowledged writes',
    expected: '0 lost, none twice, none that was refused',
    measured: `${acknowledged} acknowledged, ${run.found} found; ${run.faults[0] ?? '0 lost'}`,
    holds: run.faults.length === 0 && run.found === acknowledged,
  };
  const answers = since(load.all, 0);
  const wrong = findUnclearAnswers(answers);
  yield {
    what: 'refusals meanwhile',
    expected: 'each is a 503 with Retry-After, none broken off, none hung',
    measured: `${answers.filter(({ status }) => status !== 200).length} of ${answers.length} refused, ${wrong.length} of them otherwise${wrong[0] === undefined ? '' : ` (${wrong[0].status})`}`,
    holds: wrong.length === 0,
  };
  yield {
    what: 'the services',
    expected: 'both still run',
    measured: `${services.filter(({ isRunning }) => isRunning()).length} run`,
    holds: services.every(({ isRunning }) => isRunning()),
  };
  yield* examineData(run);
}

async function* examineData({ cluster, load }: Run): AsyncGenerator<DrillResult> {
  const database = await openDatabase(cluster.coordinator.url);
  try {
    const workspaces = await listWorkspaces(database);
    const names = workspaces.map(({ name }) => name).filter((name) => load.created.has(name));
    const counts = { created: 0, refused: 0, uncertain: 0 };
    for (const said of load.created.values()) counts[said]++;
    const lost = [...load.created].filter(([name, said]) => said === 'created' && !names.includes(name));
    const refused = names.filter((name) => load.created.get(name) === 'refused');
    const { rows } = await database.unscoped.read((trx) =>
      sql<{ id: number }>`select workspace_id as id from workspace_heads order by workspace_id`.execute(trx),
    );
    const isWhole = rows.map(({ id }) => id).join() === workspaces.map(({ id }) => id).join();
    yield {
      what: 'workspaces that were created meanwhile, by two-phase commit',
      expected: 'each acknowledged one is there once, on both machines; none that was refused',
      measured: `${counts.created} acknowledged, ${lost.length} lost; ${counts.refused} refused, ${refused.length} of them there; ${counts.uncertain} uncertain; ${isWhole ? 'whole' : 'in part'}`,
      holds: lost.length + refused.length === 0 && isWhole && new Set(names).size === names.length,
    };
    const wrong: string[] = [];
    for (const { workspace } of load.all) wrong.push(...(await verifyWorkspace(workspace, database)));
    yield {
      what: `admin verify of ${load.all.length} workspaces`,
      expected: 'counters, indexes, histories and the chain of each log are right',
      measured: wrong[0] ?? 'right',
      holds: wrong.length === 0,
    };
  } finally {
    await database.close();
  }
}

function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
