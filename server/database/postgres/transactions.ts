import type { CompiledQuery, QueryResult } from 'kysely';
import type { QueryResult as PostgresResult } from 'pg';
import type { Transaction } from '../database.ts';
import { CommitUncertainError, DatabaseFullError, DatabaseGoneError } from '../databaseErrors.ts';
import { createDirectKysely } from '../directKysely.ts';
import type { WorkspaceId } from '../tables.ts';
import { type Begin, COMMIT, DIALECT, type PooledConnection, type PooledKysely } from './postgresConnections.ts';
import { type ConnectionPurpose, IS_STANDBY } from './postgresErrors.ts';
import type { AheadStatement, NamedText } from './preparedStatements.ts';
import type { RowScope } from './rowSecurity.ts';

// A transaction begins with statements that are sent in one message with its first own statement, which the server skips if one of
// them fails. So it costs two round trips less than statements do.

/** Statements that are prepared are planned for their values each time, like others. */
const PLAN_EACH = { plan_cache_mode: 'force_custom_plan' };

/**
 * A read sees one state of the data, without bitmap scans. While the server has no statistics of a table, as after an import, it
 * takes the table for small. It would then collect and sort all rows of a list, instead of reading a page in the order of an index.
 * Nor does it compile a statement (jit), which takes hundreds of milliseconds, and which it does where its estimate is high: for the
 * activity of a contact with a million events that was nearly all of its time.
 */
const READ = { name: 'read', text: 'begin isolation level repeatable read read only' };
const SET_READ = defineSettings('set_read', ['sendroom.workspace', 'statement_timeout'], {
  ...PLAN_EACH,
  enable_bitmapscan: 'off',
  jit: 'off',
});

/** Begins a read. Its statements may take `limitMs` milliseconds each; 0 is no limit. */
export function beginRead(scope: RowScope, limitMs: number): AheadStatement[] {
  return [
    { ...READ, values: [] },
    { ...SET_READ, values: [String(scope), String(limitMs)] },
  ];
}

const WRITE = { name: 'write', text: 'begin isolation level read committed' };
const WRITE_SETTINGS = ['sendroom.workspace', 'lock_timeout', 'statement_timeout'];
const SET_WRITE = defineSettings('set_write', WRITE_SETTINGS, PLAN_EACH);
/** Each statement is planned once for a session: see `PLAN_ONCE` in pipelinedConnections.ts. */
const SET_WRITE_BY_KEYS = defineSettings('set_write_by_keys', WRITE_SETTINGS, {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
});
/** Takes the lock of a workspace. As the next one it then sets how long later statements wait for other locks. */
const LOCK_WORKSPACE = {
  name: 'lock_workspace',
  text: `update workspaces set mark = $1 where id = $2 returning set_config('lock_timeout', $3, true)`,
};
/** An advisory lock, a different one for each schema of the database. */
const LOCK_UNSCOPED = {
  name: 'lock_unscoped',
  text: `select set_config('lock_timeout', $1, true) from pg_advisory_xact_lock(7362663, hashtext(current_schema()))`,
};

/**
 * Milliseconds that one attempt of a write waits for the lock of another process. Meanwhile it occupies a connection; after
 * that other writes may have the connection (writeQueue.ts).
 */
const ATTEMPT_MS = 250;

/** The workspace that a write locks, and the mark that it leaves in its row; null for a write that belongs to none. */
type Lock = { id: WorkspaceId; mark: number } | null;

/** How the statements of a write are planned, and how long they may take. */
type WriteOptions = {
  /** Whether they find a few rows by their keys. */
  byKeys: boolean;
  /** Whether they may take as long as they need; otherwise as long as the server allows. */
  isUnlimited: boolean;
};

/**
 * Begins a write, which takes `lock`, and whose later statements wait at most `waitMs` milliseconds for other locks. Writes of one
 * workspace run one after the other in all processes, so what a write has read still holds when it writes. If it fails, no row has its
 * mark, and reads go to the primary.
 */
export function beginWrite(lock: Lock, waitMs: number, { byKeys, isUnlimited }: WriteOptions): AheadStatement[] {
  const attemptMs = String(Math.min(ATTEMPT_MS, waitMs));
  return [
    { ...WRITE, values: [] },
    {
      ...(byKeys ? SET_WRITE_BY_KEYS : SET_WRITE),
      values: [String(lock?.id ?? '*'), attemptMs, isUnlimited ? '0' : null],
    },
    lock === null
      ? { ...LOCK_UNSCOPED, values: [String(waitMs)] }
      : { ...LOCK_WORKSPACE, values: [String(lock.mark), String(lock.id), String(waitMs)] },
  ];
}

