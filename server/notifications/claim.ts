import { sql } from 'kysely';
import { must } from '#contract/values/must.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { endDelivery } from './endDelivery.ts';
import { readNow } from './planning/planIncidents.ts';
import type { Now } from './planning/planMessages.ts';
import {
  type DeliveryRow,
  type DestinationRow,
  faultOf,
  type IncidentBody,
  incidentIn,
  isMessageReadable,
  type MessageRow,
} from './storedMessages.ts';

/** A delivery that this process attempts now. */
export type Claimed = {
  delivery: DeliveryRow;
  destination: DestinationRow;
  message: MessageRow;
  /** Of a message about incidents: those that it tells, at least one. */
  incidents: readonly IncidentBody[];
  /** The message that told what this one is about; the same for the first, and if that is deleted. */
  first: MessageRow;
};

/** Deliveries to a destination that are claimed at once. */
const AT_ONCE = 4;
/** Milliseconds after which a claimed delivery is due again if the process has died. An attempt takes less. */
const LEASE = 2 * 60_000;

/**
 * Claims the deliveries to a destination that are due longest. Their next attempt moves ahead until the attempt stores the
 * right time. What is about the same contact, domain or cause keeps its order.
 */
export async function claimDue(
  workspace: Workspace,
  db: Database,
  destination: string,
  now: number,
): Promise<{ claimed: Claimed[]; hasMore: boolean }> {
  return db.write(workspace, async (scope) => {
    const due = await scope.run(sql<{ message: string }>`
      select message_uuid as message from deliveries
      join messages on messages.workspace_id = ${scope.id} and messages.uuid = message_uuid
      where deliveries.workspace_id = ${scope.id} and destination_uuid = ${destination} and next_at <= ${now}
        and not exists (
          select 1 from deliveries as first
          where first.workspace_id = ${scope.id} and first.message_uuid = deliveries.told_by
            and first.destination_uuid = ${destination} and first.next_at is not null)
        and not exists (
          select 1 from messages as earlier
          join deliveries as open on open.workspace_id = ${scope.id} and open.message_uuid = earlier.uuid
            and open.destination_uuid = ${destination} and open.next_at is not null
          where earlier.workspace_id = ${scope.id} and earlier.about = messages.about
            and (earlier.created_at, coalesce(earlier.log_number, 0))
              < (messages.created_at, coalesce(messages.log_number, 0)))
      order by next_at, message_uuid limit ${sql.lit(AT_ONCE)}`);
    const claimed: Claimed[] = [];
    for (const { message } of due) {
      const one = await claim(scope, message, destination, now);
      if (one !== null) claimed.push(one);
    }
    return { claimed, hasMore: due.length > 0 };
  });
}

/** `npm run admin -- verify` names it. */
const UNREADABLE = 'The stored message can’t be read.';

/** Null, and the delivery is over, if its destination is off, or it can't be read, or all that it tells is over. */
export async function claim(scope: Scope, message: string, destination: string, now: number): Promise<Claimed | null> {
  const [delivery] = await scope
    .update('deliveries')
    .set(({ eb }) => ({ next_at: now + LEASE, attempts: eb('attempts', '+', 1) }))
    .where('message_uuid', '=', message)
    .where('destination_uuid', '=', destination)
    .returningAll()
    .execute();
  if (delivery === undefined) return null;
  const to = await scope.select('destinations').selectAll().where('uuid', '=', destination).executeTakeFirst();
  const row = must(await readMessage(scope, message));
  const end = async (state: 'failed' | 'dropped', reason: string | null) => {
    await endDelivery(scope, delivery, state, reason, now);
    return null;
  };
  if (to === undefined) return end('failed', 'The destination was removed.');
  if (!isMessageReadable(row)) return end('failed', UNREADABLE);
  if (to.disabled_at !== null && row.kind !== 'test') return end('failed', 'The destination is switched off.');
  const incidents = await readIncidents(scope, delivery, row, now);
  if (incidents?.length === 0) return end('dropped', null);
  const first = delivery.told_by === null ? row : await readMessage(scope, delivery.told_by);
  const isFirstReadable = first !== undefined && isMessageReadable(first);
  return { delivery, destination: to, message: row, incidents: incidents ?? [], first: isFirstReadable ? first : row };
}

const readMessage = (scope: Scope, uuid: string): Promise<MessageRow | undefined> =>
  scope.select('messages').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/**
 * The incidents that a message tells, because they have its cause; null if it's about something else. An opening that certainly
 * didn't arrive tells only those that aren't over or accepted by now, which can be none.
 */
async function readIncidents(
  scope: Scope,
  { destination_uuid, attempts, refusals, ended_at, ...delivery }: DeliveryRow,
  message: MessageRow,
  now: number,
): Promise<IncidentBody[] | null> {
  if (message.incident_uuid === null) return null;
  const isClosing = message.kind === 'incident_closed';
  const rows = await scope.run(sql<Pick<MessageRow, 'incident_uuid' | 'body'>>`
    select incident_uuid, body from deliveries join messages on messages.workspace_id = ${scope.id} and messages.uuid = message_uuid
    where deliveries.workspace_id = ${scope.id} and destination_uuid = ${destination_uuid}
      and told_by = ${isClosing ? delivery.told_by : message.uuid} and deliveries.state = 'joined'
      and kind = ${message.kind} order by messages.created_at, messages.uuid`);
  const incidents = [message, ...rows.filter(isMessageReadable)].map(incidentIn);
  const mayHaveArrived = ended_at !== null || refusals < attempts - 1;
  if (isClosing || attempts === 1 || mayHaveArrived) return ofEachFault(incidents);
  return ofEachFault(findUnsettled(incidents, message.kind, await readNow(scope, idsOf(incidents), now)));
}

/** A fault can come back while others of its cause go on: it's told once. */
function ofEachFault(incidents: readonly IncidentBody[]): IncidentBody[] {
  return Array.from(Map.groupBy(incidents, faultOf).values(), ([first]) => must(first));
}

const idsOf = (incidents: readonly IncidentBody[]) => incidents.map(({ incident }) => incident);

/** Those that still need to be told. One that keeps coming back is told also while it's right. */
export function findUnsettled(
  incidents: readonly IncidentBody[],
  kind: MessageRow['kind'],
  { isOver, isAccepted }: Now,
): IncidentBody[] {
  return incidents.filter(
    (body) => !isAccepted(faultOf(body)) && (kind === 'incident_unstable' || !isOver(body.incident)),
  );
}
