import type { Kysely } from 'kysely';
import type { LeaseRateLimit } from './rateLimitLeases.ts';
import type { FileSpace } from './sqlite/fileSpace.ts';
import type { MigratedStep } from './schema/schema.ts';
import type { Scope } from './scope.ts';
import type { Tables } from './schema/tables.ts';
import type { Workspace } from './workspace.ts';

/** Milliseconds that a long read of a service may take from when it begins. */
export const READ_LIMIT_MS = 5_000;

/** Runs queries inside `read` or `write`. All of them see one state of the data. */
export type Transaction = Kysely<Tables>;

/** Connections to the server, or to the file. `waiting` counts transactions and statements that wait for one. */
export type PoolStats = {
  name: 'lookups' | 'reads' | 'writes' | 'standby';
  max: number;
  used: number;
  idle: number;
  waiting: number;
};

export type ReadOptions = {
  /**
   * Whether it may take long. In a service other reads do not wait for it, and it throws `ReadTimeoutError` after some seconds.
   */
  isLong?: boolean;
  /** Whether it is one statement that finds few rows by their keys: on PostgreSQL one round trip, planned once. */
  isSingle?: boolean;
};

export type WriteOptions = {
  /**
   * Whether it may write many rows. On PostgreSQL it then begins before `work`, which runs only once, and its statements are planned for
   * their values. Any other write begins with its first statement, and what `work` does before that may be done again.
   */
  isBulk?: boolean;
  /**
   * Whether it is one statement with values; where a query may have no parts that write (`writesInQueries`), several. On PostgreSQL it is
   * one round trip.
   */
  isSingle?: boolean;
};

type Scoped<Options> = <Result>(
  workspace: Workspace,
  work: (scope: Scope) => Promise<Result>,
  options?: Options,
) => Promise<Result>;
type Unscoped<Options> = <Result>(work: (trx: Transaction) => Promise<Result>, options?: Options) => Promise<Result>;

/** All access to the data. Only this folder knows the engine. */
export type Database = {
  /**
   * Runs several reads on one state of the data, which has all that was written before `workspace` was read. `work` must use
   * `scope` only, because another read would wait for this one. It must only read, because it may run again.
   */
  readonly read: Scoped<ReadOptions>;
  /**
   * Runs `work` in one transaction, after all other writes of `workspace` that began before it, in any process. When the
   * promise resolves, what was written is on the disk. When it rejects, nothing was written, unless the error is a
   * `CommitUncertainError`. Throws `DatabaseBusyError` after waiting for ten seconds, `DatabaseFullError`, and
   * `DatabaseGoneError`.
   */
  readonly write: Scoped<WriteOptions>;
  /**
   * The rows of all workspaces, and those that belong to none: for sessions, tokens, workspaces themselves and the
   * admin command.
   */
  readonly unscoped: {
    /** For single statements that find few rows by their keys. The engine rejects a write through it. */
    readonly kysely: Kysely<Tables>;
    readonly read: Unscoped<Pick<ReadOptions, 'isLong'>>;
    readonly write: Unscoped<never>;
  };
  /** Leases a part of a limit that all processes on this data share; null where there can be only one service. */
  readonly leaseRateLimit: LeaseRateLimit | null;
  /** One sentence for each thing that an operator should change; a service logs them at its start. */
  readonly warnings: readonly string[];
  /** Rejects when the data cannot be read, or nothing can be written. */
  ready(): Promise<void>;
  /** The connections of each pool now. */
  pools(): PoolStats[];
  /**
   * Milliseconds that the standby is behind the primary; where it doesn't answer, since it last did or the service began. Null without a
   * standby.
   */
  standbyLag(): Promise<number | null>;
  /** Sizes of the file and its disk; null where the data is not a file. */
  space(): Promise<FileSpace | null>;
  /** One sentence for each error in the file itself; empty where the data is not a file. */
  findFileErrors(): Promise<string[]>;
  /**
   * Writes a complete copy, without anything that was deleted, to `file`, which must not exist, while other processes read and write. After
   * an error the file may be there, with its journal. Rejects where the data is not a file.
   */
  backup(file: string): Promise<void>;
  /**
   * Renews what the engine knows of the values in its tables, after many rows were written: without it PostgreSQL may choose slow plans.
   * Nothing on SQLite, whose plans need none. Gives a sentence where that failed, else null.
   */
  analyze(): Promise<string | null>;
  /**
   * Rewrites all of it, so that nothing that was deleted is left in its files. Writes wait meanwhile. Throws `DatabaseBusyError` where
   * somebody else uses it.
   */
  compact(): Promise<void>;
  /** Waits for what is in flight and closes. */
  close(): Promise<void>;
};

/** A hot standby of PostgreSQL that reads may go to. */
export type StandbyOptions = {
  url: string;
  /**
   * Called with a sentence when the standby no longer answers reads, and when it does again. Never called before the
   * first read.
   */
  onChange: (sentence: string) => void;
};

export type OpenOptions = {
  /**
   * Whether it serves requests. Long reads then end after some seconds, and do not block others. A file has one service: a
   * second one is rejected, but other processes may open the file (`npm run admin`).
   */
  isService?: boolean;
  /** Only on PostgreSQL. */
  standby?: StandbyOptions;
  /**
   * Whether an older schema is brought up to date, which cannot be undone; else it is refused. An empty database gets its schema in any
   * case. A service does it too.
   */
  migrates?: boolean;
  /** Called after each step of the schema, where there was an older one. */
  onMigrated?: (step: MigratedStep) => void;
};