/**
 * Begins a step of the schema. It waits without a limit for another process that migrates, but only `waitMs` milliseconds for a
 * table in use: all readers of that table would queue behind it. Its statements take as long as they need.
 */
export function beginMigration(waitMs: number): AheadStatement[] {
  return [
    { ...WRITE, values: [] },
    { ...SET_WRITE, values: ['*', '0', '0'] },
    { ...LOCK_UNSCOPED, values: [String(waitMs)] },
  ];
}

/** A statement that makes settings of a transaction, those in `names` by its values; null is what the session had first. It gives no row. */
function defineSettings(name: string, names: readonly string[], fixed: Record<string, string> = {}): NamedText {
  const settings = [
    ...names.map((setting, index) => [setting, `$${index + 1}`]),
    ...Object.entries(fixed).map(([setting, value]) => [setting, `'${value}'`]),
  ];
  const calls = settings.map(([setting, value]) => `set_config('${setting}', ${value}, true)`);
  return { name, text: `select where concat(${calls.join(', ')}) is null` };
}

/**
 * Runs `work` between `begin` and a commit; an error rolls it back. `onBegun` is called when the first statement of `work` has begun.
 * Throws `CommitUncertainError` where the connection breaks during the commit of a write.
 */
export async function inTransaction<Result>(
  pool: PooledKysely,
  purpose: ConnectionPurpose,
  statements: readonly AheadStatement[],
  work: (trx: Transaction) => Promise<Result>,
  onBegun?: () => void,
): Promise<Result> {
  const connection = await pool.connect();
  let begin: Begin | undefined = { statements, onDone: onBegun };
  let isOver = false;
  const execute = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
    // Whoever goes on reading has lost the connection to somebody else.
    if (isOver) throw new Error('This transaction is over.');
    const ahead = begin;
    begin = undefined;
    return toResult<Row>(await connection.query(sql, parameters, ahead));
  };
  // Without a statement it has not begun.
  const hasBegun = () => begin === undefined;
  try {
    const result = await work(createDirectKysely(DIALECT, execute));
    isOver = true;
    if (hasBegun()) await commit(connection, purpose);
    return result;
  } catch (error) {
    isOver = true;
    const isGone = error instanceof DatabaseGoneError || error instanceof CommitUncertainError;
    if (hasBegun() && !isGone) await connection.query('rollback', []);
    throw error;
  } finally {
    connection.release();
  }
}

/**
 * Runs `work`, which is one statement with values, as a write that ends with the message in which it is sent: of `statements` the one
 * that begins a transaction is left out. Throws `CommitUncertainError` whenever the connection breaks. A second statement is refused: it
 * would be a second transaction.
 */
export async function inOneMessage<Result>(
  pool: PooledKysely,
  [, ...statements]: readonly AheadStatement[],
  work: (trx: Transaction) => Promise<Result>,
  onBegun?: () => void,
): Promise<Result> {
  const connection = await pool.connect();
  let isOver = false;
  const execute = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
    if (isOver) throw new Error('This write was committed with its only statement.');
    isOver = true;
    const sent = connection.queryAndCommit(sql, parameters, { statements, onDone: onBegun });
    const result = await sent.catch((error: unknown) => {
      const isUncertain = error instanceof DatabaseGoneError && error.message !== IS_STANDBY;
      throw isUncertain ? new CommitUncertainError(error) : error;
    });
    return toResult<Row>(result);
  };
  try {
    return await work(createDirectKysely(DIALECT, execute));
  } finally {
    connection.release();
  }
}

function toResult<Row>(result: object | undefined): QueryResult<Row> {
  const { command, rowCount, rows } = result as PostgresResult<never>;
  return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
}

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

async function commit(connection: PooledConnection, purpose: ConnectionPurpose): Promise<void> {
  const result = await connection.query(COMMIT, []).catch((error: unknown) => {
    throw purpose === 'writes' && (error instanceof DatabaseGoneError || error instanceof DatabaseFullError)
      ? new CommitUncertainError(error)
      : error;
  });
  if ((result as { command: string }).command !== 'COMMIT')
    throw new Error('A statement failed in this transaction, so nothing of it was kept.');
}
