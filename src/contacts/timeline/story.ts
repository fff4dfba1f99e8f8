import type { ReadableChange } from '#contract/change.ts';
import type { ReadableEvent } from '#contract/event.ts';
import { parseTime } from '../../ui/format/time.ts';
import { keyRows } from '../../ui/page/keyRows.ts';

/** `time` is null if a service sends none that can be read. */
export type StoryRow = { key: string; time: Date | null } & (
  | { event: ReadableEvent; change?: undefined }
  | { change: ReadableChange; event?: undefined }
);

/** A page of events, as the service pages them. */
export type EventPage = {
  events: readonly ReadableEvent[];
  newestFirst: boolean;
  isFirst: boolean;
  /** The first event of the next page; null if there's no such page, undefined while it isn't known. */
  next: ReadableEvent | null | undefined;
};

const millis = ({ created_at }: { created_at: string | null }) => parseTime(created_at)?.getTime() ?? null;

/** A change without a time is older than everything, so that some page has it. */
const timeOf = (change: ReadableChange) => millis(change) ?? -Infinity;

/** Whether a change stands before an event. Of equal times, the event is the earlier one: it may have caused the change. */
const precedes = (change: number, event: number, newestFirst: boolean) =>
  newestFirst ? change >= event : change < event;

/** The rows of a page, with the changes between its first event and that of the next page. Each change is on one page. */
export function mergeStory(page: EventPage, changes: readonly ReadableChange[]): StoryRow[] {
  const { newestFirst } = page;
  const waiting = changesOn(page, newestFirst ? changes : changes.toReversed());
  const rows: StoryRow[] = [];
  for (const { key, row: event } of keyRows(page.events)) {
    const time = millis(event);
    const following = waiting.findIndex((change) => time === null || !precedes(timeOf(change), time, newestFirst));
    rows.push(...changeRows(waiting.splice(0, following === -1 ? waiting.length : following)));
    rows.push({ key: `event ${key}`, event, time: parseTime(event.created_at) });
  }
  return [...rows, ...changeRows(waiting)];
}

export const changeRows = (changes: readonly ReadableChange[]): StoryRow[] =>
  keyRows(changes).map(({ key, row: change }) => ({
    key: `change ${key}`,
    change,
    time: parseTime(change.created_at),
  }));

function changesOn(page: EventPage, changes: readonly ReadableChange[]): ReadableChange[] {
  const { events, newestFirst, isFirst } = page;
  const first = events.map(millis).find((time) => time !== null);
  const end = endOf(page);
  return changes.filter((change) => {
    const time = timeOf(change);
    const isAfterStart = isFirst || (first !== undefined && !precedes(time, first, newestFirst));
    return isAfterStart && (end === null || (end !== undefined && precedes(time, end, newestFirst)));
  });
}

/** The time of the event that ends the page; null if nothing does. While the next page isn't known, it's the last event. */
function endOf({ events, next }: EventPage): number | null | undefined {
  if (next === null) return null;
  return (next && millis(next)) ?? events.map(millis).findLast((time) => time !== null);
}

/** Whether changes older than the oldest loaded one may be on the page. */
export function needsOlder(page: EventPage, loaded: readonly ReadableChange[]): boolean {
  const oldest = loaded.at(-1);
  if (oldest === undefined) return true;
  const { events, newestFirst, isFirst } = page;
  const limit = newestFirst ? endOf(page) : isFirst ? null : events.map(millis).find((time) => time !== null);
  return limit === null || (limit !== undefined && timeOf(oldest) >= limit);
}
