import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Turns } from '../../turns.ts';
import type { Pool, Transaction } from '../database.ts';
import { DatabaseBusy } from '../failures.ts';
import { kyselyOn } from './sqlite.ts';
import { codeOf, isUnsynced, SQLITE_BUSY, writeFailureOf } from './sqliteFailures.ts';

/** Takes the write lock at once, because taking it later fails when somebody else has written meanwhile. */
export const WRITE = 'begin immediate';
export const READ = 'begin';

/** How long a transaction waits, for those before it and while another process writes: `npm run admin` beside the service. */
const BUSY_LIMIT_MS = 10_000;
const BUSY_PAUSE_MS = 4;

export type Transactions = {
  /**
   * Runs `work` in a transaction of its own, after those that were asked for before; a failure rolls it back. It is a
   * `DatabaseBusy` when it has not begun in time.
   */
  run: <Result>(work: (trx: Transaction) => Promise<Result>) => Promise<Result>;
  counts: () => Omit<Pool, 'name'>;
  /** Closes the connection when the last transaction has ended. */
  close: () => Promise<void>;
};

/** Transactions on a connection that nobody else uses. Kysely's own cost a request more than the statements in them. */
export function transactionsOn(database: DatabaseSync, begin: typeof WRITE | typeof READ): Transactions {
  const trx: Transaction = kyselyOn(database);
  const [start, commit, rollback] = [begin, 'commit', 'rollback'].map((sql) => database.prepare(sql));
  const turns = new Turns(1);
  const underWay = new Set<Promise<unknown>>();

  /** Waits without SQLite's own busy timeout, which would stop the whole process while it waits. */
  async function begun(over: AbortSignal): Promise<void> {
    for (;;) {
      try {
        start?.run();
        return;
      } catch (error) {
        if (codeOf(error) !== SQLITE_BUSY) throw writeFailureOf(error);
      }
      await delay(BUSY_PAUSE_MS);
      over.throwIfAborted();
    }
  }

  async function transaction<Result>(work: (trx: Transaction) => Promise<Result>, over: AbortSignal): Promise<Result> {
    await begun(over);
    try {
      const result = await work(trx);
      commit?.run();
      return result;
    } catch (error) {
      if (isUnsynced(error)) stopProcess(error);
      // After some failures (a full disk) SQLite has rolled back by itself.
      if (database.isTransaction) rollback?.run();
      throw writeFailureOf(error);
    }
  }

  async function run<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result> {
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(new DatabaseBusy(null)), BUSY_LIMIT_MS);
    try {
      return await turns.taking(() => transaction(work, over.signal), over.signal);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    run(work) {
      const result = run(work).finally(() => underWay.delete(result));
      underWay.add(result);
      return result;
    },
    counts: () => {
      const used = Math.min(underWay.size, 1);
      return { max: 1, used, idle: 1 - used, waiting: underWay.size - used };
    },
    async close() {
      await Promise.allSettled(underWay);
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
