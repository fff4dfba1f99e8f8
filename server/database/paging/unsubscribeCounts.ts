import { sql } from 'kysely';
import { upsertRows } from '../insertRows.ts';
import type { Scope } from '../scope.ts';

// How many contacts were unsubscribed in each quarter of an hour, by who did it. Days begin at a quarter of an hour
// in every time zone, so that a day of any zone is a sum of a few rows, however many contacts were unsubscribed.

/** In milliseconds. */
export const COUNTED_PERIOD = 900_000;

/** In the transaction of the unsubscribes. `actor` is the column of the log, and `time` that of their lines, in milliseconds. */
export async function countUnsubscribes(scope: Scope, actor: string, count: number, time: number): Promise<void> {
  await upsertRows(
    scope,
    'unsubscribe_counts',
    [{ period: Math.floor(time / COUNTED_PERIOD), actor, count }],
    'on conflict (workspace_id, period, actor) do update set count = unsubscribe_counts.count + excluded.count',
  );
}

type SlotCount = { slot: number; actor: string; count: number };

/** The unsubscribes between two neighbouring `edges`, which are ascending: slot 0 is from the first to the second. */
export async function readUnsubscribeCounts(scope: Scope, edges: readonly number[]): Promise<SlotCount[]> {
  const periods = edges.map((edge) => Math.ceil(edge / COUNTED_PERIOD));
  const slots = sql.join(
    periods.slice(1).map((end, slot) => {
      const begin = periods[slot];
      return sql`(cast(${slot} as integer), cast(${begin} as bigint), cast(${end} as bigint))`;
    }),
  );
  return scope.run(sql<SlotCount>`
    with slots (slot, begin_period, end_period) as (values ${slots})
    select slot, actor, cast(sum(count) as bigint) as count
    from slots join unsubscribe_counts
      on workspace_id = ${scope.id} and period >= begin_period and period < end_period
    group by slot, actor`);
}
