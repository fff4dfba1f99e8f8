import type { DeliveryState, MessageKind, Rules } from '#contract/notifications.ts';
import { type IncidentFacts, wantsIncident } from './rules.ts';

// Who is told what, decided when it is sent (docs/decisions/0039-notifications.md).

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
  facts: IncidentFacts;
};

/** What a destination was last told of a fault. `group`: the cause that it shares, else the fault. */
export type Told = { group: string; isUnstable: boolean };

/** `told`: by the fault, for those that aren't over for it. */
export type PlannedDestination = { uuid: string; rules: Rules; createdAt: number; told: ReadonlyMap<string, Told> };

/** What became of an incident, and of a fault. */
export type Now = {
  /** Whether it's over. */
  isOver: (incident: string) => boolean;
  /** Whether somebody accepted it. */
  isAccepted: (fault: string) => boolean;
};

type PlannedDelivery = {
  message: string;
  destination: string;
  state: Extract<DeliveryState, 'waiting' | 'joined' | 'dropped'>;
};

/**
 * Plans messages in the order in which they were made. Those whose cause was first seen less than a minute ago stay for the
 * next time. `now` is in milliseconds since the epoch.
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
  const ready = messages.filter(({ cause }) => cause === null || now - (firstOf.get(cause) ?? 0) >= GATHERED_FOR);
  return {
    deliveries: destinations.flatMap((destination) => planFor(destination, ready, state)),
    planned: ready.map(({ uuid }) => uuid),
  };
}

export const groupOf = ({ cause, fault }: Pick<IncidentMessage, 'cause' | 'fault'>) => cause ?? fault;

function planFor(
  destination: PlannedDestination,
  messages: readonly IncidentMessage[],
  current: Now,
): PlannedDelivery[] {
  const told = new Map(destination.told);
  return messages
    .filter(({ createdAt }) => createdAt >= destination.createdAt)
    .flatMap((message) => {
      const state = decide(destination.rules, told, message, current);
      return state === null ? [] : { message: message.uuid, destination: destination.uuid, state };
    });
}

/** Null if the destination didn't ask for it. Keeps `told` up to date. */
function decide(
  rules: Rules,
  told: Map<string, Told>,
  { fault, kind, facts, incident, cause }: IncidentMessage,
  { isOver, isAccepted }: Now,
): PlannedDelivery['state'] | null {
  const before = told.get(fault);
  if (before === undefined && !wantsIncident(rules, facts)) return null;
  if (kind === 'incident_closed') {
    if (before === undefined) return 'dropped';
    told.delete(fault);
    // The last of a group says that all are over.
    const isLast = ![...told].some(([other, { group }]) => group === before.group && !isAccepted(other));
    return isLast ? 'waiting' : 'joined';
  }
  // One that keeps coming back is told also while it's right.
  const isSettled = isAccepted(fault) || (kind === 'incident_opened' && isOver(incident));
  if (before === undefined && isSettled) return 'dropped';
  const now: Told = { group: groupOf({ cause, fault }), isUnstable: kind === 'incident_unstable' };
  const isKnown = [...told].some(
    ([other, one]) => other !== fault && one.group === now.group && one.isUnstable === now.isUnstable,
  );
  told.set(fault, now);
  return isKnown ? 'joined' : 'waiting';
}

/** What is left of deliveries in their order: what each fault was last told as, unless it is over. */
export function toldBy(
  delivered: readonly Pick<IncidentMessage, 'fault' | 'cause' | 'kind'>[],
): ReadonlyMap<string, Told> {
  const told = new Map<string, Told>();
  for (const { fault, cause, kind } of delivered) {
    if (kind === 'incident_closed') told.delete(fault);
    else told.set(fault, { group: groupOf({ cause, fault }), isUnstable: kind === 'incident_unstable' });
  }
  return told;
}
