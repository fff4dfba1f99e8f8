import type { Kysely } from 'kysely';
import type { LeaseRateLimit } from './rateLimitLeases.ts';
import type { FileSpace } from './sqlite/fileSpace.ts';
import type { Migration } from './migrations/migration.ts';
import type { Scope } from './scope.ts';
import type { Tables } from './tables.ts';
import type { Workspace } from './workspace.ts';

/** Queries inside `read` or `write`: all of them see one state of the data. */
export type Transaction = Kysely<Tables>;

/** Of connections to the server, or to the file. `waiting` is who waits for one. */
export type PoolStats = {
  name: 'lookups' | 'reads' | 'writes' | 'standby';
  max: number;
  used: number;
  idle: number;
  waiting: number;
};

type Scoped = <Result>(workspace: Workspace, work: (scope: Scope) => Promise<Result>) => Promise<Result>;
type Unscoped = <Result>(work: (trx: Transaction) => Promise<Result>) => Promise<Result>;

/** The one way to the data; which engine is behind it only this folder knows. */
export type Database = {
  /**
   * Runs several reads on one state of the data, in which all that was written before `workspace` was read is found.
   * Inside `work` use `scope` only, because another read would wait for this one, and only read: it may run again.
   */
  readonly read: Scoped;
  /**
   * The same for what may take long. Where requests are served no other waits for it, and it is given up after some seconds
   * (`ReadTimeoutError`).
   */
  readonly readLong: Scoped;
  /** Runs a single statement that finds few rows by their keys; it has one state of the data without a transaction. */
  readonly readOne: Scoped;
  /**
   * Runs `work` in one transaction, after all other writes of `workspace` that began before it, in any process. When the
   * promise resolves, what was written is on the disk; when it rejects, nothing was, unless it is a `CommitUncertainError`.
   * Throws `DatabaseBusyError` when it had to wait for ten seconds, `DatabaseFullError`, and `DatabaseGoneError`.
   */
  readonly write: Scoped;
  /** The rows of all workspaces, and those of none: for sessions, tokens, workspaces themselves and the admin command. */
  readonly unscoped: {
    /** For single statements that find few rows by their keys; a write through it is refused by the engine. */
    readonly kysely: Kysely<Tables>;
    readonly read: Unscoped;
    readonly readLong: Unscoped;
    readonly write: Unscoped;
  };
  /** Gives a part of a limit that all processes on this data have in common; null where there can be only one service. */
  readonly leaseRateLimit: LeaseRateLimit | null;
  /** Another one after every commit, of whatever process; null where to ask for it would take as long as to read. */
  version(): number | null;
  /** Rejects when the data cannot be read, or nothing can be written. */
  ready(): Promise<void>;
  /** What its connections do now. */
  pools(): PoolStats[];
  /** How much room its file takes and has; null where the data is not a file. */
  space(): Promise<FileSpace | null>;
  /** What is wrong with the file itself, in one sentence each; nothing where the data is not a file. */
  findFileErrors(): Promise<string[]>;
  /** Writes a complete copy to `file`, which must not exist, while reads and writes go on; only where the data is a file. */
  backup(file: string): Promise<void>;
  /** Waits for what is under way and closes. */
  close(): Promise<void>;
};

/** A hot standby of PostgreSQL that reads may go to. */
export type StandbyOptions = {
  url: string;
  /** Told in a sentence when the standby no longer answers reads, and when it does again; not before the first read. */
  onChange: (sentence: string) => void;
};

export type OpenOptions = {
  /**
   * Whether it serves requests: a long read is given up after some seconds then, and keeps no other waiting. It is the one
   * service of a file, and a second one is refused; other processes may still open it (`npm run admin`).
   */
  isService?: boolean;
  /** On PostgreSQL: where reads may go as well. */
  standby?: StandbyOptions;
  /** The schema to bring it to, where a test wants another than the newest. */
  steps?: readonly Migration[];
};
