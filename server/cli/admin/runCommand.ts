import type { Database, OpenOptions } from '../../database/database.ts';
import type { Terminal } from '../terminal/terminal.ts';

export type CommandResult = {
  value: unknown;
  /** The text printed otherwise; empty when the result is already on standard output. */
  text: string;
  /** True when not everything could be done. */
  isPartial?: boolean;
  /** Said where nobody got the result, which cannot be shown again; not everything was done then. */
  ifLost?: string;
};

export type RunWithDatabase = (
  work: (database: Database, terminal: Terminal) => Promise<CommandResult>,
  options?: OpenOptions,
) => Promise<void>;

/** Like `RunWithDatabase`, without opening the database, for work that needs it exclusively. */
export type RunWithDatabaseUrl = (
  work: (databaseUrl: string, terminal: Terminal) => Promise<CommandResult>,
) => Promise<void>;
