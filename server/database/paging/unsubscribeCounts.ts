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

export type Window = { from: number; to: number };

type SlotCount = { slot: number; actor: string; count: number };

const toPeriod = (time: number) => Math.ceil(time / COUNTED_PERIOD);

/** The unsubscribes in each of `windows`, by its place, up to the end of the quarter of an hour that it ends in. */
export async function readUnsubscribeCounts(scope: Scope, windows: readonly Window[]): Promise<SlotCount[]> {
  return scope.run(sql<SlotCount>`
    with slots (slot, begin_at, end_at) as (values ${slotsOf(
      windows.map(({ from, to }) => ({ from: toPeriod(from), to: toPeriod(to) })),
    )})
    select slot, actor, cast(sum(count) as bigint) as count
    from slots join unsubscribe_counts
      on workspace_id = ${scope.id} and period >= begin_at and period < end_at
    group by slot, actor`);
}

/** Rows of a place in `windows`, and its beginning and end. */
export const slotsOf = (windows: readonly Window[]) =>
  sql.join(
    windows.map(
      ({ from, to }, slot) => sql`(cast(${slot} as integer), cast(${from} as bigint), cast(${to} as bigint))`,
    ),
  );
