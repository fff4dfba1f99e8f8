import { type Selectable, sql } from 'kysely';
import { INCIDENT_KINDS } from '#contract/domainHistory.ts';
import type { MessageKind, Rules } from '#contract/notifications.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { Workspace } from '../database/workspace.ts';
import { planContactChanges } from './contactChanges.ts';
import {
  type IncidentMessage,
  type IncidentMessageKind,
  type Now,
  type PlannedDestination,
  planMessages,
  toldBy,
} from './planMessages.ts';
import type { IncidentFacts } from './rules.ts';
import { planSummaries } from './summaries.ts';

export type DestinationRow = Selectable<Tables['destinations']>;
export type MessageRow = Selectable<Tables['messages']>;

/** As the part of a message that says what happened is stored. */
export type IncidentBody = IncidentFacts & {
  incident: string;
  domain: { uuid: string; name: string };
  subject: string;
  code: string;
  cause: string | null;
  failed_at: string;
  opened_at: string | null;
  closed_at: string | null;
};

/** Messages in one transaction. */
const BATCH = 500;

/** Decides who gets the messages of a workspace that are due. `now` is in milliseconds since the epoch. */
export async function planWorkspace(workspace: Workspace, db: Database, now: number): Promise<void> {
  await db.write(workspace, async (scope) => {
    const destinations = await scope.select('destinations').selectAll().where('disabled_at', 'is', null).execute();
    await planIncidents(scope, destinations, now);
    await planContactChanges(scope, destinations, now);
    await planSummaries(scope, destinations, now);
  });
}

async function planIncidents(scope: Scope, destinations: readonly DestinationRow[], now: number): Promise<void> {
  const rows = await scope
    .select('messages')
    .selectAll()
    .where('planned_at', 'is', null)
    .orderBy('created_at')
    .orderBy('uuid')
    .limit(BATCH)
    .execute();
  if (rows.length === 0) return;
  const messages = rows.map(incidentMessageOf);
  const incidents = [...new Set(messages.map(({ incident }) => incident))];
  const told = destinations.length === 0 ? [] : await readTold(scope, incidents);
  const planned = destinations.map(({ uuid, rules, created_at }): PlannedDestination => ({
    uuid,
    rules: JSON.parse(rules) as Rules,
    createdAt: created_at,
    told: toldBy(told.filter(({ destination }) => destination === uuid)),
  }));
  const plan = planMessages(messages, planned, await readNow(scope, incidents), now);
  for (const { message, destination, state } of plan.deliveries) {
    await addDelivery(scope, message, destination, state, now);
  }
  if (plan.planned.length === 0) return;
  await scope.update('messages').set({ planned_at: now }).where('uuid', 'in', plan.planned).execute();
}

/** A message goes to a destination once, also if it is the fallback of another: `insteadOf` says of which, and why. */
export async function addDelivery(
  scope: Scope,
  message: string,
  destination: string,
  state: 'waiting' | 'joined' | 'dropped',
  now: number,
  insteadOf: string | null = null,
): Promise<void> {
  const isWaiting = state === 'waiting';
  await scope
    .insert('deliveries', {
      message_uuid: message,
      destination_uuid: destination,
      state,
      created_at: now,
      next_at: isWaiting ? now : null,
      ended_at: isWaiting ? null : now,
      last_error: null,
      instead_of: insteadOf,
    })
    .onConflict((conflict) => conflict.columns(['workspace_id', 'message_uuid', 'destination_uuid']).doNothing())
    .execute();
}

export function incidentMessageOf(row: Pick<MessageRow, 'uuid' | 'created_at' | 'kind' | 'body'>): IncidentMessage {
  const body = JSON.parse(row.body) as IncidentBody;
  return {
    uuid: row.uuid,
    createdAt: row.created_at,
    kind: row.kind as IncidentMessageKind,
    incident: body.incident,
    fault: faultOf(body),
    cause: body.cause,
    facts: body,
  };
}

/** Identifies a fault, whatever the incident. */
export const faultOf = ({
  domain,
  kind,
  subject,
}: Pick<IncidentBody, 'kind' | 'subject'> & { domain: { uuid: string } }) => `${domain.uuid} ${kind} ${subject}`;

type ToldRow = { destination: string; kind: MessageKind; body: string };

/** What destinations were told of the faults of these incidents, and of those that are open, in its order. */
async function readTold(scope: Scope, incidents: readonly string[]) {
  const rows = await scope.run(sql<ToldRow>`
    with faults as (
      select domain_uuid, subject, kind from incidents
      where workspace_id = ${scope.id} and (state <> 'closed' or is_unstable = 1)
      union select domain_uuid, subject, kind from incidents
      where workspace_id = ${scope.id} and uuid in (${sql.join(incidents)}))
    select destination_uuid as destination, messages.kind as kind, messages.body as body
    from faults join incidents on incidents.workspace_id = ${scope.id} and incidents.domain_uuid = faults.domain_uuid
      and incidents.subject = faults.subject and incidents.kind = faults.kind
    join messages on messages.workspace_id = ${scope.id} and messages.incident_uuid = incidents.uuid
    join deliveries on deliveries.workspace_id = ${scope.id} and message_uuid = messages.uuid
    where planned_at is not null and deliveries.state <> 'dropped'
    order by messages.created_at, messages.uuid`);
  return rows.map(({ destination, kind, body }) => {
    const parsed = JSON.parse(body) as IncidentBody;
    return { destination, kind: kind as IncidentMessageKind, fault: faultOf(parsed), cause: parsed.cause };
  });
}

/** What became of these incidents, and which faults are accepted. */
export async function readNow(scope: Scope, incidents: readonly string[]): Promise<Now> {
  const over = await scope
    .select('incidents')
    .select('uuid')
    .where('uuid', 'in', incidents)
    .where('state', '=', 'closed')
    .execute();
  const overOnes = new Set(over.map(({ uuid }) => uuid));
  const rows = await scope
    .select('acceptances')
    .select(['domain_uuid', 'subject'])
    .where('ended_at', 'is', null)
    .execute();
  const accepted = new Set(
    rows.flatMap(({ domain_uuid: uuid, subject }) =>
      INCIDENT_KINDS.map((kind) => faultOf({ domain: { uuid }, kind, subject })),
    ),
  );
  return { isOver: (incident) => overOnes.has(incident), isAccepted: (fault) => accepted.has(fault) };
}
