import { readFileSync } from 'node:fs';

// What processes hold in memory, in MiB. On Linux only.

/** What a process holds now, and the most that it has held. */
export function memoryOf(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { now: read(status, 'VmRSS'), most: read(status, 'VmHWM') };
}

/** What a process and those that it has started hold together; what they share is counted once. */
export function familyMemory(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return [String(pid), ...children]
    .map((each) => read(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8'), 'Pss'))
    .reduce((sum, each) => sum + each, 0);
}

function read(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024;
}
