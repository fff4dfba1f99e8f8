import type { ReadableOverview } from '#contract/overview.ts';
import type { ChartBar } from '../ui/values/BarChart.tsx';
import { describeActor } from '../identity/describeChange.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { localDay } from '../ui/format/sentenceTime.ts';

type Unsubscribes = ReadableOverview['unsubscribes'];

/** A day as the picture shows it. Its id is its begin, in milliseconds; the last part is what the others did. */
export type DayBar = ChartBar & { total: number };

/** The days, of which `chosen` is current. */
export function dayBars({ by, days }: Unsubscribes, chosen: number | null): DayBar[] {
  return days.map(({ from, total, counts }) => {
    const id = Date.parse(from);
    const named = by.map((_, at) => ({ kind: `by${at}`, count: counts[at] ?? 0 }));
    const others = total - named.reduce((sum, { count }) => sum + count, 0);
    const told = by
      .map((unsubscriber, at) => `${formatCount(counts[at] ?? 0)} ${describeUnsubscriber(unsubscriber)}`)
      .filter((_, at) => (counts[at] ?? 0) > 0);
    if (others > 0) told.push(`${formatCount(others)} others`);
    const when = localDay(new Date(id));
    return {
      id,
      total,
      parts: [...named, { kind: 'others', count: others }],
      isCurrent: id === chosen,
      label: total === 0 ? `${when}: nobody` : `${when}: ${formatCount(total)} (${told.join(', ')})`,
    };
  });
}

export const describeUnsubscriber = ({ actor }: Unsubscribes['by'][number]) => describeActor(actor);

/** How many there were today and before; undefined while that is read. */
export function summarizeDays(unsubscribes: Unsubscribes | undefined) {
  const last = (count: number, before = 0) =>
    unsubscribes?.days.slice(-count - before, -before || undefined).reduce((sum, { total }) => sum + total, 0);
  return [
    { label: 'Today', count: last(1) },
    { label: 'Yesterday', count: last(1, 1) },
    { label: 'Last 7 days', count: last(7) },
    { label: 'Last 30 days', count: unsubscribes?.total },
  ];
}
