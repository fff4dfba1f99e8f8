import { randomInt } from 'node:crypto';

/**
 * A random mark. On PostgreSQL every write stores a new one in the row of its workspace, so that a server with the same mark has
 * the same data of that workspace (postgres/standby.ts).
 */
export function newWriteMark(): number {
  return randomInt(2 ** 48 - 1);
}
