import { DatabaseError } from 'pg';
import {
  DatabaseBusyError,
  DatabaseFullError,
  DatabaseGoneError,
  DatabaseUnavailableError,
  LockTimeoutError,
  MachineGoneError,
  ReadTimeoutError,
} from '../databaseErrors.ts';

/** What a connection is for. The server rejects a write through one for reads. */
export type ConnectionPurpose = 'reads' | 'writes';

// By SQLSTATE: https://www.postgresql.org/docs/current/errcodes-appendix.html

const CANCELED = '57014';
/** The statement that was to prepare this one was cancelled, while others were sent behind it. */
const NOT_PREPARED = '26000';
/** The same, where two such errors crossed and the statement was sent to be prepared twice. */
const PREPARED_TWICE = '42P05';
/** Raised by a function of our own (schema/moves.ts). */
const READ_ONLY_WORKSPACE = 'SR001';
/** Sentences for errors after which a retry may succeed. */
const BUSY: Readonly<Record<string, string>> = {
  '40001': 'The database broke this off for the sake of something else.',
  '40P01': 'The database broke this off for the sake of something else.',
  [CANCELED]: 'The database took too long over this.',
  [NOT_PREPARED]: 'The database broke this off for the sake of something else.',
  [READ_ONLY_WORKSPACE]: 'This workspace accepts no changes here, because it moves to another database.',
  [PREPARED_TWICE]: 'The database broke this off for the sake of something else.',
};
const LOCK_NOT_AVAILABLE = '55P03';
const TOO_MANY_CONNECTIONS = '53300';
const DISK_FULL = '53100';
/** Class of errors of the operating system, after which the server restarts. */
const SYSTEM = '58';
const READ_ONLY = '25006';
export const IS_STANDBY = 'The database takes no writes: it is a standby.';
/** The server stops, has crashed or is starting, it ends the session by a limit of time, or the connection breaks. */
const GONE = /^(08...|57P0[1-5]|25P0[34])$/;

/** What the coordinator of a distributed database raises where another machine is away, or reports an error. */
const OF_CONNECTION = 'ReportConnectionError';
const OF_MACHINE = 'ReportResultError';
/** Also the error of a machine that broke off before it reported one. */
const INTERNAL = 'XX000';

/** The coordinator, whose sessions end when it is killed: an internal error by Citus, always in English. */
const IS_KILLED = 'postmaster was shut down, exiting';

/** The error of a read or write that got no connection in time. */
export const noConnectionFree = (cause: unknown) =>
  new DatabaseBusyError(cause, 'The database has no connection free.');

/** `error` of `pg` as one of databaseErrors.ts. A bug of ours, such as bad SQL, stays as it is. */
export function toDatabaseError(error: unknown, purpose: ConnectionPurpose): unknown {
  // Other errors come from a connection that could not be made, or broke.
  if (!(error instanceof DatabaseError)) return new DatabaseGoneError(error);
  const { code = '', routine } = error;
  if (routine === OF_CONNECTION || (routine === OF_MACHINE && (GONE.test(code) || code === INTERNAL))) {
    return new MachineGoneError(error, 'A machine of the database does not answer.');
  }
  if (GONE.test(code) || error.message === IS_KILLED) return new DatabaseGoneError(error);
  if (code === READ_ONLY && purpose === 'writes') return new DatabaseGoneError(error, IS_STANDBY);
  if (code.startsWith(SYSTEM)) return new DatabaseGoneError(error, 'The disk of the database fails.');
  if (code === DISK_FULL) return new DatabaseFullError(error);
  if (code === LOCK_NOT_AVAILABLE) return new LockTimeoutError(error);
  if (code === TOO_MANY_CONNECTIONS) return noConnectionFree(error);
  if (code === CANCELED && purpose === 'reads') return new ReadTimeoutError(error);
  const sentence = BUSY[code];
  return sentence === undefined ? error : new DatabaseBusyError(error, sentence);
}

/** Whether the connection can't be used any more after `error`, one of `toDatabaseError`. */
export const breaksConnection = (error: unknown) =>
  error instanceof DatabaseGoneError && !(error instanceof MachineGoneError);

/**
 * Whether a write may have been kept although its commit failed with `error`, one of `toDatabaseError`. A coordinator raises an internal
 * error where a machine goes away during the commit.
 */
export function mayBeKept(error: unknown): boolean {
  if (error instanceof DatabaseError) return error.code === INTERNAL;
  return error instanceof DatabaseGoneError || error instanceof DatabaseFullError;
}

/** Why the database at `url` cannot be opened, in one sentence. */
export function toUnavailableError(url: URL, error: unknown): DatabaseUnavailableError {
  if (error instanceof DatabaseUnavailableError) return error;
  const reason = reasonOf(error as Error).replace(/\.$/, '');
  return new DatabaseUnavailableError(`The database ${nameOf(url)} cannot be opened: ${reason}.`, { cause: error });
}

/** The message of the server or the network. A host with several addresses fails once for each; the first one counts. */
function reasonOf({ message, cause }: Error): string {
  const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [cause];
  return first instanceof Error && !(first instanceof DatabaseError) ? first.message : message;
}

/** The database and its host, without the password. The parameter `host` takes precedence over the host in the address. */
function nameOf(url: URL): string {
  return `${url.pathname.slice(1)} on ${url.searchParams.get('host') || url.host || 'this machine'}`;
}
