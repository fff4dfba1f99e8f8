import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { must } from '../../contract/values/must.ts';
import { verifyWorkspace } from '../../server/cli/admin/verify.ts';
import type { Database } from '../../server/database/database.ts';
import { openDatabase } from '../../server/database/openDatabase.ts';
import { type StartedService, startService } from '../../server/testing/processes/testMain.ts';
import { findUnclearAnswers } from '../../server/testing/testWriters.ts';
import { listWorkspaces } from '../../server/workspaces/store.ts';
import { type Cluster, describeMissingCitus, hostOf, onNode, startCluster } from '../programs/citus.ts';
import { type Drill, type DrillResult, UnsupportedMachineError } from './drill.ts';
import {
  type Away,
  AWAY_MS,
  describe,
  formatSeconds,
  freezeNode,
  killNode,
  type Run,
  since,
  stop,
  takeAway,
  type TakeDown,
  WRITES,
} from './shardsAway.ts';
import { type Outcome, ShardsLoad, workerOf } from './shardsLoad.ts';
import { countRecovered, killBetweenPhases, LOG_SETTINGS, waitUntilDecided } from './shardsTwoPhases.ts';

const WORKSPACES = 8;
const KILLS = 5;
const SETTINGS = {
  'citus.shard_count': '12',
  'citus.node_connection_timeout': '2s',
  'citus.recover_2pc_interval': '5s',
  // Else shards are hidden, and their policies with them.
  'citus.override_table_visibility': 'off',
  'citus.show_shards_for_app_name_prefixes': '*',
  ...LOG_SETTINGS,
};

export const shards: Drill = {
  name: 'shards',
  description: 'Citus: shards move between two workers, and nodes are killed, while two services write',
  minutesMax: 30,
  run: runShards,
};

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
    yield* killBetweenPhases(run, folder);
    yield await freezeWorker(run);
    yield* examine(run, folder);
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

/** As in docs/citus.md. */
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

const kill =
  (run: Run): TakeDown =>
  (node) =>
    killNode(run, node);

async function killWorkers(run: Run): Promise<DrillResult> {
  const times: Away[] = [];
  for (let time = 0; time < KILLS; time++)
    times.push(await takeAway(run, must(run.cluster.workers[time % 2]), kill(run)));
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
  for (let time = 0; time < KILLS; time++) times.push(await takeAway(run, run.cluster.coordinator, kill(run)));
  return {
    what: `kill -9 of the coordinator, ${KILLS} times, away for ${AWAY_MS / 1000} s`,
    expected: 'all get 503, and go on afterwards',
    measured: describe(times),
    holds: times.every(({ own }) => own.every(({ status }) => status !== 200)),
  };
}

async function freezeWorker(run: Run): Promise<DrillResult> {
  const away = await takeAway(run, must(run.cluster.workers[0]), freezeNode);
  const hindered = away.others.filter(({ status }) => status !== 200);
  return {
    what: `a worker stands still for ${AWAY_MS / 1000} s`,
    expected: 'each request is answered',
    measured: `${describe([away])}; of others ${away.others.length} answered, ${hindered.length} refused, ${formatSeconds(away.otherGap)} s at most without an acknowledged write`,
    holds: away.own.every(({ status }) => status !== 'hung'),
  };
}

async function* examine(run: Run, folder: string): AsyncGenerator<DrillResult> {
  const { load, services } = run;
  const start = performance.now();
  const left = await waitUntilDecided(run);
  const ends = countRecovered(folder);
  yield {
    what: 'two-phase commits',
    expected: 'none is left in doubt',
    measured: `${left} left after ${formatSeconds(performance.now() - start)} s; in all ${ends.committed} committed and ${ends['rolled back']} rolled back by recovery`,
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
    yield await examineWorkspaces(load, database);
    yield await examineTokens(load, database);
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

async function examineWorkspaces(load: ShardsLoad, database: Database): Promise<DrillResult> {
  const workspaces = await listWorkspaces(database);
  const { rows } = await database.unscoped.read((trx) =>
    sql<{ id: number }>`select workspace_id as id from workspace_heads`.execute(trx),
  );
  const heads = new Set(rows.map(({ id }) => id));
  const isWhole = heads.size === workspaces.length && workspaces.every(({ id }) => heads.has(id));
  const names = workspaces.map(({ name }) => name).filter((name) => load.created.has(name));
  return compareNames('workspaces', load.created, names, isWhole);
}

async function examineTokens(load: ShardsLoad, database: Database): Promise<DrillResult> {
  const names: string[] = [];
  let isWhole = true;
  for (const { workspace } of load.all) {
    const [made, logged] = await database.read(workspace, async (scope) => [
      await scope.select('tokens').select(['uuid', 'name']).execute(),
      await scope.run(sql<{ summary: string }>`
        select summary from changes join change_values using (workspace_id, number)
        where changes.workspace_id = ${scope.id} and action = 'token_create'`),
    ]);
    names.push(...made.map(({ name }) => name).filter((name) => load.tokens.has(name)));
    isWhole &&= logged.length === made.length;
    isWhole &&= made.every(({ uuid }) => logged.filter(({ summary }) => summary.includes(uuid)).length === 1);
  }
  return compareNames('tokens', load.tokens, names, isWhole);
}

/** What a command reported, and what exists. `isWhole` says whether each is on both machines. */
function compareNames(
  what: string,
  outcomes: ReadonlyMap<string, Outcome>,
  names: readonly string[],
  isWhole: boolean,
): DrillResult {
  const there = new Set(names);
  const counts = { created: 0, refused: 0, uncertain: 0 };
  for (const outcome of outcomes.values()) counts[outcome]++;
  const count = (wanted: Outcome, is: boolean) =>
    [...outcomes].filter(([name, outcome]) => outcome === wanted && there.has(name) === is).length;
  const lost = count('created', false);
  const more = count('refused', true);
  return {
    what: `${what} that were made meanwhile, by two-phase commit`,
    expected: 'each acknowledged one is there once, on both machines; none that was refused',
    measured: `${counts.created} acknowledged, ${lost} lost; ${counts.refused} refused, ${more} of them there; ${counts.uncertain} uncertain, ${count('uncertain', true)} of them there; ${isWhole ? 'whole' : 'in part'}`,
    holds: lost + more === 0 && isWhole && there.size === names.length,
  };
}
