import type { DestinationRow } from './storedMessages.ts';

// Who gets what a destination asks for. `all` are those of its workspace.

/** The first of its fallbacks that is on; null if there is none. */
export function fallbackOf(
  { uuid, fallback_uuid }: DestinationRow,
  all: readonly DestinationRow[],
): DestinationRow | null {
  const seen = new Set([uuid]);
  let next = fallback_uuid;
  while (next !== null && !seen.has(next)) {
    seen.add(next);
    const row = all.find((one) => one.uuid === next);
    if (row === undefined) return null;
    if (row.disabled_at === null) return row;
    next = row.fallback_uuid;
  }
  return null;
}

/** The destination itself, or while it's off its fallback; null if nobody gets it. */
export function recipientOf(destination: DestinationRow, all: readonly DestinationRow[]): DestinationRow | null {
  return destination.disabled_at === null ? destination : fallbackOf(destination, all);
}

/** What a fallback is told: the destination that it stands in for, and why. */
export const describeAbsence = (name: string, reason: string | null) => `${name}: ${reason ?? ''}`;

/** Null for what it gets itself. */
export function insteadOf(destination: DestinationRow, recipient: DestinationRow): string | null {
  if (destination.uuid === recipient.uuid) return null;
  return describeAbsence(destination.name, destination.disabled_reason);
}
