import { type Selectable, sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { SERVICE } from '../database/changeLog/author.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import type { Scope } from '../database/scope.ts';
import type { Tables } from '../database/schema/tables.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import {
  addDelivery,
  type DestinationRow,
  faultOf,
  type IncidentBody,
  type MessageRow,
  readNow,
} from './planWorkspace.ts';
import { nextAttempt } from './retries.ts';
import { type Senders, sendMessage } from './sendMessage.ts';
import type { Outcome } from './webhook/postWebhook.ts';

export type DeliveryRow = Selectable<Tables['deliveries']>;

/** Deliveries to a destination that are claimed at once. */
const AT_ONCE = 4;
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
  const outgoing = await database.write(workspace, (scope) => takeOutgoing(scope, delivery, now()));
  if (outgoing === null) return null;
  const outcome = await sendMessage(senders, outgoing, now());
  await database.write(workspace, (scope) => conclude(scope, delivery, outgoing, outcome, now()));
  return outcome;
}

/**
 * Claims the deliveries that are due longest, a few of each destination, so that a slow one doesn't hold up the others. Their
 * next attempt moves ahead until the attempt stores the right time. What is about the same contact or domain keeps its order.
 */
function claimDue(workspace: Workspace, db: Database, now: number): Promise<DeliveryRow[]> {
  return db.write(workspace, async (scope) => {
    const due = await scope.run(sql<{ message_uuid: string; destination_uuid: string }>`
      select message_uuid, destination_uuid from (
        select message_uuid, destination_uuid, next_at, messages.created_at as told_at,
          row_number() over (partition by destination_uuid order by next_at, messages.created_at) as place
        from deliveries
        join messages on messages.workspace_id = ${scope.id} and messages.uuid = message_uuid
        where deliveries.workspace_id = ${scope.id} and next_at <= ${now} and not exists (
          select 1 from deliveries as open
          join messages as earlier on earlier.workspace_id = ${scope.id} and earlier.uuid = open.message_uuid
          where open.workspace_id = ${scope.id} and open.next_at is not null
            and open.destination_uuid = deliveries.destination_uuid
            and earlier.about = messages.about and earlier.created_at < messages.created_at)) as due
      where place <= ${sql.lit(AT_ONCE)} order by next_at, told_at`);
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

type OutgoingRows = {
  destination: DestinationRow;
  message: MessageRow;
  others: IncidentBody[];
  insteadOf: string | null;
};

/** What to send; null, and the delivery is over, if its destination is off, or an incident that it tells is over before its first attempt. */
async function takeOutgoing(scope: Scope, delivery: DeliveryRow, now: number): Promise<OutgoingRows | null> {
  const { message_uuid, destination_uuid, attempts } = delivery;
  const destination = await scope
    .select('destinations')
    .selectAll()
    .where('uuid', '=', destination_uuid)
    .executeTakeFirst();
  const message = await scope.select('messages').selectAll().where('uuid', '=', message_uuid).executeTakeFirstOrThrow();
  const isOff = destination === undefined || (destination.disabled_at !== null && message.kind !== 'test');
  if (isOff || (await isStale(scope, message, attempts))) {
    await setDelivery(scope, delivery, { state: isOff ? 'failed' : 'dropped', next_at: null, ended_at: now });
    return null;
  }
  const others = await readOthers(scope, destination.uuid, message);
  return { destination, message, others, insteadOf: delivery.instead_of };
}

/** An opening that failed to arrive, of an incident that is over or accepted now, isn't repeated. */
async function isStale(scope: Scope, { kind, incident_uuid, body }: MessageRow, attempts: number): Promise<boolean> {
  if (kind !== 'incident_opened' || incident_uuid === null || attempts < 2) return false;
  const { isOver, isAccepted } = await readNow(scope, [incident_uuid]);
  return isOver(incident_uuid) || isAccepted(faultOf(JSON.parse(body) as IncidentBody));
}

/** Unless another process has claimed it since, because this one took too long. */
async function setDelivery(
  scope: Scope,
  { message_uuid, destination_uuid, attempts }: DeliveryRow,
  values: Partial<DeliveryRow>,
): Promise<boolean> {
  const [{ numUpdatedRows = 0n } = {}] = await scope
    .update('deliveries')
    .set(values)
    .where('message_uuid', '=', message_uuid)
    .where('destination_uuid', '=', destination_uuid)
    .where('state', '=', 'waiting')
    .where('attempts', '=', attempts)
    .execute();
  return numUpdatedRows > 0n;
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
  const set = (values: Partial<DeliveryRow>) => setDelivery(scope, delivery, values);
  if (outcome.isDelivered) {
    const isFirst = await set({ state: 'delivered', next_at: null, ended_at: now, last_error: null });
    if (isFirst && message.contact_uuid !== null) await logReceipt(scope, destination, message, now);
    return;
  }
  const next = nextAttempt(delivery, outcome, now);
  if (next !== null) {
    await set({ next_at: next, last_error: outcome.detail });
    return;
  }
  if (!(await set({ state: 'failed', next_at: null, ended_at: now, last_error: outcome.detail }))) return;
  await passOn(scope, destination, [message.uuid], outcome.detail, now);
  const reason = await findReasonToDisable(scope, destination, outcome, now);
  if (reason !== null) await disable(scope, destination, reason, now);
}

/** Gives messages to the fallback of their destination, with the reason. */
async function passOn(
  scope: Scope,
  { name, fallback_uuid }: DestinationRow,
  messages: readonly string[],
  reason: string,
  now: number,
): Promise<void> {
  if (fallback_uuid === null) return;
  for (const message of messages)
    await addDelivery(scope, message, fallback_uuid, 'waiting', now, `${name}: ${reason}`);
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
  const { uuid, name } = destination;
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
  const messages = waiting.map(({ message_uuid }) => message_uuid);
  await passOn(scope, destination, messages, reason, now);
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
