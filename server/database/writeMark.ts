import { randomInt } from 'node:crypto';

/**
 * A mark that no other write leaves. On PostgreSQL every write leaves a new one in the row of its workspace, so that
 * whoever finds the same mark in two places finds the same data of that workspace there (standby.ts).
 */
export function newWriteMark(): number {
  return randomInt(2 ** 48 - 1);
}
