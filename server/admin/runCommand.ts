import type { Database, OpenOptions } from '../database/database.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** What a command came to. */
export type CommandResult = {
  /** What `--json` prints, as one line. */
  value: unknown;
  /** What a person reads; empty when the result itself is on standard output already. */
  text: string;
  /** True when not everything could be done. */
  isPartial?: boolean;
};

/** Opens the database, does `work`, prints its outcome, and sees to the exit code. */
export type RunWithDatabase = (
  work: (database: Database, terminal: Terminal) => Promise<CommandResult>,
  options?: OpenOptions,
) => Promise<void>;

/** The same with the database closed, for work that must have it to itself. */
export type RunWithDatabaseUrl = (
  work: (databaseUrl: string, terminal: Terminal) => Promise<CommandResult>,
) => Promise<void>;
