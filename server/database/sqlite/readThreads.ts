import type { CompiledQuery, QueryResult } from 'kysely';
import { Worker } from 'node:worker_threads';
import type { PoolStats, Transaction } from '../database.ts';
import { DatabaseGoneError } from '../databaseErrors.ts';
import { createEmptyRow, type RowValues, rowOf } from './preparedStatements.ts';
import { ReadLimiter } from '../readLimiter.ts';
import { createKyselyWith } from './sqliteKysely.ts';
import { toDatabaseError } from './sqliteErrors.ts';
import type { WorkspaceId } from '../tables.ts';

// Why reads have threads of their own: docs/decisions/0020-read-threads.md.

export type ThreadData = { file: string; cache: number };
/** A statement; null ends the transaction. */
export type ThreadRequest = { sql: string; parameters: readonly unknown[] } | null;
/** `failure` is an error of SQLite. */
export type ThreadResponse = {
  columns: readonly string[];
  rows: readonly RowValues[];
  error?: { message: string; errcode: unknown };
};

/** Threads of one process. */
export const THREADS = 4;
const MAX_PER_WORKSPACE = 2;
/** What a thread may need besides its cache, many times what an answer takes: beyond it the thread ends, and not the process. */
const MEMORY_MIB = 128;

/** Reading transactions in other threads than the one that answers requests, a limited time each. */
export class ReadThreads {
  readonly #data: ThreadData;
  readonly #turns = new ReadLimiter({ max: THREADS, maxPerWorkspace: MAX_PER_WORKSPACE });
  readonly #threads = new Set<ReadThread>();
  readonly #idle: ReadThread[] = [];
  readonly #inFlight = new Set<Promise<unknown>>();

  constructor(data: ThreadData) {
    this.#data = data;
  }

  /** Throws `ReadTimeoutError`, and `DatabaseGoneError` when the thread or the disk fails. */
  run<Result>(workspace: WorkspaceId | null, work: (trx: Transaction) => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const turn = this.#turns.run(workspace, async (over) => {
      const thread = this.#idle.pop() ?? this.#start();
      over.addEventListener('abort', () => thread.end(over.reason));
      await thread.transaction(work).then(resolve, reject);
      // A thread that was ended may still be in a statement, and keeps its place until it is gone; who asked has heard already.
      if (thread.hasFailed) await thread.ended;
      else this.#idle.push(thread);
    });
    const settled = turn.catch(reject).finally(() => this.#inFlight.delete(settled));
    this.#inFlight.add(settled);
    return promise;
  }

  counts(): Omit<PoolStats, 'name'> {
    const idle = this.#idle.length;
    const used = this.#threads.size - idle;
    return { max: THREADS, used, idle, waiting: this.#inFlight.size - used };
  }

  /** Waits for what is under way. */
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

type PendingStatement = { resolve: (answer: ThreadResponse) => void; reject: (failure: unknown) => void };

/** One thread, in which one transaction runs at a time. */
class ReadThread {
  readonly #worker: Worker;
  /** Answers come in the order of the statements. */
  readonly #waiting: PendingStatement[] = [];
  readonly #kysely = createKyselyWith((query) => this.#execute(query));
  #failure: unknown = null;
  /** Resolves when nothing of it runs any more. */
  readonly ended: Promise<void>;

  constructor(workerData: ThreadData) {
    this.#worker = new Worker(new URL('readThread.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
    });
    this.#worker.on('message', (answer: ThreadResponse) => this.#waiting.shift()?.resolve(answer));
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
    return this.#failure !== null;
  }

  async transaction<Result>(work: (trx: Transaction) => Promise<Result>): Promise<Result> {
    try {
      return await work(this.#kysely);
    } finally {
      this.#post(null);
    }
  }

  /** What waits for it fails with `failure`. A statement under way ends as soon as it asks whether it is still wanted. */
  end(failure: unknown): void {
    if (this.#failure !== null) return;
    this.#failure = failure;
    for (const { reject } of this.#waiting.splice(0)) reject(failure);
    void this.#worker.terminate();
  }

  #post(asked: ThreadRequest): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    this.#worker.postMessage(asked);
  }

  async #execute<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#failure !== null) throw this.#failure;
    const { promise, resolve, reject } = Promise.withResolvers<ThreadResponse>();
    this.#waiting.push({ resolve, reject });
    this.#post({ sql, parameters });
    const { columns, rows, error } = await promise;
    if (error !== undefined) throw toDatabaseError(Object.assign(new Error(error.message), error));
    const shape = { columns, emptyRow: createEmptyRow(columns) };
    return { rows: rows.map((cells) => rowOf(shape, cells) as Row) };
  }
}
