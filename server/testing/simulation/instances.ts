import type { Database } from '../../database/database.ts';

/** What a process that was killed meets. `isCommitted`: its last transaction is stored, but it never heard of that. */
export class KilledError extends Error {
  override readonly name = 'KilledError';
  readonly isCommitted: boolean;

  constructor(isCommitted: boolean) {
    super('The process was killed.');
    this.isCommitted = isCommitted;
  }
}

/** A database as a process has it, until a kill takes it away: before or after the process commits its n-th transaction from now. */
export type Instance = {
  database: Database;
  kill: (when: { writes: number; isCommitted: boolean }) => void;
  isKilled: () => boolean;
};

export function startInstance(database: Database): Instance {
  let left = Infinity;
  let isCommitted = false;
  const rejectIfKilled = () => {
    if (left < 0) throw new KilledError(false);
  };
  const write: Database['write'] = async (workspace, work, options) => {
    rejectIfKilled();
    left--;
    if (left >= 0) return database.write(workspace, work, options);
    if (isCommitted) await database.write(workspace, work, options);
    throw new KilledError(isCommitted);
  };
  const read: Database['read'] = async (workspace, work, options) => {
    rejectIfKilled();
    return database.read(workspace, work, options);
  };
  return {
    database: { ...database, read, write },
    kill: (when) => {
      left = when.writes;
      ({ isCommitted } = when);
    },
    isKilled: () => left < 0,
  };
}
