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
import { titleOf } from './describeMessage.ts';
import { find } from './destinations.ts';
import type { DeliveryRow, MessageRow } from './storedMessages.ts';

type ListedRow = DeliveryRow & Pick<MessageRow, 'kind' | 'body'>;

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
      select deliveries.*, kind, body from deliveries
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
    title: titleOf(row),
    state: row.state,
    attempts: row.attempts,
    created_at: timestamp(row.created_at),
    next_at: timeOrNull(row.next_at),
    ended_at: timeOrNull(row.ended_at),
    error: row.last_error,
  };
}

/** Delivers a message once more, under the same ID, when the job comes to it; one that waits stays as it is. Null without such a delivery. */
export function replayDelivery(
  workspace: Workspace,
  db: Database,
  destination: string,
  message: string,
  now: number,
): Promise<Delivery | null> {
  return db.write(workspace, async (scope) => {
    const row = await readDelivery(scope, destination, message);
    if (row === null) return null;
    if (row.state === 'waiting') return deliveryOf(row);
    const again = {
      state: 'waiting' as const,
      attempts: 0,
      refusals: 0,
      created_at: now,
      next_at: now,
      ended_at: null,
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
    select deliveries.*, kind, body from deliveries
    join messages on messages.workspace_id = ${scope.id} and messages.uuid = message_uuid
    where deliveries.workspace_id = ${scope.id} and message_uuid = ${message.toLowerCase()}
      and destination_uuid = ${destination.toLowerCase()}`);
  return row ?? null;
}

/** Tests of a workspace in a minute: they go to addresses of strangers. */
const TESTS_MAX = 10;
const MINUTE = 60_000;

/** Sends a test message at once, and says what came of it. Null without such a destination, `tooMany` beyond 10 a minute. */
export async function testDestination(
  context: DeliveryContext,
  workspace: Workspace,
  destination: string,
  stop: AbortSignal,
): Promise<{ delivered: boolean; detail: string } | 'tooMany' | null> {
  const { database, now } = context;
  const claimed = await database.write(workspace, async (scope) => {
    const found = await find(scope, destination);
    if (found === null) return null;
    const message = randomUUID();
    const at = now();
    const tests = scope
      .select('messages')
      .select('uuid')
      .where('kind', '=', 'test')
      .where('created_at', '>', at - MINUTE);
    if ((await tests.limit(TESTS_MAX).execute()).length === TESTS_MAX) return 'tooMany';
    const none = { incident_uuid: null, contact_uuid: null, log_number: null, planned_at: at, body: '{}' };
    await scope.insert('messages', { uuid: message, created_at: at, kind: 'test', about: message, ...none }).execute();
    await addDeliveries(scope, [{ message, destination: found.uuid, state: 'waiting' }], at);
    return claim(scope, message, found.uuid, at);
  });
  if (claimed === null || claimed === 'tooMany') return claimed;
  const { isDelivered, detail } = await attempt(context, workspace, claimed, stop);
  return { delivered: isDelivered, detail };
}
