import type { World } from '../recording.ts';
import type { Expected } from '../judge.ts';
import { summaryTimes } from './told.ts';

/** The summaries that a destination gets, as lines. */
export function modelSummaries({ recording, domains, now }: World, { incidents, spans }: Expected): string[] {
  const changes = [...spans.values()].flat().filter(({ isChange }) => isChange);
  const looks = domains.map(({ uuid }) => (recording.looks.get(uuid) ?? []).map(({ at }) => at));
  return recording.destinations.flatMap(({ name, rules, createdAt }) =>
    summaryTimes(createdAt, now).flatMap(({ at, type, since }) => {
      if (!rules[type]) return [];
      const within = (time: number | null) => time !== null && since <= time && time < at;
      const opened = incidents.filter(({ openedAt }) => within(openedAt)).length;
      const closed = incidents.filter(({ closedAt }) => within(closedAt)).length;
      const changed = changes.filter(({ from }) => within(from)).length;
      if (type === 'digest' && opened + closed + changed === 0) return [];
      // As it is when the summary is made.
      const open = incidents.filter(
        ({ openedAt, closedAt }) => openedAt <= at && (closedAt === null || closedAt > at),
      ).length;
      const checked = looks.filter((times) => times.some((time) => since <= time && time <= at)).length;
      return `${at} ${name} ${type} ${domains.length} ${checked} ${open} ${opened} ${closed} ${changed}`;
    }),
  );
}
