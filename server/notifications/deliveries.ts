import { randomUUID } from 'node:crypto';
import { sql, type SqlBool } from 'kysely';
import type { Delivery } from '#contract/notifications.ts';
import { type CheckedListQuery, createPageMeta, type Page } from '#contract/list.ts';
import { must } from '#contract/values/must.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import { timeOrNull, timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { addDeliveries } from './addDeliveries.ts';
import { claim } from './claim.ts';
import { attempt, type DeliveryContext } from './deliver.ts';
import { type TestBody, titleOf } from './describeMessage.ts';
import { type By, find, logAction } from './destinations.ts';
import { type DeliveryRow, isMessageReadable, type MessageRow } from './storedMessages.ts';

type ListedRow = DeliveryRow & Pick<MessageRow, 'kind' | 'incident_uuid' | 'body'>;

/** Newest first; null without such a destination. */
export function listDeliveries(
  workspace: Workspace,
  db: Database,
  destination: string,
  { page, per_page, filters }: CheckedListQuery,
): Promise<Page<Delivery> | null> {
  return db.read(workspace, async (scope) => {
    const found = await find(scope, destination);
    if (found === null) return null;
    const isWanted = filters.state === undefined ? sql<SqlBool>`true` : sql<SqlBool>`state = ${filters.state}`;
    const within = sql`deliveries.workspace_id = ${scope.id} and destination_uuid = ${found.uuid} and ${isWanted}`;
    const [counted] = await scope.run(sql<{ total: number }>`select count(*) as total from deliveries where ${within}`);
    const rows = await scope.run(sql<ListedRow>`
      select deliveries.*, kind, incident_uuid, body from deliveries
      join messages on messages.workspace_id = ${scope.id} and messages.uuid = message_uuid
      where ${within} order by deliveries.created_at desc, message_uuid desc
      limit cast(${per_page} as integer) offset cast(${(page - 1) * per_page} as bigint)`);
    return { data: rows.map(deliveryOf), meta: createPageMeta({ page, per_page }, must(counted).total) };
  });
}

function deliveryOf(row: ListedRow): Delivery {
  return {
    message: row.message_uuid,
    destination: row.destination_uuid,
    kind: row.kind,
    title: isMessageReadable(row) ? titleOf(row) : 'A message that can’t be read',
    state: row.state,
    attempts: row.attempts,
    created_at: timestamp(row.created_at),
    next_at: timeOrNull(row.next_at),
    ended_at: row.state === 'waiting' ? null : timeOrNull(row.ended_at),
    error: row.last_error,
  };
}

/** Of each kind in a minute, by all of a workspace: they go to addresses of strangers. */
const ASKED_MAX = 10;
const MINUTE = 60_000;

/** Whether people of a workspace had as many messages sent in the last minute as they may. */
async function isAskedTooOften(
  scope: Scope,
  action: 'destination_test' | 'message_replay',
  now: number,
): Promise<boolean> {
  const last = await scope
    .select('changes')
    .select('created_at')
    .where('action', '=', action)
    .orderBy('number', 'desc')
    .limit(ASKED_MAX)
    .execute();
  return last.filter(({ created_at }) => created_at > now - MINUTE && created_at <= now).length === ASKED_MAX;
}

/**
 * Delivers a message once more, under the same ID, when the job comes to it; one that waits stays as it is. Null without such a delivery,
 * `tooMany` beyond 10 a minute.
 */
export function replayDelivery(
  workspace: Workspace,
  db: Database,
  destination: string,
  message: string,
  by: By,
): Promise<Delivery | 'tooMany' | null> {
  const { now } = by;
  return db.write(workspace, async (scope) => {
    const row = await readDelivery(scope, destination, message);
    if (row === null) return null;
    if (row.state === 'waiting') return deliveryOf(row);
    if (await isAskedTooOften(scope, 'message_replay', now)) return 'tooMany';
    const to = must(await find(scope, destination));
    await logAction(scope, 'message_replay', to, by, { message: row.message_uuid });
    const again = {
      state: 'waiting' as const,
      attempts: 0,
      refusals: 0,
      created_at: now,
      next_at: now,
      // One that arrived has arrived, whatever comes of this.
      ended_at: row.state === 'delivered' ? row.ended_at : null,
    };
    await scope
      .update('deliveries')
      .set(again)
      .where('message_uuid', '=', row.message_uuid)
      .where('destination_uuid', '=', row.destination_uuid)
      .execute();
    return deliveryOf({ ...row, ...again });
  });
}

async function readDelivery(scope: Scope, destination: string, message: string): Promise<ListedRow | null> {
  const [row] = await scope.run(sql<ListedRow>`
    select deliveries.*, kind, incident_uuid, body from deliveries
    join messages on messages.workspace_id = ${scope.id} and messages.uuid = message_uuid
    where deliveries.workspace_id = ${scope.id} and message_uuid = ${message.toLowerCase()}
      and destination_uuid = ${destination.toLowerCase()}`);
  return row ?? null;
}

/** Sends a test message at once, and says what came of it. Null without such a destination, `tooMany` beyond 10 a minute. */
export async function testDestination(
  context: DeliveryContext,
  workspace: Workspace,
  destination: string,
  by: By,
  stop: AbortSignal,
): Promise<{ delivered: boolean; detail: string } | 'tooMany' | null> {
  const { database } = context;
  const claimed = await database.write(workspace, async (scope) => {
    const found = await find(scope, destination);
    if (found === null) return null;
    const message = randomUUID();
    const { now: at } = by;
    if (await isAskedTooOften(scope, 'destination_test', at)) return 'tooMany';
    await logAction(scope, 'destination_test', found, by);
    const body: TestBody = { workspace: workspace.name, destination: found.name };
    const none = {
      incident_uuid: null,
      contact_uuid: null,
      log_number: null,
      planned_at: at,
      body: JSON.stringify(body),
    };
    await scope.insert('messages', { uuid: message, created_at: at, kind: 'test', about: message, ...none }).execute();
    await addDeliveries(scope, [{ message, destination: found.uuid, state: 'waiting' }], at);
    return claim(scope, message, found.uuid, at);
  });
  if (claimed === null || claimed === 'tooMany') return claimed;
  const { isDelivered, detail } = await attempt(context, workspace, claimed, stop);
  return { delivered: isDelivered, detail };
}
