import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { must } from '../../contract/values/must.ts';
import { freezeProcesses } from '../../server/testing/processes/freezeProcesses.ts';
import { hostOf, onNode } from '../programs/citus.ts';
import type { DrillResult } from './drill.ts';
import { firstWrite, formatSeconds, killNode, type Node, type Run, takeAway, type TakeDown } from './shardsAway.ts';
import { listPrepared, type LoadedWorkspace, type Outcome, workerOf } from './shardsLoad.ts';

// A token is made in two phases: the worker prepares the line in the log, the coordinator records the commit with the token, the worker
// commits. A machine is killed between two of them, and recovery by Citus decides by what the coordinator has recorded.

const TIMES = 3;
const RECOVERY_LIMIT_MS = 90_000;

/** For the settings of the servers: recovery is seen in the log of the coordinator. */
export const LOG_SETTINGS = { logging_collector: 'on', log_directory: 'log' };

type Moment = {
  what: string;
  end: 'committed' | 'rolled back';
  outcome: Outcome;
  /** Brings a token of the workspace to that moment, and takes the node away. */
  takeDown: (run: Run, one: LoadedWorkspace, worker: Node) => Promise<() => Promise<void>>;
  isOfWorker?: boolean;
};

const MOMENTS: readonly Moment[] = [
  {
    what: 'kill -9 of the coordinator before it has recorded a commit',
    end: 'rolled back',
    outcome: 'uncertain',
    takeDown: killBeforeRecord,
  },
  {
    what: 'kill -9 of the coordinator after it has recorded a commit',
    end: 'committed',
    outcome: 'uncertain',
    takeDown: async (run, one, worker) => {
      const { coordinator } = run.cluster;
      await holdAfterRecord(run, one, worker);
      // Not for the server that runs, but for the next one.
      await onNode(coordinator, 'alter system reset synchronous_standby_names');
      return killNode(run, coordinator);
    },
  },
  {
    what: 'kill -9 of a worker that has prepared a commit',
    end: 'committed',
    outcome: 'created',
    takeDown: async (run, one, worker) => {
      await holdAfterRecord(run, one, worker);
      const start = await killNode(run, worker);
      await letGo(run);
      return start;
    },
    isOfWorker: true,
  },
];

export async function* killBetweenPhases(run: Run, folder: string): AsyncGenerator<DrillResult> {
  for (const moment of MOMENTS) yield await meet(run, folder, moment);
}

async function meet(run: Run, folder: string, moment: Moment): Promise<DrillResult> {
  const { cluster, load } = run;
  const ends = { committed: 0, 'rolled back': 0 };
  const locked: number[] = [];
  const outcomes = new Set<Outcome>();
  let prepared = 0;
  for (let time = 0; time < TIMES; time++) {
    const one = must(load.all[time]);
    const place = await workerOf(cluster, one.workspace);
    const worker = must(cluster.workers.find((node) => hostOf(node) === place));
    const before = countRecovered(folder);
    const takeDown: TakeDown = async () => {
      const start = await moment.takeDown(run, one, worker);
      // On a worker that was killed they are seen only when it is back, and recovery may be sooner.
      if (moment.isOfWorker !== true) prepared += (await listPrepared([worker])).length;
      return start;
    };
    const { started } = await takeAway(run, moment.isOfWorker === true ? worker : cluster.coordinator, takeDown, false);
    locked.push(firstWrite(one, started) - started);
    await waitUntilDecided(run);
    const after = countRecovered(folder);
    for (const end of ['committed', 'rolled back'] as const) ends[end] += after[end] - before[end];
    outcomes.add(must([...load.tokens.values()].at(-1)));
  }
  const longest = formatSeconds(Math.max(...locked));
  return {
    what: `${moment.what}, ${TIMES} times`,
    expected: `the worker has it prepared, and recovery has it ${moment.end}`,
    measured: `${moment.isOfWorker === true ? '' : `${prepared} prepared after the kill; `}${ends.committed} committed and ${ends['rolled back']} rolled back by recovery; the command reported: ${[...outcomes].join()}; its workspace written again ${longest} s after the start at most`,
    holds:
      prepared === (moment.isOfWorker === true ? 0 : TIMES) &&
      ends[moment.end] === TIMES &&
      [...outcomes].join() === moment.outcome,
  };
}

/** Freezes the coordinator while it waits for its disk (`commit_delay`), and looks whether it was the right moment. */
async function killBeforeRecord(run: Run, one: LoadedWorkspace, worker: Node): Promise<() => Promise<void>> {
  const { coordinator } = run.cluster;
  for (;;) {
    const made = run.load.makeToken(one);
    await waitWhile(made, async () => (await listPrepared([worker])).length === 0);
    const thaw = freezeProcesses([coordinator.pid]);
    if ((await listPrepared([worker])).length > 0) return killNode(run, coordinator);
    thaw();
    await made;
  }
}

/** Makes a token whose commit the coordinator has recorded, and which waits for a standby that doesn't exist. */
async function holdAfterRecord(run: Run, one: LoadedWorkspace, worker: Node): Promise<void> {
  const { coordinator } = run.cluster;
  await onNode(coordinator, `alter system set synchronous_standby_names = 'nobody'`);
  await onNode(coordinator, 'select pg_reload_conf()');
  const isHeld = async () => {
    const rows = await onNode(coordinator, `select pid from pg_stat_activity where wait_event = 'SyncRep'`);
    const waiting = new Set(rows.map(({ pid }) => Number(pid)));
    return (await listPrepared([worker])).some((pid) => waiting.has(pid));
  };
  // The setting may not hold yet for the first.
  while (!(await isHeld())) await waitWhile(run.load.makeToken(one), async () => !(await isHeld()));
}

async function letGo({ cluster: { coordinator } }: Run): Promise<void> {
  await onNode(coordinator, 'alter system reset synchronous_standby_names');
  await onNode(coordinator, 'select pg_reload_conf()');
}

/** Until `work` has ended, or `isWanted` no longer. */
async function waitWhile(work: Promise<unknown>, isWanted: () => Promise<boolean>): Promise<void> {
  const over = new AbortController();
  void work.finally(() => over.abort());
  while (!over.signal.aborted && (await isWanted())) await delay(1);
}

/** Until no node has a prepared transaction; gives how many are left after the longest time that is allowed. */
export async function waitUntilDecided({ cluster }: Run): Promise<number> {
  const nodes = [cluster.coordinator, ...cluster.workers];
  const deadline = performance.now() + RECOVERY_LIMIT_MS;
  for (;;) {
    const left = (await listPrepared(nodes)).length;
    if (left === 0 || performance.now() > deadline) return left;
    await delay(200);
  }
}

/** How many transactions the recovery has ended until now. */
export function countRecovered(folder: string): { committed: number; 'rolled back': number } {
  const logs = join(folder, 'coordinator/log');
  const text = readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .join('');
  const count = (command: string) => text.split(`CONTEXT:  ${command} PREPARED`).length - 1;
  return { committed: count('COMMIT'), 'rolled back': count('ROLLBACK') };
}
