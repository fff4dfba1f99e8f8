import type { Recording } from '../recording.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LEASE = 2 * MINUTE;

/** Whether a message may be late, or come again: only because a process was killed in the middle of an attempt. */
export function isExcused(kills: readonly number[], planned: number, received: number): boolean {
  const hits = kills.filter((at) => planned <= at && at <= received).length;
  return received - planned <= hits * LEASE;
}

/** What each process must tell the operator: that no resolver responded to checks of three domains in a row, and the end. */
export function modelOperator({ resolvers }: Recording): Recording['resolvers'] {
  const told: Recording['resolvers'] = [];
  const views = new Map<number, { domains: Set<string>; isDown: boolean }>();
  for (const { process, event, domain, at } of resolvers) {
    if (event === 'started') views.delete(process);
    if (event !== 'unreachable' && event !== 'reachable') continue;
    const view = views.get(process) ?? { domains: new Set(), isDown: false };
    views.set(process, view);
    if (event === 'unreachable') view.domains.add(domain);
    else view.domains.clear();
    const isDown = event === 'unreachable' && (view.isDown || view.domains.size >= 3);
    if (isDown !== view.isDown) told.push({ at, process, event: isDown ? 'told down' : 'told up', domain: '' });
    view.isDown = isDown;
  }
  return told;
}

/** When summaries end: each day at 08:00 UTC, each week on Monday at that time. */
export function summaryTimes(from: number, to: number): { at: number; type: 'heartbeat' | 'digest'; since: number }[] {
  const times = [];
  for (let at = Math.floor(from / DAY) * DAY + 8 * HOUR; at <= to; at += DAY) {
    if (at <= from) continue;
    times.push({ at, type: 'heartbeat' as const, since: at - DAY });
    if (new Date(at).getUTCDay() === 1) times.push({ at, type: 'digest' as const, since: at - 7 * DAY });
  }
  return times;
}
