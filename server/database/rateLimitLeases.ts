import { type Kysely, sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Tables } from './schema/tables.ts';

type RateLimitRequest = {
  /** Identifies the limit among all limits. */
  key: string;
  /** Requests in a window of `windowMs` milliseconds, for all processes together. */
  limit: number;
  windowMs: number;
  /** Requests that the process would like to lease. */
  requested: number;
};

/** Requests that a process may let through until the window ends, in `endsIn` milliseconds; 0 when nothing is left. */
export type RateLimitLease = { granted: number; endsIn: number };

export type LeaseRateLimit = (request: RateLimitRequest) => Promise<RateLimitLease>;

/** A lease is at most the rest of the limit divided by this, so that other processes can lease as well. */
const REST_DIVISOR = 4;
const SWEEP_MS = 60_000;
const SWEPT_MAX = 1000;

/**
 * Leases parts of limits to processes that know nothing of each other: together never more than the limit in a window. A window
 * begins with the first request after the last one has ended. Times are those of the server, so clocks of processes do not
 * matter.
 */
export function createRateLimitLeaser(kysely: Kysely<Tables>): LeaseRateLimit {
  let sweepAt = 0;

  async function sweep(): Promise<void> {
    sweepAt = performance.now() + SWEEP_MS;
    const { numAffectedRows } = await sql`
      delete from allowances where key in (
        select key from allowances where ends_at <= ${NOW} limit ${sql.lit(SWEPT_MAX)} for update skip locked)`.execute(
      kysely,
    );
    // There may be more of them, so the next request sweeps again.
    if (numAffectedRows === BigInt(SWEPT_MAX)) sweepAt = 0;
  }

  return async ({ key, limit, windowMs, requested }) => {
    if (performance.now() >= sweepAt) await sweep();
    const part = (rest: unknown) =>
      sql`least(${requested}::bigint, (${rest} + ${sql.lit(REST_DIVISOR - 1)}) / ${sql.lit(REST_DIVISOR)})`;
    // An end more than two windows away means that the clock was set back. A little more than one window is normal for a
    // statement that waited for another one.
    const isOver = sql`(allowances.ends_at <= ${NOW} or allowances.ends_at > ${NOW} + 2 * ${windowMs}::bigint)`;
    const first = part(sql`${limit}::bigint`);
    const next = part(sql`greatest(${limit}::bigint - allowances.taken, 0)`);
    const { rows } = await sql<RateLimitLease>`
      insert into allowances (key, ends_at, taken, granted) values (${key}, ${NOW} + ${windowMs}::bigint, ${first}, ${first})
      on conflict (key) do update set
        ends_at = case when ${isOver} then excluded.ends_at else allowances.ends_at end,
        taken = case when ${isOver} then excluded.taken else allowances.taken + ${next} end,
        granted = case when ${isOver} then excluded.granted else ${next} end
      returning granted, ends_at - ${NOW} as "endsIn"`.execute(kysely);
    return must(rows[0]);
  };
}

/** Milliseconds since 1970, the same throughout a statement. */
const NOW = sql`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`;
