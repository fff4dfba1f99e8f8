import { sql } from 'kysely';
import { upsertRows } from './insertRows.ts';
import type { Scope } from './scope.ts';

// How many contacts were unsubscribed in each quarter of an hour, by the name of the token. Days begin at a quarter of an hour
// in every time zone, so that a day of any zone is a sum of a few rows, however many contacts were unsubscribed.

/** In milliseconds. */
export const COUNTED_PERIOD = 900_000;

/** The name under which unsubscribes without a token are counted, those of imports. No token has it. */
const NO_TOKEN = '';

/** In the transaction of the unsubscribe. `time` is in milliseconds. */
export async function countUnsubscribe(scope: Scope, tokenName: string | null, time: number): Promise<void> {
  await upsertRows(
    scope,
    'unsubscribe_counts',
    [{ period: Math.floor(time / COUNTED_PERIOD), token_name: tokenName ?? NO_TOKEN, count: 1 }],
    'on conflict (workspace_id, period, token_name) do update set count = unsubscribe_counts.count + 1',
  );
}

type SlotCount = { slot: number; token_name: string | null; count: number };

/** The unsubscribes between two neighbouring `edges`, which are ascending: slot 0 is from the first to the second. */
export async function countUnsubscribes(scope: Scope, edges: readonly number[]): Promise<SlotCount[]> {
  const periods = edges.map((edge) => Math.ceil(edge / COUNTED_PERIOD));
  const slots = sql.join(
    periods.slice(1).map((end, slot) => {
      const begin = periods[slot];
      return sql`(cast(${slot} as integer), cast(${begin} as bigint), cast(${end} as bigint))`;
    }),
  );
  const rows = await scope.run(sql<SlotCount>`
    with slots (slot, begin_period, end_period) as (values ${slots})
    select slot, token_name, cast(sum(count) as bigint) as count
    from slots join unsubscribe_counts
      on workspace_id = ${scope.id} and period >= begin_period and period < end_period
    group by slot, token_name`);
  return rows.map((row) => ({ ...row, token_name: row.token_name === NO_TOKEN ? null : row.token_name }));
}

/** Counts again from the log of changes, and gives one sentence for each stored count that differs. */
export async function findCountErrors(scope: Scope): Promise<string[]> {
  const rows = await scope.run(sql<{ period: number; counted: number; stored: number }>`
    select period, cast(sum(counted) as bigint) as counted, cast(sum(stored) as bigint) as stored from (
      select period, token_name, count as stored, 0 as counted from unsubscribe_counts where workspace_id = ${scope.id}
      union all
      select created_at / ${sql.lit(COUNTED_PERIOD)}, coalesce(token_name, ${sql.lit(NO_TOKEN)}), 0, 1
      from contact_changes where workspace_id = ${scope.id} and ${isUnsubscribe}
    ) as compared
    group by period, token_name having sum(counted) <> sum(stored) order by period, token_name`);
  return rows.map(({ period, counted, stored }) => {
    const time = new Date(period * COUNTED_PERIOD).toISOString();
    return `From ${time} on, ${counted} unsubscribes are in the log, and ${stored} are counted.`;
  });
}

/** How the log begins for a change that unsubscribes (contacts/store.ts). */
const UNSUBSCRIBED = '{"field":"subscribed","before":true,"after":false}';
const isUnsubscribe = sql`substr(changes, 2, ${sql.lit(UNSUBSCRIBED.length)}) = ${sql.lit(UNSUBSCRIBED)}`;
