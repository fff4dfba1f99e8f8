import type { CompiledQuery, Dialect, Kysely, QueryResult } from 'kysely';
import type { QueryResult as Result } from 'pg';
import type { Transaction } from '../database.ts';
import { CommitUncertainError, DatabaseGoneError } from '../databaseErrors.ts';
import { createDirectKysely, type Execute } from '../directKysely.ts';
import type { Tables, WorkspaceId } from '../schema/tables.ts';
import { USE_TWO_PHASES } from './distribute.ts';
import { type Begin, type Connection, type ConnectionPool } from './postgresConnections.ts';
import { mayBeKept } from './postgresErrors.ts';
import { int, type RowScope, type SessionSettings } from './settings.ts';

// What begins a transaction is one text, sent ahead of its first statement. If it fails, the server refuses that statement too.

/**
 * For statements that find a few rows by their keys: planning takes several times as long as running them. That is the right plan
 * however many rows there are, so it must not be another one because the tables were small when it was made.
 */
export const PLAN_ONCE: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
};
const PLAN_EACH = { plan_cache_mode: 'force_custom_plan', enable_seqscan: 'on', enable_bitmapscan: 'on' };

/**
 * For reads, without bitmap scans. While the server has no statistics of a table, as after an import, it
 * takes the table for small. It would then collect and sort all rows of a list, instead of reading a page in the order of an index.
 * Nor does it compile a statement (jit), which takes hundreds of milliseconds, and which it does where its estimate is high: for the
 * activity of a contact with a million events that was nearly all of its time.
 */
export const PLAN_READS: SessionSettings = {
  plan_cache_mode: 'force_custom_plan',
  enable_bitmapscan: 'off',
  jit: 'off',
};

/** Begins a single statement that reads. */
export function beginLookup(scope: RowScope): Begin {
  return { isolation: 'read committed read only', scope };
}

/** Begins a read, which sees one state of the data. */
export function beginRead(scope: RowScope): Begin {
  return { isolation: 'repeatable read read only', scope };
}

/** Begins a single statement that may write. */
export const BEGIN: Begin = { isolation: 'read committed', scope: '*' };

/**
 * Milliseconds that one attempt of a write waits for the lock of another process. Meanwhile it occupies a connection; after
 * that other writes may have the connection (../writeQueue.ts).
 */
const ATTEMPT_MS = 250;

/** The workspace that a write locks, and the mark that it leaves in its head; null for a write that belongs to none. */
type Lock = { id: WorkspaceId; mark: number } | null;

/**
 * Begins a write, which takes `lock`. Writes of one workspace run one after the other in all processes, so what a write has read still
 * holds when it writes. Later statements wait at most `waitMs` milliseconds for other locks. If it fails, no row has its mark, and reads
 * go to the primary.
 */
export function beginWrite(lock: Lock, waitMs: number, isBulk: boolean): Begin {
  const settings = { lock_timeout: int(Math.min(ATTEMPT_MS, waitMs)), ...(isBulk && PLAN_EACH) };
  const taking =
    lock === null
      ? LOCK_UNSCOPED
      : `update workspace_heads set mark = ${int(lock.mark)} where workspace_id = ${int(lock.id)}`;
  // A statement of its own, because only one that begins after the lock sees what the last writer has committed.
  const refusing = lock === null ? [] : [`select refuse_read_only(${int(lock.id)})`];
  return locking(lock?.id ?? '*', settings, [taking, ...refusing], waitMs);
}

/** An advisory lock, a different one for each schema of the database. */
const LOCK_UNSCOPED = 'select pg_advisory_xact_lock(7362663, hashtext(current_schema()))';

/**
 * Begins a step of the schema. It waits without a limit for another process that migrates, but only `waitMs` milliseconds for a
 * table in use: all readers of that table would queue behind it. Its statements take as long as they need.
 */
export function beginMigration(waitMs: number): Begin {
  return locking('*', { lock_timeout: 0, statement_timeout: 0, ...PLAN_EACH }, [LOCK_UNSCOPED], waitMs);
}

const locking = (scope: RowScope, settings: SessionSettings, locks: readonly string[], waitMs: number): Begin => ({
  isolation: 'read committed',
  scope,
  settings,
  locks: [...locks, `set local lock_timeout = ${int(waitMs)}`],
});

type TransactionOptions = {
  begin: Begin;
  /** Whether it begins before `work`, rather than with its first statement. */
  beginsFirst?: boolean;
  /** Called when it has begun. */
  onBegun?: () => void;
};

/**
 * Runs `work` in a transaction; an error rolls it back. Throws `CommitUncertainError` where the connection breaks during the commit of a
 * write.
 */
export async function inTransaction<Value>(
  pool: ConnectionPool,
  { begin, beginsFirst, onBegun }: TransactionOptions,
  work: (trx: Transaction) => Promise<Value>,
): Promise<Value> {
  return pool.use(async (connection) => {
    let begun: Promise<void> | undefined;
    let isOver = false;
    const sendBegin = () => (begun = connection.begin(begin).then(() => onBegun?.()));
    const run = (query: CompiledQuery) => {
      // The connection may be another transaction's by now.
      if (isOver) throw new Error('This transaction is over.');
      if (begun !== undefined) return runPart(connection, query);
      return valueOfLast([sendBegin(), runPart(connection, query)]);
    };
    try {
      if (beginsFirst) await sendBegin();
      const result = await work(createTransactionKysely(pool.dialect, run));
      isOver = true;
      if (begun !== undefined) await confirm(connection, connection.runText(COMMIT));
      return result;
    } catch (error) {
      isOver = true;
      if (begun !== undefined) await connection.rollBack();
      throw error;
    }
  });
}

