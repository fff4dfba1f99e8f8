import { type Kysely, sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { StandbyOptions, Transaction } from '../database.ts';
import {
  CommitUncertainError,
  DatabaseBusyError,
  DatabaseGoneError,
  DatabaseUnavailableError,
} from '../databaseErrors.ts';
import { beginRead, type PooledKysely, createPool, inTransaction, requirePostgresUrl } from './postgresConnections.ts';
import { toUnavailableError } from './postgresErrors.ts';
import type { Tables, WorkspaceId } from '../tables.ts';

/** A workspace, and the mark of the last write of it that the request knows of (writeMark.ts). */
type Expected = { id: WorkspaceId; mark: number };

/** A hot standby that answers a read exactly when it has all that the request may expect to find. */
export type Standby = {
  /** What `work` reads of `workspace`; null where the primary has to answer. `work` may have run in part then. */
  read: <Result>(
    workspace: Expected,
    work: (trx: Transaction) => Promise<Result>,
  ) => Promise<{ result: Result } | null>;
  counts: PooledKysely['counts'];
  close: () => Promise<void>;
};

const CONNECTIONS_MAX = 10;
/**
 * Milliseconds. The primary can answer too, so nobody waits long for a standby that may be gone; but longer than a read may
 * take (readLimiter.ts), which the primary would not do sooner.
 */
const LIMITS = { connectMs: 1_000, queryMs: 6_000 };
/** Milliseconds until one read tries again a standby that could not answer. */
const PAUSE = 5_000;
/** Milliseconds for which a standby may lack what reads ask for before that is more than its usual delay. */
const LAG_LIMIT_MS = 60_000;

const PRIMARY_ANSWERS = 'The primary answers all reads.';
const GONE = `The standby does not answer. ${PRIMARY_ANSWERS}`;
const OTHER = `DATABASE_READ_URL leads to no standby of the database. ${PRIMARY_ANSWERS}`;
const OLD_SCHEMA = `The standby has not got the tables of this version yet. ${PRIMARY_ANSWERS}`;
const BEHIND = 'For a minute the standby has lacked what reads asked for. The primary answers those.';
const BROKE_OFF = 'The standby broke off a read. The primary answered it.';
const ANSWERS = 'The standby answers reads again.';

const UNDEFINED = new Set(['42P01', '42703', '3F000']);

/** What the standby is asked in the transaction of a read itself, so that it holds for what the read finds. */
type StandbyState = { is_standby: boolean; has_schema: boolean; mark: number | null };

/**
 * `primary` is what it stands by for, `schema` the version of the tables that reads rely on, and `limit` is how long their
 * statements may take. Throws `DatabaseUnavailable` when it is something else; one that is away may come.
 */
export async function openStandby(
  { url, onChange }: StandbyOptions,
  primary: Kysely<Tables>,
  schema: number,
  limit: number | null,
): Promise<Standby> {
  const address = requirePostgresUrl('DATABASE_READ_URL', url);
  const connections = createPool(address, 'reads', CONNECTIONS_MAX, LIMITS);
  const original = await readServerIdentity(primary);
  /** Why it answers nothing; null while it does. */
  let currentError: string | null = null;
  let isProven = false;
  let pausedUntil = 0;
  let lackingSince: number | null = null;

  async function prove(): Promise<void> {
    const { database, system, is_standby } = await readServerIdentity(connections);
    isProven = is_standby && database === original.database && system === original.system;
  }

  const state = (workspace: Expected) => `
    select pg_is_in_recovery() as is_standby,
      exists (select from schema_versions where version = ${schema}) as has_schema,
      (select mark from workspaces where id = ${Number(workspace.id)}) as mark`;

  async function attempt<Result>(
    workspace: Expected,
    work: (trx: Transaction) => Promise<Result>,
  ): Promise<{ result: Result } | { trouble: string | null }> {
    if (!isProven) await prove();
    if (!isProven) return { trouble: OTHER };
    return inTransaction(connections, `${beginRead(limit)}; ${state(workspace)}`, async (trx, [found]) => {
      const { is_standby, has_schema, mark } = found as StandbyState;
      if (!is_standby) return { trouble: OTHER };
      if (!has_schema) return { trouble: OLD_SCHEMA };
      if (mark === workspace.mark) return { result: await work(trx) };
      // It may have less than the request saw, or more; mostly only for some milliseconds.
      lackingSince ??= performance.now();
      return { trouble: performance.now() - lackingSince > LAG_LIMIT_MS ? BEHIND : null };
    });
  }

  function enter(next: string | null): void {
    const isUseless = next === GONE || next === OTHER || next === OLD_SCHEMA;
    pausedUntil = isUseless ? performance.now() + PAUSE : 0;
    // The address may lead to another server by then.
    if (isUseless) isProven = false;
    if (isUseless) lackingSince = null;
    if (next === currentError) return;
    currentError = next;
    onChange(next ?? ANSWERS);
  }

  try {
    await prove();
    if (!isProven) {
      throw new DatabaseUnavailableError(
        'DATABASE_READ_URL must lead to a hot standby of the server in DATABASE_URL, and to the same database there.',
      );
    }
  } catch (error) {
    if (!(error instanceof DatabaseGoneError)) {
      await connections.destroy();
      throw toUnavailableError(address, error);
    }
  }

  return {
    async read(workspace, work) {
      if (performance.now() < pausedUntil) return null;
      // While one read tries, the others do not wait for it.
      if (pausedUntil > 0) pausedUntil = performance.now() + PAUSE;
      try {
        const answer = await attempt(workspace, work);
        if ('trouble' in answer) {
          enter(answer.trouble);
          return null;
        }
        lackingSince = null;
        enter(null);
        return answer;
      } catch (error) {
        const next = describeStandbyError(error);
        if (next === null) throw error;
        enter(next);
        return null;
      }
    },
    counts: connections.counts,
    close: () => connections.destroy(),
  };
}

/** Null for a failure that has nothing to do with the standby. */
function describeStandbyError(error: unknown): string | null {
  if (error instanceof DatabaseGoneError || error instanceof CommitUncertainError) return GONE;
  if (error instanceof DatabaseError && UNDEFINED.has(error.code ?? '')) return OLD_SCHEMA;
  return error instanceof DatabaseBusyError || error instanceof DatabaseError ? BROKE_OFF : null;
}

type ServerIdentity = { database: number; system: string; is_standby: boolean };

/** A standby has the numbers of its primary. */
async function readServerIdentity(kysely: Kysely<Tables>): Promise<ServerIdentity> {
  const { rows } = await sql<ServerIdentity>`
    select pg_database.oid as database, system_identifier::text as system, pg_is_in_recovery() as is_standby
    from pg_database, pg_control_system() where datname = current_database()`.execute(kysely);
  return rows[0] as ServerIdentity;
}
