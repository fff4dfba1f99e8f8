import type { CompiledQuery, QueryResult } from 'kysely';
import { Worker } from 'node:worker_threads';
import { FairLimiter } from '../../limiter/fairLimiter.ts';
import { type PoolStats, READ_LIMIT_MS, type Transaction } from '../database.ts';
import { DatabaseGoneError, ReadTimeoutError } from '../databaseErrors.ts';
import { createEmptyRow, type RowValues, rowOf } from './preparedStatements.ts';
import { createKyselyWith } from './sqliteKysely.ts';
import { toDatabaseError } from './sqliteErrors.ts';
import type { WorkspaceId } from '../schema/tables.ts';

// Why reads have threads of their own: docs/decisions/0020-read-threads.md.

export type ThreadData = { file: string; cache: number };
/** A statement to run; null ends the transaction. */
export type ThreadRequest = { sql: string; parameters: readonly unknown[] } | null;
/** `error` is one of SQLite. */
export type ThreadResponse = {
  columns: readonly string[];
  rows: readonly RowValues[];
  error?: { message: string; errcode: unknown };
};

/** Threads of one process. */
export const THREADS = 4;
const MAX_PER_WORKSPACE = 2;
/**
 * Memory of a thread besides its cache, many times what a result takes. Above the limit the thread ends, but not the
 * process.
 */
const MEMORY_MIB = 128;

/** Runs reading transactions in threads, each for a limited time, so that they don't block the event loop. */
export class ReadThreads {
  readonly #data: ThreadData;
  readonly #limiter = new FairLimiter({
    max: THREADS,
    maxPerGroup: MAX_PER_WORKSPACE,
    limitMs: READ_LIMIT_MS,
    timeout: () => new ReadTimeoutError(null),
  });
  readonly #threads = new Set<ReadThread>();
  readonly #idle: ReadThread[] = [];
  readonly #inFlight = new Set<Promise<unknown>>();

  constructor(data: ThreadData) {
    this.#data = data;
  }

  /**
   * Throws `ReadTimeoutError`, and `DatabaseGoneError` when the thread or the disk fails. A timeout terminates the
   * thread.
   */
  run<Result>(workspace: WorkspaceId | null, work: (trx: Transaction) => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const read = async (timeout: AbortSignal | undefined) => {
      const thread = this.#idle.pop() ?? this.#start();
      timeout?.addEventListener('abort', () => thread.end(timeout.reason));
      await thread.transaction(work).then(resolve, reject);
      // A terminated thread may still run a statement. It keeps its turn until it has ended, although the caller has
      // its error already.
      if (thread.hasFailed) await thread.ended;
      else this.#idle.push(thread);
    };
    const turn = this.#limiter.run(read, undefined, workspace);
    const settled = turn.catch(reject).finally(() => this.#inFlight.delete(settled));
    this.#inFlight.add(settled);
    return promise;
  }

  counts(): Omit<PoolStats, 'name'> {
    const idle = this.#idle.length;
    const used = this.#threads.size - idle;
    return { max: THREADS, used, idle, waiting: this.#inFlight.size - used };
  }

  /** Waits for what is in flight. */
  async close(): Promise<void> {
    await Promise.all(this.#inFlight);
    const threads = [...this.#threads];
    for (const thread of threads) thread.end(new DatabaseGoneError(null));
    await Promise.all(threads.map(({ ended }) => ended));
  }

  #start(): ReadThread {
    const thread = new ReadThread(this.#data);
    this.#threads.add(thread);
    void thread.ended.then(() => {
      this.#threads.delete(thread);
      const at = this.#idle.indexOf(thread);
      if (at !== -1) this.#idle.splice(at, 1);
    });
    return thread;
  }
}

type PendingStatement = { resolve: (response: ThreadResponse) => void; reject: (error: unknown) => void };

/** One thread, which runs one transaction at a time. */
class ReadThread {
  readonly #worker: Worker;
  /** Statements in flight. Responses come in their order. */
  readonly #pending: PendingStatement[] = [];
  readonly #kysely = createKyselyWith((query) => this.#execute(query));
  /** Why it was ended; null while it runs. */
  #error: unknown = null;
  /** Resolves when the thread has exited. */
  readonly ended: Promise<void>;

  constructor(workerData: ThreadData) {
    this.#worker = new Worker(new URL('readThread.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
    });
    this.#worker.on('message', (response: ThreadResponse) => this.#pending.shift()?.resolve(response));
    this.#worker.on('error', (error) =>
      this.end(new DatabaseGoneError(error, 'A thread that reads the database failed.')),
    );
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#worker.on('exit', () => {
      this.end(new DatabaseGoneError(null, 'A thread that reads the database ended.'));
      resolve();
    });
  }

  get hasFailed(): boolean {
    return this.#error !== null;
  }

  async transaction<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.#kysely);
    } finally {
      this.#post(null);
    }
  }

  /** Terminates the thread; statements in flight fail with `error`. A running one stops at its next `cancellationCheck`. */
  end(error: unknown): void {
    if (this.#error !== null) return;
    this.#error = error;
    for (const { reject } of this.#pending.splice(0)) reject(error);
    void this.#worker.terminate();
  }

  #post(request: ThreadRequest): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    this.#worker.postMessage(request);
  }

  async #execute<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#error !== null) throw this.#error;
    const { promise, resolve, reject } = Promise.withResolvers<ThreadResponse>();
    this.#pending.push({ resolve, reject });
    this.#post({ sql, parameters });
    const { columns, rows, error } = await promise;
    if (error !== undefined) throw toDatabaseError(Object.assign(new Error(error.message), error));
    const shape = { columns, emptyRow: createEmptyRow(columns) };
    return { rows: rows.map((cells) => rowOf(shape, cells) as Row) };
  }
}
