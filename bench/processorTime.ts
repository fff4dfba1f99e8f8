import { cpus } from 'node:os';

/** The processor time of the whole machine since its start. */
export function machineSeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;
}
