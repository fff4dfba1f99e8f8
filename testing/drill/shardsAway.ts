import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { freezeProcesses } from '../../server/testing/processes/freezeProcesses.ts';
import type { StartedService } from '../../server/testing/processes/testMain.ts';
import type { WriteAnswer } from '../../server/testing/testWriters.ts';
import { type Cluster, hostOf } from '../programs/citus.ts';
import { type LoadedWorkspace, type ShardsLoad, workerOf } from './shardsLoad.ts';

export const AWAY_MS = 6_000;
/** Acknowledged writes of each workspace before and after each fault. */
export const WRITES = 5;

export type Run = {
  cluster: Cluster;
  load: ShardsLoad;
  services: readonly StartedService[];
  faults: string[];
  found: number;
};

/** One server of the cluster. */
export type Node = Cluster['coordinator'];

/** Takes a node away, and gives what brings it back. */
export type TakeDown = (node: Node) => Promise<() => Promise<void> | void>;

export type Away = { otherGap: number; others: WriteAnswer[]; own: WriteAnswer[]; back: number; started: number };

/** Ends all processes of a node, as a machine that loses power: with the first alone, the others would finish what they commit. */
export async function killNode({ cluster }: Run, node: Node): Promise<() => Promise<void>> {
  freezeProcesses([node.pid]);
  const { stdout } = spawnSync('pgrep', ['-P', String(node.pid)], { encoding: 'utf8' });
  for (const pid of stdout.split('\n').filter(Boolean)) process.kill(Number(pid), 'SIGKILL');
  return cluster.kill(node);
}

export const freezeNode: TakeDown = (node) => Promise.resolve(freezeProcesses([node.pid]));

/** Takes a node away for some seconds, and gives it back. */
export async function takeAway(run: Run, node: Node, takeDown: TakeDown, creates = true): Promise<Away> {
  const { cluster, load } = run;
  const places = await Promise.all(load.all.map(({ workspace }) => workerOf(cluster, workspace)));
  const own = load.all.filter((_, at) => node === cluster.coordinator || places[at] === hostOf(node));
  const others = load.all.filter((one) => !own.includes(one));
  load.start(creates);
  await load.waitForWrites(WRITES);
  const begin = performance.now();
  const bringBack = await takeDown(node);
  const start = performance.now();
  await delay(AWAY_MS);
  const end = performance.now();
  await bringBack();
  const started = performance.now();
  await load.waitForWrites(WRITES, own);
  const back = Math.max(...own.map((one) => firstWrite(one, started) - started));
  await load.waitForWrites(WRITES, others);
  const otherGap = Math.max(0, ...others.map(({ writers }) => writers.longestGap(begin)));
  await stop(run);
  const name = node === cluster.coordinator ? 'coordinator' : 'worker';
  console.log(`  ${name}: others ${formatSeconds(otherGap)} s, back after ${formatSeconds(back)} s`);
  const meanwhile = (among: readonly LoadedWorkspace[]) => since(among, start).filter(({ sent }) => sent < end);
  return { otherGap, others: meanwhile(others), own: meanwhile(own), back, started };
}

/** Stops the load, and notes what is not as it was acknowledged. */
export async function stop(run: Run): Promise<void> {
  const { faults, found } = await run.load.stop();
  run.faults.push(...faults);
  run.found += found;
}

/** When the first write that was sent after `start` was acknowledged. */
export const firstWrite = ({ writers }: LoadedWorkspace, start: number) =>
  writers.answers.find(({ status, sent }) => status === 200 && sent >= start)?.at ?? Infinity;

export const since = (among: readonly LoadedWorkspace[], start: number) =>
  among.flatMap(({ writers, reads }) => [...writers.answers, ...reads]).filter(({ sent }) => sent >= start);

export function describe(times: readonly Away[]): string {
  const own = times.flatMap((one) => one.own);
  const longest = Math.max(...own.map(({ sent, at }) => at - sent));
  const back = times.map((one) => one.back);
  return `${own.length} requests of its own, answered after ${formatSeconds(longest)} s at most; written again ${formatSeconds(Math.max(...back))} s after its start at most`;
}

export function formatSeconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}
