import type { DeliveryState, MessageKind, Rules } from '#contract/notifications.ts';
import { type IncidentFacts, wantsIncident } from './rules.ts';
import { groupOf, type Told, ToldFaults } from './toldFaults.ts';

// Who is told which incidents (docs/decisions/0039-notifications.md).

/** Milliseconds for which a message with a cause waits for others with the same one. */
export const GATHERED_FOR = 60_000;

export type IncidentMessageKind = Extract<MessageKind, `incident_${string}`>;

/** A message about an incident. `fault` identifies the domain, its subject and the kind, which several incidents can have. */
export type IncidentMessage = {
  uuid: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
  kind: IncidentMessageKind;
  incident: string;
  fault: string;
  cause: string | null;
  /** The cause, or the UUID of the domain. */
  about: string;
  facts: IncidentFacts;
};

/** `told`: by the fault, for those that aren't over for it. */
export type PlannedDestination = { uuid: string; rules: Rules; createdAt: number; told: ReadonlyMap<string, Told> };

/** What became of an incident, and of a fault. */
export type Now = {
  /** Whether it's over. */
  isOver: (incident: string) => boolean;
  /** Whether somebody accepted it. */
  isAccepted: (fault: string) => boolean;
};

/** `toldBy`: the message that tells the fault with others of its cause; of a closing, the one that told it. */
type Decision = { state: Extract<DeliveryState, 'waiting' | 'joined' | 'dropped'>; toldBy: string | null };

export type PlannedDelivery = Decision & { message: string; destination: string };

/**
 * Plans messages in the order in which they were made; of one check, what begins before what ends, so that a cause that goes
 * on isn't over in between. Those whose cause was first seen less than a minute ago stay for the next time. `now` is in
 * milliseconds since the epoch.
 */
export function planMessages(
  messages: readonly IncidentMessage[],
  destinations: readonly PlannedDestination[],
  state: Now,
  now: number,
): { deliveries: PlannedDelivery[]; planned: string[] } {
  const firstOf = new Map<string, number>();
  for (const { cause, createdAt } of messages) {
    if (cause !== null) firstOf.set(cause, Math.min(firstOf.get(cause) ?? Infinity, createdAt));
  }
  const ready = messages
    .filter(({ cause }) => cause === null || now - (firstOf.get(cause) ?? 0) >= GATHERED_FOR)
    .toSorted((one, other) => one.createdAt - other.createdAt || rankOf(one) - rankOf(other));
  return {
    deliveries: destinations.flatMap((destination) => planFor(destination, ready, state)),
    planned: ready.map(({ uuid }) => uuid),
  };
}

/** What begins comes before what ends, and what is broken, which gives the message its title, before what could be better. */
const rankOf = ({ kind, facts }: IncidentMessage) =>
  (kind === 'incident_closed' ? 2 : 0) + (facts.kind === 'weak' ? 1 : 0);

function planFor(destination: PlannedDestination, messages: readonly IncidentMessage[], state: Now): PlannedDelivery[] {
  const told = new ToldFaults(destination.told, state.isAccepted);
  return messages
    .filter(({ createdAt }) => createdAt >= destination.createdAt)
    .flatMap((message) => {
      const decision = decide(destination.rules, told, message, state);
      return decision === null ? [] : { message: message.uuid, destination: destination.uuid, ...decision };
    });
}

const DROPPED: Decision = { state: 'dropped', toldBy: null };

/** Null if the destination didn't ask for it. Keeps `told` up to date. */
function decide(
  rules: Rules,
  told: ToldFaults,
  message: IncidentMessage,
  { isOver, isAccepted }: Now,
): Decision | null {
  const { uuid, fault, kind, incident, createdAt: at } = message;
  const before = told.find(fault);
  if (before === undefined && !wantsIncident(rules, message.facts)) return null;
  if (kind === 'incident_closed') {
    if (before === undefined) return DROPPED;
    told.delete(fault);
    return { state: told.isLiving(before.by) ? 'joined' : 'waiting', toldBy: before.by.uuid };
  }
  // One that keeps coming back is told also while it's right.
  if (isAccepted(fault) || (kind === 'incident_opened' && isOver(incident))) return DROPPED;
  const group = groupOf(message);
  told.delete(fault);
  const open = told.findOpen(group, message.cause !== null, at);
  told.add(fault, { by: open ?? { uuid, at }, group });
  return open === null ? { state: 'waiting', toldBy: null } : { state: 'joined', toldBy: open.uuid };
}
