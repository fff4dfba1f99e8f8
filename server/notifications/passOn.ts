import type { Scope } from '../database/scope.ts';
import { addDeliveries, type NewDelivery } from './addDeliveries.ts';
import { findUnsettled } from './claim.ts';
import { type Ended, endAllDeliveries } from './endDelivery.ts';
import { readNow } from './planning/planIncidents.ts';
import { describeAbsence, fallbackOf } from './recipients.ts';
import { type DestinationRow, incidentIn, isMessageReadable, type MessageRow } from './storedMessages.ts';

/** Of a destination that is switched off: what waits for it goes to its fallback. */
export async function handOver(scope: Scope, destination: DestinationRow, reason: string, now: number): Promise<void> {
  await passOn(scope, destination, await endAllDeliveries(scope, destination.uuid, reason, now), reason, now);
}

/**
 * Gives what didn't arrive to the fallback of its destination, with the reason. Not what is over or accepted by now, and no
 * closings: the fallback gets its own once it was told.
 */
export async function passOn(
  scope: Scope,
  destination: DestinationRow,
  ended: readonly Ended[],
  reason: string,
  now: number,
): Promise<void> {
  const fallback = await findFallback(scope, destination);
  if (fallback === null || ended.length === 0) return;
  const messages = new Map((await readMessages(scope, ended)).filter(isMessageReadable).map((row) => [row.uuid, row]));
  const incidents = [...messages.values()].flatMap(({ incident_uuid }) => incident_uuid ?? []);
  const current = await readNow(scope, incidents, now);
  const isWanted = (row: MessageRow | undefined) => {
    if (row === undefined || row.kind === 'incident_closed') return false;
    return row.incident_uuid === null || findUnsettled([incidentIn(row)], row.kind, current).length > 0;
  };
  const wanted = ended.filter(({ message_uuid }) => isWanted(messages.get(message_uuid)));
  // The one that tells the others goes too, also if its own fault is over.
  const leads = new Set(
    wanted.map(({ message_uuid, told_by }) => (told_by !== null && messages.has(told_by) ? told_by : message_uuid)),
  );
  const insteadOf = describeAbsence(destination.name, reason);
  const passed = ended.flatMap(({ message_uuid, told_by }): NewDelivery[] => {
    const isLead = leads.has(message_uuid);
    if (!isLead && !isWanted(messages.get(message_uuid))) return [];
    const state = isLead ? 'waiting' : 'joined';
    return [{ message: message_uuid, destination: fallback.uuid, state, toldBy: isLead ? null : told_by, insteadOf }];
  });
  await addDeliveries(scope, passed, now);
}

/** The first of its fallbacks that is on; null if there is none. */
export async function findFallback(scope: Scope, destination: DestinationRow): Promise<DestinationRow | null> {
  if (destination.fallback_uuid === null) return null;
  return fallbackOf(destination, await scope.select('destinations').selectAll().execute());
}

/** Of one statement: SQLite takes 32,766 values. */
const ROWS = 500;

async function readMessages(scope: Scope, ended: readonly Ended[]): Promise<MessageRow[]> {
  const rows: MessageRow[] = [];
  for (let from = 0; from < ended.length; from += ROWS) {
    const uuids = ended.slice(from, from + ROWS).map(({ message_uuid }) => message_uuid);
    rows.push(...(await scope.select('messages').selectAll().where('uuid', 'in', uuids).execute()));
  }
  return rows;
}
