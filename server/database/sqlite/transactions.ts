import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import type { Transaction } from '../database.ts';
import { LockTimeoutError } from '../databaseErrors.ts';
import { allowAnyRowid } from './preparedStatements.ts';
import { createTransactionKysely } from './sqliteKysely.ts';
import { codeOf, isFsyncError, SQLITE_BUSY, toWriteError } from './sqliteErrors.ts';

/** Takes the write lock at once, because taking it later fails when another process has written meanwhile. */
export const BEGIN_WRITE = 'begin immediate';
export const BEGIN_READ = 'begin';

/** Milliseconds that one attempt waits for another process, such as `npm run admin`. */
const ATTEMPT_MS = 250;
const RETRY_DELAY_MS = 4;
/** Milliseconds of writes after which the event loop turns before the next one. */
const TURN_MAX_MS = 4;

type Work = (trx: Transaction) => Promise<unknown>;

/** Transactions on a connection that nothing else uses, one after the other. Kysely's own cost more than the statements in them. */
export class Transactions {
  readonly #database: DatabaseSync;
  readonly #trx: Transaction;
  readonly #statements = new Map<string, StatementSync>();
  readonly #begin: typeof BEGIN_WRITE | typeof BEGIN_READ;
  #turnedAt = 0;

  constructor(database: DatabaseSync, begin: typeof BEGIN_WRITE | typeof BEGIN_READ) {
    this.#database = database;
    this.#begin = begin;
    this.#trx = createTransactionKysely(database);
  }

  /** Runs `work` in a transaction; an error rolls it back. Throws the errors of `toWriteError`. */
  async run<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result> {
    await this.#beginWithin(ATTEMPT_MS);
    return this.#complete(() => work(this.#trx));
  }

  /** See `RunGroup`. */
  async runGroup(
    works: readonly Work[],
    onBegun: () => void,
    leftMs: number,
  ): Promise<PromiseSettledResult<unknown>[]> {
    await this.#beginWithin(Math.min(leftMs, ATTEMPT_MS));
    onBegun();
    return this.#complete(async () => {
      const outcomes: PromiseSettledResult<unknown>[] = [];
      for (const work of works) {
        await this.#letTurn();
        outcomes.push(
          works.length === 1 ? { status: 'fulfilled', value: await work(this.#trx) } : await this.#try(work),
        );
      }
      return outcomes;
    });
  }

  close(): void {
    this.#database.close();
  }

  async #complete<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      const result = await work();
      this.#execute('commit');
      return result;
    } catch (error) {
      if (isFsyncError(error)) stopProcess(error);
      // After some errors, such as a full disk, SQLite has rolled back by itself.
      if (this.#database.isTransaction) this.#execute('rollback');
      throw toWriteError(error);
    }
  }

  /** Throws only if SQLite has rolled the whole transaction back. */
  async #try(work: Work): Promise<PromiseSettledResult<unknown>> {
    this.#execute('savepoint write');
    try {
      return { status: 'fulfilled', value: await work(this.#trx) };
    } catch (error) {
      if (isFsyncError(error) || !this.#database.isTransaction) throw error;
      this.#execute('rollback to write');
      return { status: 'rejected', reason: toWriteError(error) };
    } finally {
      if (this.#database.isTransaction) this.#execute('release write');
    }
  }

  async #letTurn(): Promise<void> {
    if (performance.now() - this.#turnedAt <= TURN_MAX_MS) return;
    await setImmediate();
    this.#turnedAt = performance.now();
  }

  /** Retries while the database is locked. SQLite's own busy timeout would block the event loop meanwhile. */
  async #beginWithin(limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    for (;;) {
      try {
        this.#execute(this.#begin);
        return;
      } catch (error) {
        if (codeOf(error) !== SQLITE_BUSY) throw toWriteError(error);
        if (performance.now() > end) throw new LockTimeoutError(error);
      }
      await delay(RETRY_DELAY_MS);
    }
  }

  #execute(sql: string): void {
    this.#statements.getOrInsertComputed(sql, () => allowAnyRowid(this.#database.prepare(sql))).run();
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
