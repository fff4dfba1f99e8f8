import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Slows processes by a known factor, with a control group of Linux (version 1 or 2).

const ROOT = '/sys/fs/cgroup';
const IS_FIRST_VERSION = existsSync(join(ROOT, 'cpu/cpu.cfs_quota_us'));
/** Microseconds, as short as a quota of a twentieth can be. */
const PERIOD = 20_000;

export type Quota = {
  /** Includes a process and those that it has started and will start. */
  add: (pid: number) => void;
  /** Their share of one processor from now on, at least 0.05; null is no limit. */
  set: (share: number | null) => void;
  /** After they have ended. */
  remove: () => void;
};

/** Throws one sentence where this machine gives none. */
export function createQuota(name: string): Quota {
  const folder = join(ROOT, IS_FIRST_VERSION ? 'cpu' : '', `sendroom-${process.pid}-${name}`);
  const write = (file: string, text: string | number) => writeFileSync(join(folder, file), String(text));
  const set: Quota['set'] = (share) => {
    const quota = share === null ? null : Math.round(PERIOD * share);
    if (IS_FIRST_VERSION) {
      write('cpu.cfs_period_us', PERIOD);
      write('cpu.cfs_quota_us', quota ?? -1);
    } else write('cpu.max', `${quota ?? 'max'} ${PERIOD}`);
  };
  try {
    mkdirSync(folder);
    set(null);
  } catch (error) {
    throw new Error(`This process may not limit processors, so no worker can be slowed: ${(error as Error).message}.`, {
      cause: error,
    });
  }
  const add: Quota['add'] = (pid) => {
    // What it starts from now on is included with it.
    write('cgroup.procs', pid);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    for (const child of children.filter((each) => each !== '')) write('cgroup.procs', child);
  };
  return { add, set, remove: () => rmdirSync(folder) };
}
