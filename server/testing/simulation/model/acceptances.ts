import type { StoredLook } from '../looks.ts';
import type { AcceptedFault } from '../recording.ts';
import type { Departure } from './spans.ts';

/** An acceptance with its end, if it ended. */
export type ModelAcceptance = AcceptedFault & { endedAt: number | null };

type Before = { departures: readonly (Departure & { at: number })[]; looks: readonly StoredLook[] };

/** Ends each acceptance of a domain at the first of what ends it. */
export function modelAcceptances(accepted: readonly AcceptedFault[], before: Before): ModelAcceptance[] {
  return accepted.map((one) => ({ ...one, endedAt: endOf(one, accepted, before) }));
}

function endOf(one: AcceptedFault, all: readonly AcceptedFault[], { looks, departures }: Before): number | null {
  const ends = [
    one.takenBack,
    // Another took its place.
    all.find(
      (other) =>
        other !== one && other.subject === one.subject && other.at >= one.at && all.indexOf(other) > all.indexOf(one),
    )?.at,
    departures.find(({ left, looks: after }) => left === one.subject && after >= one.looks)?.at,
    endByLook(one, looks),
  ];
  const first = Math.min(...ends.map((end) => end ?? Infinity));
  return first === Infinity ? null : first;
}

/** The first look after it is over, or that finds another fault, or none. */
function endByLook({ looks: after, subject, code, found, until }: AcceptedFault, looks: readonly StoredLook[]) {
  for (const { at, seen } of looks.slice(after)) {
    if (at >= until) return until;
    const now = seen.get(subject);
    const isUnclear = now?.result === 'unknown' || now?.result === 'pending';
    if (!isUnclear && (now?.code !== code || now.found.join('\n') !== found.join('\n'))) return at;
  }
  return null;
}

export const isHolding = ({ at, until, endedAt }: ModelAcceptance, now: number) =>
  at <= now && now < Math.min(endedAt ?? Infinity, until);
