import type { DeliveryState, MessageKind, Rules } from '#contract/notifications.ts';
import { type IncidentFacts, wantsIncident } from './rules.ts';

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
  facts: IncidentFacts;
};

/** How a destination was told of a fault: by which message, with all of that cause (`group`), as broken or as unstable. */
export type Told = { by: string; group: string; isUnstable: boolean };

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
    .toSorted((one, other) => one.createdAt - other.createdAt || Number(isClosing(one)) - Number(isClosing(other)));
  return {
    deliveries: destinations.flatMap((destination) => planFor(destination, ready, state)),
    planned: ready.map(({ uuid }) => uuid),
  };
}

const isClosing = ({ kind }: IncidentMessage) => kind === 'incident_closed';

function planFor(destination: PlannedDestination, messages: readonly IncidentMessage[], state: Now): PlannedDelivery[] {
  const told = new Map(destination.told);
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
  told: Map<string, Told>,
  message: IncidentMessage,
  { isOver, isAccepted }: Now,
): Decision | null {
  const { uuid, fault, kind, incident } = message;
  const before = told.get(fault);
  if (before === undefined && !wantsIncident(rules, message.facts)) return null;
  // A group lasts as long as one of its faults that nobody accepts.
  const others = [...told].flatMap(([other, one]) => (other === fault || isAccepted(other) ? [] : one));
  if (kind === 'incident_closed') {
    if (before === undefined) return DROPPED;
    told.delete(fault);
    const isLast = others.every(({ by }) => by !== before.by);
    return { state: isLast ? 'waiting' : 'joined', toldBy: before.by };
  }
  // One that keeps coming back is told also while it's right.
  if (isAccepted(fault) || (kind === 'incident_opened' && isOver(incident))) return DROPPED;
  const now = toldAs(message);
  const known = others.find(({ group, isUnstable }) => group === now.group && isUnstable === now.isUnstable);
  told.set(fault, { ...now, by: known?.by ?? uuid });
  return known === undefined ? { state: 'waiting', toldBy: null } : { state: 'joined', toldBy: known.by };
}

function toldAs({ uuid, fault, cause, kind }: Pick<IncidentMessage, 'uuid' | 'fault' | 'cause' | 'kind'>): Told {
  return { by: uuid, group: cause ?? fault, isUnstable: kind === 'incident_unstable' };
}

/** How each fault was told, unless it's over: from messages in their order, of which closings count without a delivery. */
export function toldBy(
  delivered: readonly (Pick<IncidentMessage, 'uuid' | 'fault' | 'cause' | 'kind'> & { toldBy: string | null })[],
): ReadonlyMap<string, Told> {
  const told = new Map<string, Told>();
  for (const message of delivered) {
    if (message.kind === 'incident_closed') told.delete(message.fault);
    else told.set(message.fault, { ...toldAs(message), by: message.toldBy ?? message.uuid });
  }
  return told;
}
