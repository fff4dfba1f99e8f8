import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** The processor time of the whole machine since its start. */
export function machineSeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;
}

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

/** Empty for a process that has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
