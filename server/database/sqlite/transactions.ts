import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { FairLimiter } from '../../limiter/fairLimiter.ts';
import type { PoolStats, Transaction } from '../database.ts';
import { DatabaseBusyError } from '../databaseErrors.ts';
import { allowAnyRowid } from './preparedStatements.ts';
import { createSqliteKysely } from './sqliteKysely.ts';
import { codeOf, isFsyncError, SQLITE_BUSY, toWriteError } from './sqliteErrors.ts';

/** Takes the write lock at once, because taking it later fails when another process has written meanwhile. */
export const BEGIN_WRITE = 'begin immediate';
export const BEGIN_READ = 'begin';

/** How long a transaction waits: for those before it, and for a write of another process, such as `npm run admin`. */
const BUSY_LIMIT_MS = 10_000;
const BUSY_RETRY_DELAY_MS = 4;
/** Milliseconds of writes after which the event loop turns before the next one: many may wait for each other. */
const TURN_MAX_MS = 4;

/**
 * Transactions on a connection that is used for nothing else, one at a time, of groups in turn and of a group in the order of the calls. Kysely's own
 * transactions cost a request more than the statements in them.
 */
export class Transactions {
  readonly #database: DatabaseSync;
  readonly #trx: Transaction;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  readonly #limiter = new FairLimiter(1);
  readonly #isWriter;
  #turnedAt = 0;
  readonly #inFlight = new Set<Promise<unknown>>();

  constructor(database: DatabaseSync, begin: typeof BEGIN_WRITE | typeof BEGIN_READ) {
    this.#database = database;
    this.#isWriter = begin === BEGIN_WRITE;
    this.#trx = createSqliteKysely(database);
    this.#begin = allowAnyRowid(database.prepare(begin));
    this.#commit = allowAnyRowid(database.prepare('commit'));
    this.#rollback = allowAnyRowid(database.prepare('rollback'));
  }

  /**
   * Runs `work` in a transaction of its own; an error rolls it back. Throws `DatabaseBusyError` when the transaction has not
   * begun in time, and the errors of `toWriteError`.
   */
  run<Result>(work: (trx: Transaction) => Promise<Result>, group: unknown = null): Promise<Result> {
    const result = this.#runInTurn(work, group).finally(() => this.#inFlight.delete(result));
    this.#inFlight.add(result);
    return result;
  }

  counts(): Omit<PoolStats, 'name'> {
    const used = Math.min(this.#inFlight.size, 1);
    return { max: 1, used, idle: 1 - used, waiting: this.#inFlight.size - used };
  }

  /** Closes the connection when the last transaction has ended. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
    this.#database.close();
  }

  async #runInTurn<Result>(work: (trx: Transaction) => Promise<Result>, group: unknown): Promise<Result> {
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(new DatabaseBusyError(null)), BUSY_LIMIT_MS);
    try {
      return await this.#limiter.run(
        async () => {
          if (this.#isWriter) await this.#letTurn();
          return this.#transaction(work, timeout.signal);
        },
        timeout.signal,
        group,
      );
    } finally {
      clearTimeout(timer);
    }
  }

  async #letTurn(): Promise<void> {
    if (performance.now() - this.#turnedAt <= TURN_MAX_MS) return;
    await setImmediate();
    this.#turnedAt = performance.now();
  }

  async #transaction<Result>(work: (trx: Transaction) => Promise<Result>, timeout: AbortSignal): Promise<Result> {
    await this.#beginTransaction(timeout);
    try {
      const result = await work(this.#trx);
      this.#commit.run();
      return result;
    } catch (error) {
      if (isFsyncError(error)) stopProcess(error);
      // After some errors, such as a full disk, SQLite has rolled back by itself.
      if (this.#database.isTransaction) this.#rollback.run();
      throw toWriteError(error);
    }
  }

  /** Retries while the database is locked. SQLite's own busy timeout would block the event loop meanwhile. */
  async #beginTransaction(timeout: AbortSignal): Promise<void> {
    for (;;) {
      try {
        this.#begin.run();
        return;
      } catch (error) {
        if (codeOf(error) !== SQLITE_BUSY) throw toWriteError(error);
      }
      await delay(BUSY_RETRY_DELAY_MS);
      timeout.throwIfAborted();
    }
  }
}

/**
 * Ends the process by an uncaught error. After a failed fsync memory may differ from the disk. What was answered before is on
 * the disk, and the next start reads the disk. PostgreSQL does the same.
 */
function stopProcess(cause: unknown): void {
  queueMicrotask(() => {
    throw new Error(
      'The disk did not take what was written to it: this process stops, and the next one reads the disk.',
      { cause },
    );
  });
}
