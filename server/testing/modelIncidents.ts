import * as fc from 'fast-check';
import type { Observation, Told } from '../domains/history/nextIncident.ts';

// What should be opened, closed and told, found in all checks at once.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type IncidentEvent = [at: number, what: Told | 'silent opening' | 'silent closing'];

/** The unbroken row of the same verdict that ends with check `at`, back to check `from`. */
function streak(checks: readonly Observation[], at: number, from: number): Observation[] {
  let start = at;
  while (start > from && checks[start - 1]?.verdict === checks[at]?.verdict) start--;
  return checks.slice(start, at + 1);
}

/** `isAcceptanceOver`: whether an acceptance ended before a check and after the time when the fault was told. */
export function modelIncidents(
  checks: readonly Observation[],
  isAcceptanceOver = (check: number, _toldAt: number) => checks[check]?.isAcceptanceOver === true,
): IncidentEvent[] {
  const events: IncidentEvent[] = [];
  const openings: number[] = [];
  let isOpen = false;
  let isUnstable = false;
  let from = 0;
  for (const [index, { at, verdict, isGone }] of checks.entries()) {
    const sinceOpening = at - (openings.at(-1) ?? -Infinity);
    const isSilent: boolean = isUnstable && sinceOpening < DAY;
    const isTurning = verdict === (isOpen ? 'right' : 'failing');
    const same = isTurning ? streak(checks, index, from) : [];
    const age = at - (same[0]?.at ?? at);
    if (!isOpen && verdict === 'failing' && same.length > 1 && age >= (isGone ? 3 : 10) * MINUTE) {
      openings.push(at);
      isOpen = true;
      from = index + 1;
      const many = openings.filter((time) => at - time < DAY).length > 3;
      events.push([at, isSilent ? 'silent opening' : many ? 'incident_unstable' : 'incident_opened']);
      isUnstable = isSilent || many;
    } else if (isOpen && verdict === 'right' && same.length > 1 && age >= 10 * MINUTE) {
      isOpen = false;
      from = index + 1;
      events.push([at, isSilent ? 'silent closing' : 'incident_closed']);
      isUnstable = isSilent;
    } else if (
      isOpen &&
      verdict === 'failing' &&
      !isSilent &&
      !isUnstable &&
      isAcceptanceOver(index, events.findLast(([, what]) => what.startsWith('incident_'))?.[0] ?? -Infinity)
    ) {
      events.push([at, 'incident_opened']);
    } else if (isUnstable && !isSilent && verdict === (isOpen ? 'failing' : 'right')) {
      // The calm day is over: how it is now.
      isUnstable = false;
      events.push([at, isOpen ? 'incident_opened' : 'incident_closed']);
    }
  }
  return events;
}

/** Checks of one subject, with times from 0. */
export const anyChecks = fc
  .array(
    fc.record({
      after: fc.constantFrom(MINUTE, 3 * MINUTE, 10 * MINUTE, 10 * MINUTE, HOUR, 13 * HOUR),
      verdict: fc.constantFrom<Observation['verdict']>('failing', 'failing', 'right', 'right', 'unclear', 'accepted'),
      isGone: fc.boolean(),
      isAcceptanceOver: fc.boolean(),
      times: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 60 },
  )
  .map((steps) => {
    let at = 0;
    return steps.flatMap(({ after, times, ...seen }) =>
      Array.from({ length: times }, () => ({ at: (at += after), ...seen })),
    );
  });
