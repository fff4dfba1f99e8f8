import { cpus } from 'node:os';

/** What all processors were busy with since the machine was started. */
export function machineSeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;
}
