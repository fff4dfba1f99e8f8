import { existsSync, readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/**
 * The processor time of the processes that `parent` has started, also of those that have ended, which are counted in hundredths of a
 * second. On Linux only; 0 elsewhere.
 */
export function childrenSeconds(parent: number): number {
  const running = read(`/proc/${parent}/task/${parent}/children`)
    .split(' ')
    .filter((pid) => pid !== '')
    .map((pid) => Number(read(`/proc/${pid}/schedstat`).split(' ')[0]) / 1_000_000_000);
  // Behind the name of the program, which may have spaces, the 14th and 15th field are of children.
  const ended = read(`/proc/${parent}/stat`).split(') ').at(-1)?.split(' ').slice(13, 15).map(Number) ?? [];
  return [...running, ...ended.map((ticks) => ticks / TICKS_PER_SECOND)].reduce((sum, each) => sum + each, 0);
}

/** The processor time of all threads of a process. On Linux only; 0 elsewhere. */
export function processSeconds(pid: number): number {
  const threads = existsSync(`/proc/${pid}/task`) ? readdirSync(`/proc/${pid}/task`) : [];
  const nanoseconds = threads.map((thread) => Number(read(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]));
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000_000_000;
}

/** Seconds on the clock, and of processors: ours, and those of the database. */
export type Cost = { clock: number; processor: number };

/** `serverPid` is of the server that works for it. */
export async function costOf(serverPid: number | null, work: () => void | Promise<void>): Promise<Cost> {
  const processor = () =>
    childrenSeconds(process.pid) + (serverPid === null ? 0 : childrenSeconds(serverPid)) + ownSeconds();
  const before = processor();
  const clock = await secondsOf(work);
  return { clock, processor: processor() - before };
}

/** The processor time of this process. */
function ownSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

async function secondsOf(work: () => void | Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Empty for a process that has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
