import type { DomainState } from '#contract/domains/domainState.ts';
import type { Seen, StoredLook } from '../looks.ts';
import type { Departure } from './spans.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What is known of a domain at a time: of each subject that is still listed, what the last look found. */
export type Known = { seen: ReadonlyMap<string, Seen>; accepted: ReadonlySet<string>; stored: Stored };

/** What the service says of the records in the interface: which are valid, and the whole. */
type Stored = { valid: ReadonlyMap<string, boolean>; status: 'pending' | 'completed' | 'failed' };

const isRecord = (subject: string) => subject.includes(' ');

/** Records become valid with one success, and invalid with a failure five minutes after the first. */
export function modelStored(
  looks: readonly StoredLook[],
  departures: readonly Departure[],
  listed: readonly string[],
  start: number,
): Stored {
  const valid = new Map<string, boolean>();
  const failedAt = new Map<string, number>();
  let status: Stored['status'] = 'pending';
  let changedAt = start;
  for (const [index, { at, seen }] of looks.entries()) {
    for (const { left } of departures.filter((one) => one.looks === index)) {
      valid.delete(left);
      failedAt.clear();
    }
    const records = [...seen].filter(([subject]) => isRecord(subject));
    for (const [subject, { result }] of records) {
      const was = valid.get(subject) ?? false;
      if (result === 'ok' || result === 'warn') valid.set(subject, true);
      else if (result === 'fail' && was && at - (failedAt.get(subject) ?? at) >= 5 * MINUTE) valid.set(subject, false);
      else valid.set(subject, was);
      if (result === 'fail' && valid.get(subject) === true) failedAt.set(subject, failedAt.get(subject) ?? at);
      else if (result !== 'unknown') failedAt.delete(subject);
      if (was !== valid.get(subject)) changedAt = at;
    }
    const isDecided = records.some(([, { result }]) => result === 'ok' || result === 'warn' || result === 'fail');
    if (!isDecided) continue;
    const areValid = records.every(([subject]) => valid.get(subject) === true);
    if (areValid && failedAt.size === 0) status = 'completed';
    else if (!areValid) status = status === 'pending' && at - changedAt < 3 * DAY ? 'pending' : 'failed';
  }
  return { valid: new Map(listed.map((subject) => [subject, valid.get(subject) ?? false])), status };
}

/** The one state of a domain: an accepted fault doesn't count. */
export function modelState({ seen, accepted, stored }: Known): DomainState {
  const counted = new Set([...seen].flatMap(([subject, { result }]) => (accepted.has(subject) ? [] : result)));
  if (counted.has('fail')) return 'failing';
  if (counted.has('pending')) return 'pending';
  const isFailureAccepted = [...accepted].some((subject) => seen.get(subject)?.result === 'fail');
  if (!isFailureAccepted && stored.status === 'failed') return 'failing';
  if (!isFailureAccepted && stored.status === 'pending') return 'pending';
  const others = [...stored.valid].filter(([subject]) => !isFailureAccepted || !accepted.has(subject));
  if (others.some(([, isValid]) => !isValid)) return 'failing';
  return counted.has('warn') ? 'warning' : 'healthy';
}
