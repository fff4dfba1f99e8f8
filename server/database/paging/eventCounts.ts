import { type RawBuilder, sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import { engineOf } from '../engine.ts';
import type { Scope, ScopedId } from '../scope.ts';
import { FOREVER } from '../timestamp.ts';

/** The number of events of a contact, from `event_names`. */
export const selectEventCount = (workspaceId: ScopedId, contactId: RawBuilder<unknown>) => sql<number>`(
  select cast(coalesce(sum(count), 0) as bigint) from event_names
  where workspace_id = ${workspaceId} and contact_id = ${contactId})`;

/** The number of events of a contact. */
export async function countContactEvents(scope: Scope, contactId: number): Promise<number> {
  const [row] = await scope.run(
    sql<{ count: number }>`select ${selectEventCount(scope.id, sql`${contactId}`)} as count`,
  );
  return must(row).count;
}

/** Which events of a contact to count. */
export type CountedEvents = {
  scope: Scope;
  contactId: number;
  /** Names that are counted one by one. */
  names: readonly string[];
  /** What is counted with them in `all`: nothing, all other names, or a set (SQL within `in ()`, with `names`). */
  others: null | 'all' | RawBuilder<unknown>;
};

/** Counts from an edge to the next one, and after the last edge. */
export type SlotCounts = { all: number; named: number[] }[];

/** In one statement, which reads two indexes and no event. `edges` are ascending; there is at least one. */
export async function countInSlots(
  { scope, contactId, names, others }: CountedEvents,
  edges: readonly number[],
): Promise<SlotCounts> {
  const engine = engineOf(scope.kysely);
  const count = (condition: RawBuilder<unknown>) => sql`(
    select count(*) from events
    where workspace_id = ${scope.id} and contact_id = ${contactId} and created_at >= first and created_at < second ${condition})`;
  const named = engine.jsonArray(names.map((name) => count(sql`and event_name = ${name}`)));
  const all = others === null ? sql`null` : count(others === 'all' ? sql`` : sql`and event_name in (${others})`);
  const slots = edges.map((edge, at) => [edge, edges[at + 1] ?? FOREVER] as const);
  const rows = await scope.run(sql<{ named: string; total: number | null }>`
    select cast(${named} as text) as named, ${all} as total from ${engine.pairsTable(slots)} order by first`);
  return rows.map(({ named, total }) => {
    const counts = JSON.parse(named) as number[];
    return { named: counts, all: total ?? counts.reduce((sum, one) => sum + one, 0) };
  });
}
