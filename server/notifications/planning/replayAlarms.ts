import { INCIDENT_KINDS } from '#contract/domains/domainHistory.ts';
import type { Rules } from '#contract/notifications.ts';
import { must } from '#contract/values/must.ts';
import type { Scope } from '../../database/scope.ts';
import { titleOf } from '../describeMessage.ts';
import {
  GATHERED_FOR,
  type IncidentMessage,
  type Now,
  type PlannedDelivery,
  type PlannedDestination,
  planMessages,
} from './planMessages.ts';
import { wantsIncident } from './rules.ts';
import { recordTold, type Told } from './toldFaults.ts';
import {
  areRulesReadable,
  faultOf,
  incidentMessageOf,
  isMessageReadable,
  type MessageRow,
  rulesOf,
} from '../storedMessages.ts';

/** A message that would have been sent. `at` is in milliseconds since the epoch; `to`: a destination, or the rule that asks for it. */
export type ReplayedMessage = { at: number; to: string; title: string };

type Acceptance = { domain_uuid: string; subject: string; accepted_at: number; until: number; ended_at: number | null };

/**
 * What would have been sent since a time, planned step by step from the stored messages: by `rules`, or by those of all
 * destinations if that's null. As if all receivers had responded.
 */
export async function replayAlarms(scope: Scope, since: number, rules: Rules | null): Promise<ReplayedMessage[]> {
  const stored = await scope
    .select('messages')
    .selectAll()
    .where('incident_uuid', 'is not', null)
    .where('created_at', '>=', since)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
  const rows = stored.filter(isMessageReadable);
  const acceptances: Acceptance[] = await scope.select('acceptances').selectAll().execute();
  const all = rules === null ? await scope.select('destinations').selectAll().execute() : [];
  const destinations = all.filter(areRulesReadable);
  const named =
    rules === null ? destinations.map((row) => ({ name: row.name, rules: rulesOf(row) })) : [{ name: null, rules }];
  const bodies = new Map(rows.map((row) => [row.uuid, row]));
  return planAll(rows.map(incidentMessageOf), named, acceptances).map(({ at, message, destination }) => {
    const row = must(bodies.get(message));
    const { name, rules: own } = must(named[Number(destination)]);
    return { at, to: name ?? nameOfRule(own, row), title: titleOf(row) };
  });
}

/** The first rule that asks for an incident. */
function nameOfRule(rules: Rules, row: MessageRow): string {
  const { facts } = incidentMessageOf(row);
  const index = rules.incidents.findIndex((rule) => wantsIncident({ ...rules, incidents: [rule] }, facts));
  return index === -1 ? 'told before' : `rule ${index + 1}`;
}

/** Deliveries that would have waited for their attempt; `destination` is an index. */
function planAll(
  messages: readonly IncidentMessage[],
  named: readonly { rules: Rules }[],
  acceptances: readonly Acceptance[],
): (PlannedDelivery & { at: number })[] {
  const sent: (PlannedDelivery & { at: number })[] = [];
  const told = named.map(() => new Map<string, Told>());
  const byUuid = new Map(messages.map((message) => [message.uuid, message]));
  let waiting: IncidentMessage[] = [];
  let next = 0;
  // When the job comes by with something to do: at each message, and a minute later.
  const steps = new Set(messages.flatMap(({ createdAt }) => [createdAt, createdAt + GATHERED_FOR]));
  for (const at of [...steps].toSorted((a, b) => a - b)) {
    for (; next < messages.length && must(messages[next]).createdAt <= at; next++) waiting.push(must(messages[next]));
    if (waiting.length === 0) continue;
    const destinations = named.map(({ rules }, index): PlannedDestination => ({
      uuid: String(index),
      rules,
      createdAt: 0,
      told: must(told[index]),
    }));
    const { deliveries, planned } = planMessages(waiting, destinations, stateAt(at, messages, acceptances), at);
    const isPlanned = new Set(planned);
    for (const [index, own] of told.entries()) {
      const of = new Map(deliveries.flatMap((one) => (one.destination === String(index) ? [[one.message, one]] : [])));
      for (const uuid of planned) {
        const message = must(byUuid.get(uuid));
        const delivery = of.get(uuid);
        if (delivery?.state === 'waiting') sent.push({ ...delivery, at });
        const teller = byUuid.get(delivery?.toldBy ?? uuid);
        const isTold = delivery !== undefined && delivery.state !== 'dropped';
        recordTold(own, message, isTold && teller !== undefined ? { uuid: teller.uuid, at: teller.createdAt } : null);
      }
    }
    waiting = waiting.filter(({ uuid }) => !isPlanned.has(uuid));
  }
  return sent;
}

function stateAt(at: number, messages: readonly IncidentMessage[], acceptances: readonly Acceptance[]): Now {
  const over = new Set(
    messages.flatMap(({ kind, createdAt, incident }) =>
      kind === 'incident_closed' && createdAt <= at ? [incident] : [],
    ),
  );
  const accepted = new Set(
    acceptances
      .filter(({ accepted_at, until, ended_at }) => accepted_at <= at && at < (ended_at ?? until))
      .flatMap(({ domain_uuid: uuid, subject }) =>
        INCIDENT_KINDS.map((kind) => faultOf({ domain: { uuid }, kind, subject })),
      ),
  );
  return { isOver: (incident) => over.has(incident), isAccepted: (fault) => accepted.has(fault) };
}
