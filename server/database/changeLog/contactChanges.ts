import { type RawBuilder, sql } from 'kysely';
import { engineOf } from '../engine.ts';
import type { Scope } from '../scope.ts';

/** Numbers of changes of a contact; null where there is none. */
export type ContactChanges = {
  uuid: string;
  /** Null where the contact is gone. */
  subscribed: number | null;
  /** The last one that unsubscribed it, and the last one that subscribed it again. */
  unsubscribe: number | null;
  subscribe: number | null;
  /** The first that is left. */
  first: number;
};

/** By UUID, of those that have changes in the log. */
export async function readContactChanges(scope: Scope, uuids: readonly string[]): Promise<Map<string, ContactChanges>> {
  if (uuids.length === 0) return new Map();
  const one = (condition: RawBuilder<unknown>, order: 'asc' | 'desc') => sql`(
    select contact_number from changes where changes.workspace_id = ${scope.id} and contact_uuid = wanted.value
      and contact_number is not null and ${condition} order by contact_number ${sql.raw(order)} limit 1)`;
  const rows = await scope.run(sql<ContactChanges>`
    select wanted.value as uuid,
      (select subscribed from contacts where contacts.workspace_id = ${scope.id} and uuid = wanted.value) as subscribed,
      ${one(sql`(changes.subscribed = 0 or action = 'create')`, 'desc')} as unsubscribe,
      ${one(sql`action = 'subscribe'`, 'desc')} as subscribe,
      ${one(sql`true`, 'asc')} as first
    from ${engineOf(scope.kysely).valuesTable([...new Set(uuids)])}`);
  return new Map(rows.map((row) => [row.uuid, row]));
}
