import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

export type RateLimitRequest = {
  /** What the limit is of, among all limits that there are. */
  key: string;
  /** How much there is of it in a window of `length` milliseconds, for all processes together. */
  limit: number;
  windowMs: number;
  requested: number;
};

/** What a process may use up until the window ends, in `endsIn` milliseconds; 0 when nothing is left. */
export type RateLimitLease = { granted: number; endsIn: number };

export type LeaseRateLimit = (wish: RateLimitRequest) => Promise<RateLimitLease>;

/** Nobody gets more than one part in so many of what is left, so that there is something for those who come later. */
const PARTS = 4;
const SWEEP_MS = 60_000;
const SWEPT_MAX = 1000;

/**
 * Gives allowances for processes that know nothing of each other: together never more than the limit in a window. A window begins with
 * the first wish after the last one has ended, and times are those of the server, so that no clock of a process matters.
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
    // There may be more of them, so the next wish goes on.
    if (numAffectedRows === BigInt(SWEPT_MAX)) sweepAt = 0;
  }

  return async ({ key, limit, windowMs, requested }) => {
    if (performance.now() >= sweepAt) await sweep();
    const part = (rest: unknown) =>
      sql`least(${requested}::bigint, (${rest} + ${sql.lit(PARTS - 1)}) / ${sql.lit(PARTS)})`;
    // No window ends so much later than a new one would: the clock was set back. A little later is what a statement sees that
    // waited for another one.
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
    return rows[0] ?? { granted: 0, endsIn: windowMs };
  };
}

/** Milliseconds since 1970, the same in all of a statement. */
const NOW = sql`floor(extract(epoch from statement_timestamp()) * 1000)::bigint`;
