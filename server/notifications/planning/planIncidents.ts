import { sql } from 'kysely';
import { INCIDENT_KINDS } from '#contract/domainHistory.ts';
import type { Scope } from '../../database/scope.ts';
import { must } from '#contract/values/must.ts';
import { addDeliveries, type NewDelivery } from '../addDeliveries.ts';
import { insteadOf, recipientOf } from '../recipients.ts';
import { wantsIncident } from './rules.ts';
import { type Now, type PlannedDestination, planMessages, toldBy } from './planMessages.ts';
import { type DestinationRow, faultOf, incidentMessageOf, type MessageRow, rulesOf } from '../storedMessages.ts';

/** Messages in one transaction. */
const BATCH = 500;

/** Decides who gets the messages about incidents that wait for it. True if there may be more. */
export async function planIncidents(
  scope: Scope,
  destinations: readonly DestinationRow[],
  now: number,
): Promise<boolean> {
  const rows = await scope
    .select('messages')
    .selectAll()
    .where('planned_at', 'is', null)
    .orderBy('created_at')
    .orderBy('uuid')
    .limit(BATCH)
    .execute();
  if (rows.length === 0) return false;
  const messages = rows.map(incidentMessageOf);
  const told = destinations.length === 0 ? [] : await readTold(scope);
  const isOn = destinations.filter(({ disabled_at }) => disabled_at === null);
  const planned = isOn.map((row): PlannedDestination => ({
    uuid: row.uuid,
    // With those of the destinations that it stands in for.
    rules: { ...rulesOf(row), incidents: askersOf(row, destinations).flatMap((one) => rulesOf(one).incidents) },
    createdAt: row.created_at,
    told: toldBy(told.filter(({ destination, kind }) => destination === row.uuid || kind === 'incident_closed')),
  }));
  const incidents = messages.map(({ incident }) => incident);
  const plan = planMessages(messages, planned, await readNow(scope, incidents, now), now);
  const facts = new Map(messages.map((message) => [message.uuid, message.facts]));
  const deliveries = plan.deliveries.map((delivery): NewDelivery => {
    const recipient = must(isOn.find(({ uuid }) => uuid === delivery.destination));
    const about = must(facts.get(delivery.message));
    const asker = askersOf(recipient, destinations).find((one) => wantsIncident(rulesOf(one), about));
    return { ...delivery, insteadOf: insteadOf(asker ?? recipient, recipient) };
  });
  await addDeliveries(scope, deliveries, now);
  if (plan.planned.length === 0) return false;
  await scope.update('messages').set({ planned_at: now }).where('uuid', 'in', plan.planned).execute();
  return rows.length === BATCH;
}

/** Those whose messages a destination gets: itself first. */
const askersOf = (recipient: DestinationRow, all: readonly DestinationRow[]) => [
  recipient,
  ...all.filter((one) => one.uuid !== recipient.uuid && recipientOf(one, all)?.uuid === recipient.uuid),
];

type ToldRow = Pick<MessageRow, 'uuid' | 'created_at' | 'kind' | 'body'> & {
  destination: string | null;
  told_by: string | null;
};

/** What destinations were told of the faults that are open or have messages to plan, in its order. */
async function readTold(scope: Scope) {
  const rows = await scope.run(sql<ToldRow>`
    with faults as (
      select domain_uuid, subject, kind from incidents
      where workspace_id = ${scope.id} and (state <> 'closed' or is_unstable = 1)
      union select domain_uuid, subject, kind from incidents
      where workspace_id = ${scope.id} and uuid in (
        select incident_uuid from messages where workspace_id = ${scope.id} and planned_at is null))
    select messages.uuid as uuid, messages.created_at as created_at, messages.kind as kind, messages.body as body,
      destination_uuid as destination, told_by
    from faults join incidents on incidents.workspace_id = ${scope.id} and incidents.domain_uuid = faults.domain_uuid
      and incidents.subject = faults.subject and incidents.kind = faults.kind
    join messages on messages.workspace_id = ${scope.id} and messages.incident_uuid = incidents.uuid
    left join deliveries on deliveries.workspace_id = ${scope.id} and message_uuid = messages.uuid
      and deliveries.state in ('waiting', 'delivered', 'joined')
    where planned_at is not null and (destination_uuid is not null or messages.kind = 'incident_closed')
    order by messages.created_at, messages.uuid`);
  return rows.map(({ destination, told_by, ...row }) => ({ ...incidentMessageOf(row), destination, toldBy: told_by }));
}

/** What became of these incidents, and which faults are accepted. */
export async function readNow(scope: Scope, incidents: readonly string[], now: number): Promise<Now> {
  // Neither is asked about, and PostgreSQL takes no empty list.
  if (incidents.length === 0) return { isOver: () => false, isAccepted: () => false };
  const over = await scope
    .select('incidents')
    .select('uuid')
    .where('uuid', 'in', [...new Set(incidents)])
    .where('state', '=', 'closed')
    .execute();
  const overOnes = new Set(over.map(({ uuid }) => uuid));
  const rows = await scope
    .select('acceptances')
    .select(['domain_uuid', 'subject'])
    .where('ended_at', 'is', null)
    .where('until', '>', now)
    .execute();
  const accepted = new Set(
    rows.flatMap(({ domain_uuid: uuid, subject }) =>
      INCIDENT_KINDS.map((kind) => faultOf({ domain: { uuid }, kind, subject })),
    ),
  );
  return { isOver: (incident) => overOnes.has(incident), isAccepted: (fault) => accepted.has(fault) };
}
