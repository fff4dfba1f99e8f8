import type { Action } from '#contract/change.ts';
import type { MessageKind } from '#contract/notifications.ts';
import { parseJson } from '#contract/values/json.ts';
import type { LineSummary } from '../../database/changeLog/lineSummary.ts';
import { lookUp } from '../../database/lookUp.ts';
import type { Scope } from '../../database/scope.ts';
import { timestamp } from '../../database/timestamp.ts';
import { addDeliveries, type NewDelivery } from '../addDeliveries.ts';
import { insteadOf, recipientOf } from '../recipients.ts';
import { type DestinationRow, rulesOf } from '../storedMessages.ts';

/** Lines of the log that are read for a destination in one transaction. */
const LINES = 500;

/**
 * Reads the log on from where each destination's last reading ended, so that a write of a contact costs nothing more. The
 * message has the UUID of the line, so all destinations share it. True if there are more lines. Those that are off read too: for
 * their fallback, or for nobody.
 */
export async function planContactChanges(
  scope: Scope,
  destinations: readonly DestinationRow[],
  now: number,
): Promise<boolean> {
  const { log_count } = await scope.select('workspace_heads').select('log_count').executeTakeFirstOrThrow();
  let hasMore = false;
  for (const destination of destinations) {
    const { uuid, log_number } = destination;
    if (log_number >= log_count || !rulesOf(destination).contact_changes) continue;
    const recipient = recipientOf(destination, destinations);
    const last = recipient === null ? log_count : Math.min(log_number + LINES, log_count);
    if (recipient !== null) {
      const to = { destination: recipient.uuid, insteadOf: insteadOf(destination, recipient) };
      await planLines(scope, to, log_number, last, now);
    }
    await scope.update('destinations').set({ log_number: last }).where('uuid', '=', uuid).execute();
    hasMore ||= last < log_count;
  }
  return hasMore;
}

async function planLines(
  scope: Scope,
  to: Pick<NewDelivery, 'destination' | 'insteadOf'>,
  after: number,
  last: number,
  now: number,
): Promise<void> {
  const lines = await scope
    .select('changes')
    .select(['uuid', 'created_at', 'action', 'contact_uuid', 'subscribed', 'number'])
    .where('number', '>', after)
    .where('number', '<=', last)
    .where('contact_uuid', 'is not', null)
    .where((eb) => eb.or([eb('subscribed', 'is not', null), eb('action', '=', 'person_erase')]))
    .orderBy('number')
    .execute();
  if (lines.length === 0) return;
  const suppressions = await readSuppressions(
    scope,
    lines.flatMap(({ subscribed, number }) => (subscribed === 0 ? number : [])),
  );
  const messages = lines.map(({ uuid, created_at, action, contact_uuid, subscribed, number }) => ({
    uuid,
    created_at,
    kind: kindOf(action, subscribed),
    about: String(contact_uuid),
    incident_uuid: null,
    contact_uuid,
    log_number: number,
    planned_at: now,
    body: JSON.stringify({
      contact: contact_uuid,
      at: timestamp(created_at),
      line: { uuid, number },
      ...(subscribed === 0 && { suppression: suppressions.get(number) ?? null }),
    }),
  }));
  await scope
    .insert('messages', messages)
    .onConflict((conflict) => conflict.columns(['workspace_id', 'uuid']).doNothing())
    .execute();
  const deliveries = lines.map(({ uuid }) => ({ message: uuid, ...to, state: 'waiting' as const }));
  await addDeliveries(scope, deliveries, now);
}

/** What was said, by the number of the line. Without the ticket, which may name somebody. */
async function readSuppressions(scope: Scope, numbers: readonly number[]) {
  const summaries = await lookUp<number, string>(
    scope,
    { table: 'change_values', fixed: {}, key: 'number' },
    'summary',
    numbers,
  );
  return new Map(
    Array.from(summaries, ([number, summary]) => {
      const { suppression } = (parseJson(summary) ?? {}) as Partial<LineSummary>;
      return [number, suppression && { reason: suppression.reason, origin: suppression.origin }];
    }),
  );
}

function kindOf(action: Action, subscribed: number | null): MessageKind {
  if (action === 'person_erase') return 'contact_erased';
  return subscribed === 0 ? 'contact_unsubscribed' : 'contact_subscribed';
}
