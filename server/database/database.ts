import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** The one way to the data; which engine is behind it only this folder knows. */
export type Database = {
  /** For reading by single statements; a write through it is refused by the engine. */
  readonly kysely: Kysely<Tables>;
  /** Runs several reads on one unchanging view of the data. Inside `work` use `trx` only: `kysely` would wait for ever. */
  read<Result>(work: (trx: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /** Runs `work` in one transaction, one after the other; what it wrote is durable when the promise resolves, or gone when it rejects. */
  write<Result>(work: (trx: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  /** Rejects when the data cannot be read. */
  ready(): Promise<void>;
  /** Writes a complete copy to `file`, which must not exist, while the service goes on. */
  backup(file: string): Promise<void>;
  close(): Promise<void>;
};

/** The database cannot be opened. The message is one sentence for the person who starts the service. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** Opens the database at `url` (`file:...`), makes it if there is none, and brings its schema up to date. Throws `DatabaseUnavailable`. */
export async function openDatabase(_url: string, _options: { exclusiveService?: boolean } = {}): Promise<Database> {
  throw new Error('not written yet');
}
