import { must } from '#contract/values/must.ts';
import { BUCKETS_MAX, STEPS, type Step } from '#contract/activity.ts';

/** The time that an activity is about, in milliseconds, and how it is divided. */
export type ActivityRange = {
  /** Null: since the first event, but at most BUCKETS_MAX buckets. */
  from: number | null;
  /** Not included. */
  to: number;
  /** Null: the shortest that gives few buckets. */
  step: Step | null;
  zone: string;
};

/** The most bars that fit, if the caller gives no step. */
const CHOSEN_MAX = 120;

const DAY = 86_400_000;
/** The shortest hour, day and so on. A day may lose an hour to summer time. */
const SHORTEST: Readonly<Record<Step, number>> = {
  hour: DAY / 24,
  day: DAY - DAY / 24,
  week: 7 * DAY - DAY / 24,
  month: 28 * DAY - DAY / 24,
  year: 365 * DAY - DAY / 24,
};
const USUAL: Readonly<Record<Step, number>> = {
  hour: DAY / 24,
  day: DAY,
  week: 7 * DAY,
  month: 30 * DAY,
  year: 365 * DAY,
};

/**
 * The edges of the buckets, ascending; one more than there are buckets. The first bucket contains `from`, or `first` where
 * that is null, and the last one ends at `to` or contains it. Null for more than BUCKETS_MAX buckets, which only a given `from` can ask for.
 */
export function bucketEdges(
  { from, to, step, zone }: ActivityRange,
  first: number | null,
): { step: Step; edges: number[] } | null {
  const wanted = from ?? Math.min(first ?? to, to - 1);
  const chosen = step ?? STEPS.find((each) => (to - wanted) / USUAL[each] <= CHOSEN_MAX) ?? 'year';
  const start = from ?? Math.max(wanted, to - (BUCKETS_MAX - 2) * SHORTEST[chosen]);
  if ((to - start) / USUAL[chosen] > 2 * BUCKETS_MAX) return null;
  const edges = [...edgesFrom(start, to, chosen, zone)];
  // A day that begins at midnight may have it twice, where clocks are set back across it.
  while (must(edges[1]) <= start) edges.shift();
  return edges.length > BUCKETS_MAX + 1 ? null : { step: chosen, edges };
}

function* edgesFrom(start: number, to: number, step: Step, zone: string): Iterable<number> {
  let begin = beginOf(Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(zone), step);
  for (;;) {
    yield begin.epochMilliseconds;
    if (begin.epochMilliseconds >= to) return;
    // Not `beginOf`: where clocks are set back by half an hour, it would give the same hour again.
    begin = step === 'hour' ? begin.add({ hours: 1 }) : beginOf(begin.add({ [`${step}s`]: 1 }), step);
  }
}

/** The begin of the hour, day, week (from Monday), month or year that contains `time`. */
function beginOf(time: Temporal.ZonedDateTime, step: Step): Temporal.ZonedDateTime {
  switch (step) {
    case 'hour':
      // Not rounded: the full hour may be one that clocks leap over, and then the hour would begin after `time`.
      return time.subtract({ minutes: time.minute, seconds: time.second, milliseconds: time.millisecond });
    case 'day':
      return time.startOfDay();
    case 'week':
      return time.subtract({ days: time.dayOfWeek - 1 }).startOfDay();
    case 'month':
      return time.with({ day: 1 }).startOfDay();
    case 'year':
      return time.with({ month: 1, day: 1 }).startOfDay();
  }
}

/** Whether `zone` is a time zone that this machine knows. */
export function isTimeZone(zone: string): boolean {
  try {
    // A time in ISO 8601 is taken for its zone.
    const { timeZoneId } = Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone);
    return timeZoneId.toLowerCase() === zone.toLowerCase();
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
