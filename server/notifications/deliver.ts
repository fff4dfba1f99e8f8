import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { SERVICE } from '../database/changeLog/author.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import type { Scope } from '../database/scope.ts';
import type { Tables } from '../database/schema/tables.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { addDelivery, type DestinationRow, type IncidentBody, type MessageRow } from './planWorkspace.ts';
import { nextAttempt } from './retries.ts';
import { type Senders, sendMessage } from './sendMessage.ts';
import type { Outcome } from './webhook/postWebhook.ts';

export type DeliveryRow = Selectable<Tables['deliveries']>;

/** Deliveries of a workspace that are claimed at once. */
const AT_ONCE = 8;
/** Milliseconds after which a claimed delivery is due again if the process has died. An attempt takes less. */
const LEASE = 2 * 60_000;

export type DeliveryContext = {
  database: Database;
  senders: Senders;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
};

/** Makes the attempts of a workspace that are due, a few at once. True if there were any. */
export async function deliverDue(context: DeliveryContext, workspace: Workspace): Promise<boolean> {
  const claimed = await claimDue(workspace, context.database, context.now());
  await Promise.all(claimed.map((delivery) => attempt(context, workspace, delivery)));
  return claimed.length > 0;
}

/** Makes one attempt, and stores what came of it. */
export async function attempt(
  { database, senders, now }: DeliveryContext,
  workspace: Workspace,
  delivery: DeliveryRow,
): Promise<Outcome | null> {
  const outgoing = await database.read(workspace, (scope) => readOutgoing(scope, delivery));
  // It was removed or switched off since.
  if (outgoing === null) return null;
  const outcome = await sendMessage(senders, outgoing, now());
  await database.write(workspace, (scope) => conclude(scope, delivery, outgoing, outcome, now()));
  return outcome;
}

/**
 * Claims the deliveries that are due longest: their next attempt moves ahead until the attempt stores the right time. One
 * that tells what became of an incident waits for those before it.
 */
function claimDue(workspace: Workspace, db: Database, now: number): Promise<DeliveryRow[]> {
  return db.write(workspace, async (scope) => {
    const due = await scope.run(sql<{ message_uuid: string; destination_uuid: string }>`
      select message_uuid, destination_uuid from deliveries
      join messages on messages.workspace_id = ${scope.id} and messages.uuid = message_uuid
      where deliveries.workspace_id = ${scope.id} and next_at <= ${now} and (incident_uuid is null or not exists (
        select 1 from messages as earlier join deliveries as open on open.workspace_id = ${scope.id}
          and open.message_uuid = earlier.uuid and open.destination_uuid = deliveries.destination_uuid
        where earlier.workspace_id = ${scope.id} and earlier.incident_uuid = messages.incident_uuid
          and earlier.created_at < messages.created_at and open.next_at is not null))
      order by next_at, messages.created_at limit ${sql.lit(AT_ONCE)}`);
    const claimed: DeliveryRow[] = [];
    for (const { message_uuid, destination_uuid } of due) {
      const rows = await scope
        .update('deliveries')
        .set(({ eb }) => ({ next_at: now + LEASE, attempts: eb('attempts', '+', 1) }))
        .where('message_uuid', '=', message_uuid)
        .where('destination_uuid', '=', destination_uuid)
        .returningAll()
        .execute();
      claimed.push(...rows);
    }
    return claimed;
  });
}

type OutgoingRows = { destination: DestinationRow; message: MessageRow; others: IncidentBody[] };

async function readOutgoing(scope: Scope, delivery: DeliveryRow): Promise<OutgoingRows | null> {
  const destination = await scope
    .select('destinations')
    .selectAll()
    .where('uuid', '=', delivery.destination_uuid)
    .executeTakeFirst();
  const message = await scope
    .select('messages')
    .selectAll()
    .where('uuid', '=', delivery.message_uuid)
    .executeTakeFirst();
  if (destination === undefined || message === undefined) return null;
  return { destination, message, others: await readOthers(scope, destination.uuid, message) };
}

