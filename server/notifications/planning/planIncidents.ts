import { sql } from 'kysely';
import { INCIDENT_KINDS, type IncidentKind } from '#contract/domains/domainHistory.ts';
import { must } from '#contract/values/must.ts';
import type { Scope } from '../../database/scope.ts';
import { addDeliveries, type NewDelivery } from '../addDeliveries.ts';
import { insteadOf, recipientOf } from '../recipients.ts';
import { type DestinationRow, faultOf, incidentMessageOf, readEach, rulesOf } from '../storedMessages.ts';
import { type IncidentMessageKind, type Now, type PlannedDestination, planMessages } from './planMessages.ts';
import { wantsIncident } from './rules.ts';
import { recordTold, type Told } from './toldFaults.ts';

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
  const messages = readEach(rows, incidentMessageOf);
  const isOn = destinations.filter(({ disabled_at }) => disabled_at === null);
  const told = await readTold(scope, destinations);
  const askers = new Map(isOn.map((row) => [row.uuid, askersOf(row, destinations)]));
  const planned = isOn.map((row): PlannedDestination => ({
    uuid: row.uuid,
    // With those of the destinations that it stands in for.
    rules: { ...rulesOf(row), incidents: must(askers.get(row.uuid)).flatMap((one) => rulesOf(one).incidents) },
    createdAt: row.created_at,
    // Also the end of what they were told before they were switched off.
    told: new Map(
      must(askers.get(row.uuid))
        .toReversed()
        .flatMap(({ uuid }) => [...must(told.get(uuid))]),
    ),
  }));
  const incidents = messages.map(({ incident }) => incident);
  const plan = planMessages(messages, planned, await readNow(scope, incidents, now), now);
  const facts = new Map(messages.map((message) => [message.uuid, message.facts]));
  const deliveries = plan.deliveries.map((delivery): NewDelivery => {
    const [recipient, ...others] = must(askers.get(delivery.destination));
    const about = must(facts.get(delivery.message));
    const asker = [recipient, ...others].find((one) => wantsIncident(rulesOf(one), about));
    return { ...delivery, insteadOf: insteadOf(asker ?? recipient, recipient) };
  });
  await addDeliveries(scope, deliveries, now);
  const readable = new Set(messages.map(({ uuid }) => uuid));
  const done = [...plan.planned, ...rows.flatMap(({ uuid }) => (readable.has(uuid) ? [] : uuid))];
  if (done.length === 0) return false;
  await scope.update('messages').set({ planned_at: now }).where('uuid', 'in', done).execute();
  return rows.length === BATCH;
}

/** Those whose messages a destination gets: itself first. */
const askersOf = (recipient: DestinationRow, all: readonly DestinationRow[]): [DestinationRow, ...DestinationRow[]] => [
  recipient,
  ...all.filter((one) => one.uuid !== recipient.uuid && recipientOf(one, all)?.uuid === recipient.uuid),
];

type ToldRow = {
  kind: IncidentMessageKind;
  about: string;
  domain: string;
  subject: string;
  fault_kind: IncidentKind;
  destination: string | null;
  by: string;
  by_at: number;
};

/** What destinations were told of the faults that are open or have messages to plan, by their UUID. */
async function readTold(
  scope: Scope,
  destinations: readonly DestinationRow[],
): Promise<Map<string, Map<string, Told>>> {
  const told = new Map(destinations.map(({ uuid }) => [uuid, new Map<string, Told>()]));
  if (destinations.length === 0) return told;
  // From faults to messages: SQLite keeps the order of cross joins, and PostgreSQL finds its own.
  const rows = await scope.run(sql<ToldRow>`
    with faults as (
      select domain_uuid, subject, kind from incidents
      where workspace_id = ${scope.id} and (state <> 'closed' or is_unstable = 1)
      union select domain_uuid, subject, kind from incidents
      where workspace_id = ${scope.id} and uuid in (
        select incident_uuid from messages where workspace_id = ${scope.id} and planned_at is null))
    select messages.kind as kind, messages.about as about, faults.domain_uuid as domain, faults.subject as subject,
      faults.kind as fault_kind, destination_uuid as destination, coalesce(told_by, messages.uuid) as by,
      coalesce(tellers.created_at, messages.created_at) as by_at
    from faults cross join incidents cross join messages
    left join deliveries on deliveries.workspace_id = ${scope.id} and message_uuid = messages.uuid
      and deliveries.state in ('waiting', 'delivered', 'joined')
    left join messages as tellers on tellers.workspace_id = ${scope.id} and tellers.uuid = told_by
    where incidents.workspace_id = ${scope.id} and incidents.domain_uuid = faults.domain_uuid
      and incidents.subject = faults.subject and incidents.kind = faults.kind
      and messages.workspace_id = ${scope.id} and messages.incident_uuid = incidents.uuid
      and messages.planned_at is not null and (destination_uuid is not null or messages.kind = 'incident_closed')
    order by messages.created_at, messages.uuid`);
  for (const { kind, about, domain, subject, fault_kind, destination, by, by_at } of rows) {
    const fault = faultOf({ domain: { uuid: domain }, kind: fault_kind, subject });
    const message = { kind, about, fault };
    // An end counts also where it wasn't told.
    if (kind === 'incident_closed') for (const own of told.values()) recordTold(own, message, null);
    else if (destination !== null && told.has(destination))
      recordTold(must(told.get(destination)), message, { uuid: by, at: by_at });
  }
  return told;
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
