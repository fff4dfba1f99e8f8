import { readFileSync } from 'node:fs';

// What processes hold in memory, in MiB. On Linux only.

/** What a process holds now, and the most that it has held. */
export function memoryOf(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { now: read(status, 'VmRSS'), most: read(status, 'VmHWM') };
}

function read(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024;
}
