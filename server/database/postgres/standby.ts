import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { DatabaseError } from 'pg';
import { must } from '#contract/values/must.ts';
import type { StandbyOptions, Transaction } from '../database.ts';
import {
  CommitUncertainError,
  DatabaseBusyError,
  DatabaseGoneError,
  DatabaseUnavailableError,
} from '../databaseErrors.ts';
import { defineStatement } from '../statement.ts';
import { migrations } from '../schema/schema.ts';
import type { WorkspaceId } from '../schema/tables.ts';
import { ConnectionPool, type PoolCounts, requirePostgresUrl } from './postgresConnections.ts';
import { toUnavailableError } from './postgresErrors.ts';
import { beginLookup, beginRead, createSingles, inTransaction, PLAN_READS } from './transactions.ts';

/** A workspace, and what gives the mark of its last write, which the primary knows (writeMark.ts). */
type Expected = { id: WorkspaceId; readMark: () => Promise<number | undefined> };

const CONNECTIONS_MAX = 10;
/**
 * Milliseconds. Short, because the primary can answer as well. The limit of a query is longer than a read may take
 * (readLimiter.ts): the primary would not be faster.
 */
const LIMITS = { connectMs: 1_000, queryMs: 6_000 };
/** Milliseconds until one read tries a failed standby again. */
const RETRY_DELAY_MS = 5_000;
/** Milliseconds for which a standby may lag before that is reported. */
const LAG_LIMIT_MS = 60_000;
/** Milliseconds that the metrics wait for its answer. */
const LAG_ANSWER_MS = 500;

const PRIMARY_ANSWERS = 'The primary answers all reads.';
const GONE = `The standby does not answer. ${PRIMARY_ANSWERS}`;
const OTHER = `DATABASE_READ_URL leads to no standby of the database. ${PRIMARY_ANSWERS}`;
const OLD_SCHEMA = `The standby has not got the tables of this version yet. ${PRIMARY_ANSWERS}`;
const BEHIND = 'For a minute the standby has lacked what reads asked for. The primary answers those.';
const BROKE_OFF = 'The standby broke off a read. The primary answered it.';
const ANSWERS = 'The standby answers reads again.';

/** With these the standby is left alone for a while. */
const UNUSABLE: ReadonlySet<string | null> = new Set([GONE, OTHER, OLD_SCHEMA]);

/** SQLSTATEs of a table, column or schema that does not exist. */
const UNDEFINED = new Set(['42P01', '42703', '3F000']);

/** Read in the transaction of the read itself, so that it holds for what the read finds. */
type StandbyState = { is_standby: boolean; has_schema: boolean; mark: number | null };

const stateOf = defineStatement(
  (schemaVersion: number, id: WorkspaceId) => sql<StandbyState>`
    select pg_is_in_recovery() as is_standby,
      exists (select from schema_versions where version = ${schemaVersion}) as has_schema,
      (select mark from workspace_heads where workspace_id = ${id}) as mark`,
);

/** Null where it's no standby any more. Without writes on the primary the last one that arrived says nothing. */
const lagOf = defineStatement(
  (primaryEnd: string) => sql<{ lag: number | null }>`
    select case
      when not pg_is_in_recovery() then null
      when pg_last_wal_replay_lsn() >= cast(${primaryEnd} as pg_lsn) then 0
      else greatest(0, extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)
    end::float8 as lag`,
);

/** The result of a read on the standby; else why there's none, or null for a usual lag. */
type Attempt<Result> = { result: Result } | { error: string | null };

/**
 * Opens the hot standby of `primary`. `limitMs` is how long a statement of a read may take; 0 is no limit. Throws
 * `DatabaseUnavailableError` where the address leads to something else. A standby that does not answer is no error: it is tried again later.
 */
export async function openStandby(
  { url, onChange }: StandbyOptions,
  primary: ConnectionPool,
  limitMs: number,
): Promise<Standby> {
  const address = requirePostgresUrl('DATABASE_READ_URL', url);
  const connections = new ConnectionPool(address, 'reads', {
    max: CONNECTIONS_MAX,
    settings: { ...PLAN_READS, statement_timeout: limitMs },
    timeouts: LIMITS,
  });
  const primaryIdentity = await readServerIdentity(primary);
  const standby = new Standby({ connections, primaryIdentity, onChange });
  try {
    if (await standby.verify()) return standby;
    throw new DatabaseUnavailableError(
      'DATABASE_READ_URL must lead to a hot standby of the server in DATABASE_URL, and to the same database there.',
    );
  } catch (error) {
    if (error instanceof DatabaseGoneError) return standby;
    await standby.close();
    throw toUnavailableError(address, error);
  }
}

type StandbyParts = {
  connections: ConnectionPool;
  primaryIdentity: ServerIdentity;
  onChange: StandbyOptions['onChange'];
};

