import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Transaction } from './database.ts';
import { DatabaseBusy, DatabaseFull } from './failures.ts';
import { kyselyOn } from './sqlite.ts';

/** Takes the write lock at once, because taking it later fails when somebody else has written meanwhile. */
export const WRITE = 'begin immediate';
export const READ = 'begin';

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;
/** How long a transaction waits while another process writes: `npm run admin` beside the service. */
const BUSY_LIMIT_MS = 10_000;
const BUSY_PAUSE_MS = 4;

export type Transactions = {
  /** Runs `work` in a transaction of its own, after those that were asked for before; a failure rolls it back. */
  run: <Result>(work: (trx: Transaction) => Promise<Result>) => Promise<Result>;
  /** Closes the connection when the last transaction has ended. */
  close: () => Promise<void>;
};

/** Transactions on a connection that nobody else uses. Kysely's own cost a request more than the statements in them. */
export function transactionsOn(database: DatabaseSync, begin: typeof WRITE | typeof READ): Transactions {
  const trx: Transaction = kyselyOn(database);
  const [start, commit, rollback] = [begin, 'commit', 'rollback'].map((sql) => database.prepare(sql));
  let last: Promise<unknown> = Promise.resolve();

  /** Waits without SQLite's own busy timeout, which would stop the whole process while it waits. */
  async function begun(): Promise<void> {
    const deadline = performance.now() + BUSY_LIMIT_MS;
    for (;;) {
      try {
        start?.run();
        return;
      } catch (error) {
        if (codeOf(error) !== SQLITE_BUSY) throw error;
        if (performance.now() > deadline) throw new DatabaseBusy(error);
      }
      await delay(BUSY_PAUSE_MS);
    }
  }

  async function run<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result> {
    await begun();
    try {
      const result = await work(trx);
      commit?.run();
      return result;
    } catch (error) {
      // After some failures (a full disk) SQLite has rolled back by itself.
      if (database.isTransaction) rollback?.run();
      throw codeOf(error) === SQLITE_FULL ? new DatabaseFull(error) : error;
    }
  }

  return {
    run(work) {
      const result = last.then(() => run(work));
      last = result.catch(() => {});
      return result;
    },
    async close() {
      await last;
      database.close();
    },
  };
}

function codeOf(error: unknown): unknown {
  return (error as { errcode?: unknown }).errcode;
}
