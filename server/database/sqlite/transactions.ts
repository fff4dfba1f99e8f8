import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Turns } from '../../limiter/turns.ts';
import type { PoolStats, Transaction } from '../database.ts';
import { DatabaseBusyError } from '../databaseErrors.ts';
import { createSqliteKysely } from './sqliteKysely.ts';
import { codeOf, isFsyncError, SQLITE_BUSY, toWriteError } from './sqliteErrors.ts';

/** Takes the write lock at once, because taking it later fails when somebody else has written meanwhile. */
export const BEGIN_WRITE = 'begin immediate';
export const BEGIN_READ = 'begin';

/** How long a transaction waits, for those before it and while another process writes: `npm run admin` beside the service. */
const BUSY_LIMIT_MS = 10_000;
const BUSY_PAUSE_MS = 4;

export type Transactions = {
  /**
   * Runs `work` in a transaction of its own, after those that were asked for before; a failure rolls it back. It is a
   * `DatabaseBusyError` when it has not begun in time.
   */
  run: <Result>(work: (trx: Transaction) => Promise<Result>) => Promise<Result>;
  counts: () => Omit<PoolStats, 'name'>;
  /** Closes the connection when the last transaction has ended. */
  close: () => Promise<void>;
};

/** Transactions on a connection that nobody else uses. Kysely's own cost a request more than the statements in them. */
export function createTransactions(
  database: DatabaseSync,
  begin: typeof BEGIN_WRITE | typeof BEGIN_READ,
): Transactions {
  const trx: Transaction = createSqliteKysely(database);
  const [start, commit, rollback] = [begin, 'commit', 'rollback'].map((sql) => database.prepare(sql));
  const limiter = new Turns(1);
  const inFlight = new Set<Promise<unknown>>();

  /** Waits without SQLite's own busy timeout, which would stop the whole process while it waits. */
  async function beginTransaction(over: AbortSignal): Promise<void> {
    for (;;) {
      try {
        start?.run();
        return;
      } catch (error) {
        if (codeOf(error) !== SQLITE_BUSY) throw toWriteError(error);
      }
      await delay(BUSY_PAUSE_MS);
      over.throwIfAborted();
    }
  }

  async function transaction<Result>(work: (trx: Transaction) => Promise<Result>, over: AbortSignal): Promise<Result> {
    await beginTransaction(over);
    try {
      const result = await work(trx);
      commit?.run();
      return result;
    } catch (error) {
      if (isFsyncError(error)) stopProcess(error);
      // After some failures (a full disk) SQLite has rolled back by itself.
      if (database.isTransaction) rollback?.run();
      throw toWriteError(error);
    }
  }

  async function run<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(new DatabaseBusyError(null)), BUSY_LIMIT_MS);
    try {
      return await limiter.taking(() => transaction(work, over.signal), over.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    run(work) {
      const result = run(work).finally(() => inFlight.delete(result));
      inFlight.add(result);
      return result;
    },
    counts: () => {
      const used = Math.min(inFlight.size, 1);
      return { max: 1, used, idle: 1 - used, waiting: inFlight.size - used };
    },
    async close() {
      await Promise.allSettled(inFlight);
      database.close();
    },
  };
}

/**
 * What was answered before is on the disk; what memory holds may not be. So nobody is told anything from it any more, and the
 * next start reads what there is. PostgreSQL does the same.
 */
function stopProcess(cause: unknown): void {
  queueMicrotask(() => {
    throw new Error(
      'The disk did not take what was written to it: this process stops, and the next one reads the disk.',
      {
        cause,
      },
    );
  });
}
