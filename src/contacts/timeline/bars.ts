import type { ReadableActivity } from '#contract/activity.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { localDay } from '../../ui/format/sentenceTime.ts';
import { localDateTime } from '../../ui/format/time.ts';
import { type EventKind, KINDS, kindOf } from './eventKinds.ts';
import { localMonth, localYear } from './localDates.ts';

/** Times are in milliseconds. */
export type Bar = {
  from: number;
  /** Exclusive. */
  to: number;
  total: number;
  /** In the order of KINDS. */
  parts: { kind: EventKind; label: string; count: number }[];
  /** Events after it. */
  newer: number;
  when: string;
};

export function barsOf({ buckets, names, step, to }: ReadableActivity, zone: string): Bar[] {
  const kinds = names.map(({ event_name }) => kindOf(event_name));
  return buckets.map(({ from, counts, others, newer }, at) => {
    const parts = KINDS.map(({ kind, label }) => ({
      kind,
      label,
      count: counts.reduce(
        (sum, count, name) => (kinds[name] === kind ? sum + count : sum),
        kind === 'other' ? others : 0,
      ),
    }));
    const [begin, end] = [new Date(from), new Date(buckets[at + 1]?.from ?? to)];
    return {
      from: begin.getTime(),
      to: end.getTime(),
      total: parts.reduce((sum, { count }) => sum + count, 0),
      parts,
      newer,
      when: describeBucket(begin, step, zone),
    };
  });
}

export function countNames({ names, buckets }: ReadableActivity): { event_name: string; count: number }[] {
  return names.map(({ event_name }, at) => ({
    event_name,
    count: buckets.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0),
  }));
}

function describeBucket(begin: Date, step: ReadableActivity['step'], zone: string): string {
  switch (step) {
    case 'hour':
      return localDateTime(begin, zone);
    case 'day':
      return localDay(begin, zone);
    case 'week':
      return `Week from ${localDay(begin, zone)}`;
    case 'month':
      return localMonth(begin, zone);
    case 'year':
      return localYear(begin, zone);
  }
}

/** "Monday 3 March 2025: 12 events (7 delivered, 5 opened)" */
export function describeBar({ when, total, parts }: Bar): string {
  const counts = parts
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${formatCount(count)} ${label.toLowerCase()}`);
  return total === 0
    ? `${when}: no events`
    : `${when}: ${formatCount(total)} ${total === 1 ? 'event' : 'events'} (${counts.join(', ')})`;
}

/** The index of a bar's first event in a list of `total`. */
export function offsetOf({ newer, total: size }: Bar, total: number, newestFirst: boolean): number {
  return newestFirst ? newer : Math.max(0, total - newer - size);
}

/** What a day without events leads to: the events before it or, if there are none, after it. */
export type Instead = 'before' | 'after' | null;

/** The index of the first event of a day in a list of `total`, or of the next one to it; null for an empty list. */
export function placeOf(day: Bar, total: number, newestFirst: boolean): { offset: number; instead: Instead } | null {
  if (total === 0) return null;
  if (day.total > 0) return { offset: offsetOf(day, total, newestFirst), instead: null };
  const isBefore = day.newer < total;
  const fromNewest = isBefore ? day.newer : day.newer - 1;
  return { offset: newestFirst ? fromNewest : total - 1 - fromNewest, instead: isBefore ? 'before' : 'after' };
}