/**
 * Runs `works` in one transaction, each behind a savepoint, so that one that throws leaves nothing behind. Gives their outcomes when it's
 * committed.
 */
export async function inGroup(
  pool: ConnectionPool,
  { begin, onBegun }: TransactionOptions,
  works: readonly ((trx: Transaction) => Promise<unknown>)[],
): Promise<PromiseSettledResult<unknown>[]> {
  return pool.use(async (connection) => {
    const outcomes: PromiseSettledResult<unknown>[] = [];
    try {
      await connection.begin(begin);
      onBegun?.();
      for (const work of works) {
        // Sent with the first statement of `work`, which fails too if this does.
        const saved = connection.runText(outcomes.length === 0 ? SAVE : `release ${SAVE}; ${SAVE}`);
        saved.catch(() => {});
        outcomes.push(await trySaved(pool.dialect, connection, saved, work));
      }
      await confirm(connection, connection.runText(COMMIT));
      return outcomes;
    } catch (error) {
      await connection.rollBack();
      throw error;
    }
  });
}

/** Throws only if the database or a machine of it is gone, or without the savepoint. */
async function trySaved(
  dialect: Dialect,
  connection: Connection,
  saved: Promise<unknown>,
  work: (trx: Transaction) => Promise<unknown>,
): Promise<PromiseSettledResult<unknown>> {
  let isOver = false;
  const run = (query: CompiledQuery) => {
    if (isOver) throw new Error('This transaction is over.');
    return runPart(connection, query);
  };
  try {
    const value = await work(createTransactionKysely(dialect, run));
    await saved;
    return { status: 'fulfilled', value };
  } catch (error) {
    if (error instanceof DatabaseGoneError) throw error;
    await saved;
    await connection.runText(`rollback to ${SAVE}`);
    return { status: 'rejected', reason: error };
  } finally {
    isOver = true;
  }
}

/** Runs a statement of a transaction, which commits in two phases if this needs it. */
function runPart(connection: Connection, query: CompiledQuery): Promise<Result> {
  if (!connection.needsTwoPhases(query.sql)) return connection.run(query);
  return valueOfLast([connection.runText(USE_TWO_PHASES), connection.run(query)]);
}

/** Statements may be sent together. The server refuses those behind one that fails, so they fail with its error. */
function createTransactionKysely(dialect: Dialect, run: (query: CompiledQuery) => Promise<Result>): Transaction {
  let last: Promise<unknown> = Promise.resolve();
  const execute = (query: CompiledQuery) => {
    const before = last;
    const result = run(query).then(toResult, async (error: unknown) => {
      await before;
      throw error;
    });
    last = result;
    return result;
  };
  return createDirectKysely(dialect, execute as Execute);
}

/**
 * Runs a statement in a transaction of its own, in one round trip. Throws `CommitUncertainError` whenever the connection of a write
 * breaks.
 */
export async function runSingle<Row>(
  connection: Connection,
  begin: Begin,
  query: CompiledQuery,
  onBegun?: () => void,
): Promise<QueryResult<Row>> {
  const begun = connection.begin(begin).then(() => onBegun?.());
  const ran = connection.run(query);
  const committed = connection.runText(COMMIT);
  const [, , end] = await Promise.allSettled([begun, ran, committed]);
  if (end.status === 'rejected') await confirm(connection, committed);
  const result = await valueOfLast([begun, ran]);
  await confirm(connection, committed);
  return toResult(result);
}

/** Runs `work`, which is one statement, as a write. A second one is refused: it would be a second transaction. */
export async function inOneStatement<Value>(
  pool: ConnectionPool,
  { begin, onBegun }: TransactionOptions,
  work: (trx: Transaction) => Promise<Value>,
): Promise<Value> {
  let isOver = false;
  return work(
    createDirectKysely(pool.dialect, async (query) => {
      if (isOver) throw new Error('This write was committed with its only statement.');
      isOver = true;
      return pool.use((connection) => runSingle(connection, begin, query, onBegun));
    }),
  );
}

/** Kysely that runs each statement in its own transaction. */
export function createSingles(pool: ConnectionPool, begin: Begin): Kysely<Tables> {
  return createDirectKysely(pool.dialect, (query) => pool.use((connection) => runSingle(connection, begin, query)));
}

const COMMIT = 'commit';
const SAVE = 'savepoint one';

/** Waits for a commit. */
async function confirm(connection: Connection, committed: Promise<Result>): Promise<void> {
  const { command } = await committed.catch((error: unknown) => {
    throw connection.purpose === 'writes' && mayBeKept(error) ? new CommitUncertainError(error) : error;
  });
  if (connection.isUnconfirmed) throw new CommitUncertainError(null);
  if (command !== 'COMMIT') throw new Error('A statement failed in this transaction, so nothing of it was kept.');
}

/** Waits for both. The error of beginning a transaction says more than the next statement's. */
export async function valueOfLast<Value>([begun, ran]: readonly [Promise<unknown>, Promise<Value>]): Promise<Value> {
  await Promise.allSettled([begun, ran]);
  await begun;
  return ran;
}

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

export function toResult<Row>({ command, rowCount, rows }: Result): QueryResult<Row> {
  return CHANGES.has(command)
    ? { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
    : { rows: rows as Row[] };
}