/** The incidents that the destination is told of by this message, because they have its cause. */
async function readOthers(scope: Scope, destination: string, message: MessageRow): Promise<IncidentBody[]> {
  if (message.incident_uuid === null || message.planned_at === null) return [];
  const { cause } = JSON.parse(message.body) as IncidentBody;
  if (cause === null) return [];
  const rows = await scope.run(sql<{ body: string }>`
    select messages.body as body from messages
    join deliveries on deliveries.workspace_id = ${scope.id} and message_uuid = messages.uuid
    where messages.workspace_id = ${scope.id} and planned_at = ${message.planned_at} and kind = ${message.kind}
      and destination_uuid = ${destination} and deliveries.state = 'joined'
    order by messages.created_at`);
  return rows.map(({ body }) => JSON.parse(body) as IncidentBody).filter((one) => one.cause === cause);
}

async function conclude(
  scope: Scope,
  delivery: DeliveryRow,
  { destination, message }: OutgoingRows,
  outcome: Outcome,
  now: number,
): Promise<void> {
  const set = (values: Partial<DeliveryRow>) =>
    scope
      .update('deliveries')
      .set(values)
      .where('message_uuid', '=', delivery.message_uuid)
      .where('destination_uuid', '=', delivery.destination_uuid)
      .execute();
  if (outcome.isDelivered) {
    await set({ state: 'delivered', next_at: null, ended_at: now, last_error: null });
    if (message.contact_uuid !== null) await logReceipt(scope, destination, message, now);
    return;
  }
  const next = nextAttempt(delivery, outcome, now);
  if (next !== null) {
    await set({ next_at: next, last_error: outcome.detail });
    return;
  }
  await set({ state: 'failed', next_at: null, ended_at: now, last_error: outcome.detail });
  if (destination.fallback_uuid !== null)
    await addDelivery(scope, message.uuid, destination.fallback_uuid, 'waiting', now);
  const reason = await findReasonToDisable(scope, destination, outcome, now);
  if (reason !== null) await disable(scope, destination, reason, now);
}

/** Milliseconds after which a destination that nothing reaches is switched off. */
const FAILING_MAX = 5 * 24 * 60 * 60_000;

async function findReasonToDisable(
  scope: Scope,
  { uuid, created_at }: DestinationRow,
  outcome: Extract<Outcome, { isDelivered: false }>,
  now: number,
): Promise<string | null> {
  if (outcome.isGone === true) return 'The receiver responded with 410: it wants no more messages.';
  const [last] = await scope.run(sql<{ ended_at: number | null }>`
    select max(ended_at) as ended_at from deliveries
    where workspace_id = ${scope.id} and destination_uuid = ${uuid} and state = 'delivered'`);
  const isDead = now - (last?.ended_at ?? created_at) >= FAILING_MAX;
  return isDead ? 'Nothing could be delivered for five days.' : null;
}

/** Switches a destination off. What waits for it goes to its fallback. */
async function disable(scope: Scope, destination: DestinationRow, reason: string, now: number): Promise<void> {
  const { uuid, fallback_uuid, name } = destination;
  await scope
    .update('destinations')
    .set({ disabled_at: now, disabled_reason: reason, updated_at: now })
    .where('uuid', '=', uuid)
    .execute();
  const waiting = await scope
    .update('deliveries')
    .set({ state: 'failed', next_at: null, ended_at: now, last_error: reason })
    .where('destination_uuid', '=', uuid)
    .where('state', '=', 'waiting')
    .returning('message_uuid')
    .execute();
  if (fallback_uuid !== null) {
    for (const { message_uuid } of waiting) await addDelivery(scope, message_uuid, fallback_uuid, 'waiting', now);
  }
  await writeLog(
    scope,
    [{ action: 'destination_update', author: SERVICE, reason, details: { destination: name } }],
    now,
  );
}

/** The receipt of a change of a contact: when it reached a destination. */
async function logReceipt(scope: Scope, { name }: DestinationRow, message: MessageRow, now: number): Promise<void> {
  const contact = { uuid: String(message.contact_uuid), number: null };
  const details = { destination: name, change: message.kind, changed_at: timestamp(message.created_at) };
  await writeLog(scope, [{ action: 'message_delivered', author: SERVICE, contact, details }], now);
}
