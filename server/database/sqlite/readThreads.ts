import type { CompiledQuery, QueryResult } from 'kysely';
import { Worker } from 'node:worker_threads';
import type { Pool, Transaction } from '../database.ts';
import { DatabaseGone } from '../failures.ts';
import { blankOf, type Cells, rowOf } from './preparedStatements.ts';
import { ReadTurns } from './readTurns.ts';
import { kyselyThrough } from './sqlite.ts';
import { failureOf } from './sqliteFailures.ts';
import type { WorkspaceId } from '../tables.ts';

// Why reads have threads of their own: docs/decisions/0020-read-threads.md.

export type ThreadData = { file: string; cache: number };
/** A statement; null ends the transaction. */
export type Asked = { sql: string; parameters: readonly unknown[] } | null;
/** `failure` is an error of SQLite. */
export type Answer = {
  columns: readonly string[];
  rows: readonly Cells[];
  failure?: { message: string; errcode: unknown };
};

/** Threads of one process. */
export const THREADS = 4;
const OF_ONE_WORKSPACE = 2;
/** What a thread may need besides its cache, many times what an answer takes: beyond it the thread ends, and not the process. */
const MEMORY_MIB = 128;

/** Reading transactions in other threads than the one that answers requests, a limited time each. */
export class ReadThreads {
  readonly #data: ThreadData;
  readonly #turns = new ReadTurns({ max: THREADS, ofOne: OF_ONE_WORKSPACE });
  readonly #threads = new Set<ReadThread>();
  readonly #idle: ReadThread[] = [];
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(data: ThreadData) {
    this.#data = data;
  }

  /** Throws `ReadTooLong`, and `DatabaseGone` when the thread or the disk fails. */
  run<Result>(workspace: WorkspaceId | null, work: (trx: Transaction) => Promise<Result>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const turn = this.#turns.taking(workspace, async (over) => {
      const thread = this.#idle.pop() ?? this.#start();
      over.addEventListener('abort', () => thread.end(over.reason));
      await thread.transaction(work).then(resolve, reject);
      // A thread that was ended may still be in a statement, and keeps its place until it is gone; who asked has heard already.
      if (thread.hasFailed) await thread.ended;
      else this.#idle.push(thread);
    });
    const settled = turn.catch(reject).finally(() => this.#underWay.delete(settled));
    this.#underWay.add(settled);
    return promise;
  }

  counts(): Omit<Pool, 'name'> {
    const idle = this.#idle.length;
    const used = this.#threads.size - idle;
    return { max: THREADS, used, idle, waiting: this.#underWay.size - used };
  }

  /** Waits for what is under way. */
  async close(): Promise<void> {
    await Promise.all(this.#underWay);
    const threads = [...this.#threads];
    for (const thread of threads) thread.end(new DatabaseGone(null));
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

type Waiting = { resolve: (answer: Answer) => void; reject: (failure: unknown) => void };

/** One thread, in which one transaction runs at a time. */
class ReadThread {
  readonly #worker: Worker;
  /** Answers come in the order of the statements. */
  readonly #waiting: Waiting[] = [];
  readonly #kysely = kyselyThrough((query) => this.#execute(query));
  #failure: unknown = null;
  /** Resolves when nothing of it runs any more. */
  readonly ended: Promise<void>;

  constructor(workerData: ThreadData) {
    this.#worker = new Worker(new URL('readThread.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
    });
    this.#worker.on('message', (answer: Answer) => this.#waiting.shift()?.resolve(answer));
    this.#worker.on('error', (error) => this.end(new DatabaseGone(error, 'A thread that reads the database failed.')));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#worker.on('exit', () => {
      this.end(new DatabaseGone(null, 'A thread that reads the database ended.'));
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

  #post(asked: Asked): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows
    this.#worker.postMessage(asked);
  }

  async #execute<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#failure !== null) throw this.#failure;
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ resolve, reject });
    this.#post({ sql, parameters });
    const { columns, rows, failure } = await promise;
    if (failure !== undefined) throw failureOf(Object.assign(new Error(failure.message), failure));
    const shape = { columns, blank: blankOf(columns) };
    return { rows: rows.map((cells) => rowOf(shape, cells) as Row) };
  }
}
