// When a fault is told, and when it's over (docs/decisions/0038-domain-history.md).

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Milliseconds between two checks that open or close an incident. */
const CHECKS_APART = 10 * MINUTE;
/** The same where all name servers of the zone say that the record is gone. */
const GONE_APART = 3 * MINUTE;
/** Openings within a day that are told one by one. */
const OPENINGS_MAX = 3;

/** What a check says about one fault. `unclear`: it couldn't tell, or a change spreads. */
export type Observation = {
  /** When the check began, in milliseconds since the epoch. */
  at: number;
  verdict: 'failing' | 'accepted' | 'right' | 'unclear';
  /** Whether all name servers of the zone say that the record is gone. */
  isGone: boolean;
  /** Whether an acceptance of the fault has ended since the fault was told. */
  isAcceptanceOver: boolean;
};

export type OpenedIncident = {
  failedAt: number;
  openedAt: number;
  /** The first right check since the last failing one. */
  rightAt: number | null;
  closedAt: number | null;
  /** Whether it was opened too often, and no calm day was seen since. */
  isUnstable: boolean;
};

/** A fault of one subject. `suspectSince`: the first failing check of those that haven't opened an incident. */
export type Fault = { suspectSince: number | null; last: OpenedIncident | null };

export type Told = 'incident_opened' | 'incident_closed' | 'incident_unstable';

/** The fault after a check, and what is told. `openings`: when it was opened before; only those of the last day count. */
export function nextIncident(
  { suspectSince, last }: Fault,
  openings: readonly number[],
  seen: Observation,
): { fault: Fault; told: Told | null } {
  if (last !== null && last.closedAt === null) {
    const { incident, told } = nextOpen(last, seen);
    return { fault: { suspectSince: null, last: incident }, told };
  }
  if (seen.verdict !== 'failing') {
    const isCalm = seen.verdict === 'right' && last?.isUnstable === true && !isSilent(last, seen.at);
    return {
      fault: { suspectSince: null, last: isCalm ? { ...last, isUnstable: false } : last },
      told: isCalm ? 'incident_closed' : null,
    };
  }
  const failedAt = suspectSince ?? seen.at;
  const isOpening = suspectSince !== null && seen.at - failedAt >= (seen.isGone ? GONE_APART : CHECKS_APART);
  if (!isOpening) return { fault: { suspectSince: failedAt, last }, told: null };
  const wasUnstable = last !== null && isSilent(last, seen.at);
  const isUnstable = wasUnstable || openings.filter((time) => seen.at - time < DAY).length >= OPENINGS_MAX;
  const opened = { failedAt, openedAt: seen.at, rightAt: null, closedAt: null, isUnstable };
  const told = isUnstable ? 'incident_unstable' : 'incident_opened';
  return { fault: { suspectSince: null, last: opened }, told: wasUnstable ? null : told };
}

/** Whether nothing is told: it's unstable, and was opened within a day. */
function isSilent({ isUnstable, openedAt }: OpenedIncident, at: number): boolean {
  return isUnstable && at - openedAt < DAY;
}

function nextOpen(
  last: OpenedIncident,
  { at, verdict, isAcceptanceOver }: Observation,
): { incident: OpenedIncident; told: Told | null } {
  const silent = isSilent(last, at);
  if (verdict !== 'right') {
    // After a calm day or an acceptance, that it's still open.
    const isTold = verdict === 'failing' && !silent && (last.isUnstable || isAcceptanceOver);
    return {
      incident: { ...last, rightAt: null, isUnstable: last.isUnstable && !isTold },
      told: isTold ? 'incident_opened' : null,
    };
  }
  const rightAt = last.rightAt ?? at;
  if (at - rightAt < CHECKS_APART) return { incident: { ...last, rightAt }, told: null };
  return { incident: { ...last, rightAt, closedAt: at, isUnstable: silent }, told: silent ? null : 'incident_closed' };
}

const SHORTEST_PAUSE = 5 * MINUTE;

/** Milliseconds to wait for something that has lasted for `age`: the longer it lasts, the longer. */
export function pauseFor(age: number): number {
  return Math.max(Math.round(age / 10), SHORTEST_PAUSE);
}

/** When another check can open or close an incident; null if none can. */
export function nextDue(
  { suspectSince, last }: Fault,
  { at, isGone }: Pick<Observation, 'at' | 'isGone'>,
): number | null {
  if (suspectSince !== null) {
    const early = suspectSince + GONE_APART;
    return isGone && early > at ? early : Math.max(suspectSince + CHECKS_APART, at);
  }
  if (last === null) return null;
  if (last.closedAt !== null) return last.isUnstable ? last.openedAt + DAY : null;
  return last.rightAt === null ? at + pauseFor(at - last.failedAt) : last.rightAt + CHECKS_APART;
}
