import type { Rule } from '#contract/notifications.ts';
import type { RecordedDestination } from '../recording.ts';
import type { ModelEvent } from './incidents.ts';

const MINUTE = 60_000;
/** For so long a message speaks for what else breaks by its cause. */
const TWO_HOURS = 120 * MINUTE;

/** A message that must arrive, once. `members`: what it tells, as `domain kind subject`. */
export type ModelMessage = { at: number; to: string; type: ModelEvent['what']; members: string[] };

type Names = ReadonlyMap<string, string>;
/** Faults that a destination was told of with one message, and those of them that are over. */
type Group = { at: number; cause: string; isUnstable: boolean; running: Set<string>; over: Set<string> };

const ends = (event: ModelEvent) => Number(event.what === 'incident.closed');
const faultOf = ({ incident: { domain, kind, subject } }: ModelEvent) => `${domain} ${kind} ${subject}`;

/**
 * What a destination must get, given when the job came by. `isAccepted`: whether somebody accepts the fault of an event at
 * a time.
 */
export function modelMessages(
  events: readonly ModelEvent[],
  steps: readonly number[],
  destination: RecordedDestination,
  { names, isAccepted }: { names: Names; isAccepted: (fault: string, now: number) => boolean },
): ModelMessage[] {
  const messages: ModelMessage[] = [];
  const groups: Group[] = [];
  for (const [now, due] of planned(events, steps)) {
    const begun = new Map<Group, ModelMessage>();
    const tell = (type: ModelEvent['what'], members: string[]) => {
      const message = { at: now, to: destination.name, type, members };
      messages.push(message);
      return message;
    };
    for (const event of due) {
      if (event.at < destination.createdAt) continue;
      const fault = faultOf(event);
      const told = groups.find(({ running }) => running.has(fault));
      if (told === undefined && !isWanted(destination.rules.incidents, event, names)) continue;
      const isLive = (one: string) => one !== fault && !isAccepted(one, now);
      if (event.what === 'incident.closed') {
        if (told === undefined) continue;
        told.running.delete(fault);
        told.over.add(fault);
        if ([...told.running].some(isLive)) continue;
        tell('incident.closed', [...told.over]);
        continue;
      }
      const isUnstable = event.what === 'incident.unstable';
      const isOver = event.incident.closedAt !== null && event.incident.closedAt <= now;
      if (isAccepted(fault, now) || (isOver && !isUnstable)) continue;
      // Without a cause a message speaks for what the same check of the domain found.
      const cause = event.fault.cause ?? event.incident.domain;
      const lasting = event.fault.cause === null ? 0 : TWO_HOURS;
      told?.running.delete(fault);
      const group = groups.findLast(
        (one) =>
          one.cause === cause &&
          one.isUnstable === isUnstable &&
          event.at - one.at <= lasting &&
          [...one.running].some(isLive),
      );
      if (group === undefined) {
        const own: Group = { at: event.at, cause, isUnstable, running: new Set([fault]), over: new Set() };
        groups.push(own);
        begun.set(own, tell(event.what, [fault]));
      } else {
        group.running.add(fault);
        begun.get(group)?.members.push(fault);
      }
    }
  }
  return messages;
}

/** The events that are planned at each step: what has a cause waits until the first with it is a minute old. */
function* planned(events: readonly ModelEvent[], steps: readonly number[]): Generator<[number, ModelEvent[]]> {
  let next = 0;
  let waiting: ModelEvent[] = [];
  for (const now of steps) {
    for (let event = events[next]; event !== undefined && event.at <= now; event = events[++next]) waiting.push(event);
    if (waiting.length === 0) continue;
    const isDue = ({ fault: { cause } }: ModelEvent) =>
      cause === null || waiting.some((one) => one.fault.cause === cause && now - one.at >= MINUTE);
    const due = waiting.filter(isDue);
    waiting = waiting.filter((event) => !due.includes(event));
    // Of one moment, what begins comes before what ends.
    if (due.length > 0) yield [now, due.toSorted((one, other) => one.at - other.at || ends(one) - ends(other))];
  }
}

function isWanted(rules: readonly Rule[], { incident, fault }: ModelEvent, names: Names): boolean {
  const name = names.get(incident.domain) ?? '';
  return rules.some(
    ({ turns, kinds, domains }) =>
      (turns === undefined || (fault.turn !== null && turns.includes(fault.turn))) &&
      (kinds === undefined || kinds.includes(incident.kind)) &&
      (domains === undefined ||
        domains.some((one) => one === name || (one.startsWith('*.') && name.endsWith(one.slice(1))))),
  );
}