/** A hot standby that answers a read exactly when it has all that the request may expect to find. */
export class Standby {
  readonly #connections: ConnectionPool;
  readonly #primaryIdentity: ServerIdentity;
  readonly #onChange: StandbyOptions['onChange'];
  /** Why it answers nothing; null while it does. */
  #error: string | null = null;
  /** Whether it is known to be a standby of the primary. */
  #isVerified = false;
  /** By `performance.now()`, as all times here. */
  #pausedUntil = 0;
  #behindSince: number | null = null;
  #answeredAt = performance.now();

  constructor({ connections, primaryIdentity, onChange }: StandbyParts) {
    this.#connections = connections;
    this.#primaryIdentity = primaryIdentity;
    this.#onChange = onChange;
  }

  /** What `work` reads of `workspace`; null where the primary has to answer. `work` may have run in part then. */
  async read<Result>(
    workspace: Expected,
    work: (trx: Transaction) => Promise<Result>,
  ): Promise<{ result: Result } | null> {
    if (performance.now() < this.#pausedUntil) return null;
    // After a pause one read tries; the others still use the primary.
    if (this.#pausedUntil > 0) this.#pausedUntil = performance.now() + RETRY_DELAY_MS;
    try {
      const attempt = await this.#attempt(workspace, work);
      if ('error' in attempt) {
        this.#setError(attempt.error);
        return null;
      }
      this.#behindSince = null;
      this.#setError(null);
      return attempt;
    } catch (error) {
      const sentence = describeStandbyError(error);
      if (sentence === null) throw error;
      this.#setError(sentence);
      return null;
    }
  }

  /**
   * Milliseconds that it's behind a primary whose log ends at `primaryEnd`; where it doesn't answer, since it last did, or since it was
   * opened.
   */
  async readLag(primaryEnd: string): Promise<number> {
    const limit = delay(LAG_ANSWER_MS, null, { ref: false });
    const asked = lagOf(createSingles(this.#connections, beginLookup('*')), primaryEnd).catch(() => null);
    const lag = (await Promise.race([asked, limit]))?.[0]?.lag ?? null;
    if (lag === null) return performance.now() - this.#answeredAt;
    this.#answeredAt = performance.now();
    return lag;
  }

  counts(): PoolCounts {
    return this.#connections.counts();
  }

  close(): Promise<void> {
    return this.#connections.destroy();
  }

  /** Whether it is a standby of the primary, with the same database. Rejects where it does not answer. */
  async verify(): Promise<boolean> {
    const { database, system, is_standby } = await readServerIdentity(this.#connections);
    const { database: primaryDatabase, system: primarySystem } = this.#primaryIdentity;
    this.#isVerified = is_standby && database === primaryDatabase && system === primarySystem;
    return this.#isVerified;
  }

  async #attempt<Result>(workspace: Expected, work: (trx: Transaction) => Promise<Result>): Promise<Attempt<Result>> {
    if (!this.#isVerified && !(await this.verify())) return { error: OTHER };
    // Where the primary fails, it is what says so.
    const expected = workspace.readMark().catch(() => undefined);
    return inTransaction(this.#connections, { begin: beginRead(workspace.id) }, async (trx) => {
      const { is_standby, has_schema, mark } = must((await stateOf(trx, migrations.length, workspace.id))[0]);
      if (!is_standby) return { error: OTHER };
      if (!has_schema) return { error: OLD_SCHEMA };
      if (mark !== null && mark === (await expected)) return { result: await work(trx) };
      // It has less than the request saw, or more. Mostly that lasts some milliseconds.
      this.#behindSince ??= performance.now();
      return { error: performance.now() - this.#behindSince > LAG_LIMIT_MS ? BEHIND : null };
    });
  }

  /** Pauses the standby where `error` makes it unusable, and reports a change of the state. */
  #setError(error: string | null): void {
    if (UNUSABLE.has(error)) {
      this.#pausedUntil = performance.now() + RETRY_DELAY_MS;
      // The address may lead to another server after the pause.
      this.#isVerified = false;
      this.#behindSince = null;
    } else {
      this.#pausedUntil = 0;
    }
    if (error === this.#error) return;
    this.#error = error;
    this.#onChange(error ?? ANSWERS);
  }
}

/** Null for an error that has nothing to do with the standby. */
function describeStandbyError(error: unknown): string | null {
  if (error instanceof DatabaseGoneError || error instanceof CommitUncertainError) return GONE;
  if (error instanceof DatabaseError && UNDEFINED.has(error.code ?? '')) return OLD_SCHEMA;
  return error instanceof DatabaseBusyError || error instanceof DatabaseError ? BROKE_OFF : null;
}

type ServerIdentity = { database: number; system: string; is_standby: boolean };

/** The numbers of a database and its server. A standby has those of its primary. */
async function readServerIdentity(pool: ConnectionPool): Promise<ServerIdentity> {
  const { rows } = await sql<ServerIdentity>`
    select pg_database.oid as database, system_identifier::text as system, pg_is_in_recovery() as is_standby
    from pg_database, pg_control_system() where datname = current_database()`.execute(
    createSingles(pool, beginLookup('*')),
  );
  return must(rows[0]);
}
