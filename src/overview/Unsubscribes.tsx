import { useState } from 'react';
import type { ReadableOverview } from '#contract/overview.ts';
import { describeActor } from '../identity/describeChange.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { localDay } from '../ui/format/sentenceTime.ts';
import { localDate } from '../ui/format/time.ts';
import { refocusOnRemoval } from '../ui/page/refocusOnRemoval.ts';
import { BarAxis, BarChart, type ChartBar } from '../ui/values/BarChart.tsx';
import { Fact } from '../ui/values/Fact.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { formatShare } from './Figures.tsx';
import classes from './OverviewPage.module.css';
import own from './Unsubscribes.module.css';

type Props = { unsubscribes: ReadableOverview['unsubscribes'] | undefined };

export function Unsubscribes({ unsubscribes }: Props) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const [chosen, choose] = useState<number | null>(null);
  const [pointed, point] = useState<DayBar | null>(null);
  const bars = unsubscribes === undefined ? [] : dayBars(unsubscribes, chosen);
  const day = bars.find(({ isCurrent }) => isCurrent);
  return (
    <section className={`${classes.section} ${own.sources}`} aria-labelledby="unsubscribes" tabIndex={-1}>
      <h2 id="unsubscribes">Unsubscribed</h2>
      <dl className={own.moments}>
        {summarizeDays(unsubscribes).map(({ label, count }) => (
          <Fact key={label} label={label}>
            {count === undefined ? <span className={classes.pending} /> : formatCount(count)}
          </Fact>
        ))}
      </dl>
      <div className={own.picture}>
        <BarChart
          label="Unsubscribes by day, last 30 days"
          bars={bars}
          onPick={({ id }) => choose(id === chosen ? null : id)}
          onPoint={point}
        />
        <BarAxis from={bars[0] && localDate(bars[0].id)} pointed={pointed?.label} to="Today" />
      </div>
      <table className={classes.table}>
        <caption aria-live="polite">
          {day === undefined ? 'Last 30 days, by source' : `${localDay(new Date(day.id))}, by source`}
          {day !== undefined && (
            <button ref={refocusOnRemoval} type="button" className={own.all} onClick={() => choose(null)}>
              All 30 days
            </button>
          )}
        </caption>
        <tbody>
          {(unsubscribes?.by ?? []).map((unsubscriber, at) => (
            <Row
              key={unsubscriber.actor.uuid ?? unsubscriber.actor.kind}
              kind={`by${at}`}
              name={describeUnsubscriber(unsubscriber)}
              count={day?.parts[at]?.count ?? unsubscriber.count}
              total={day?.total ?? unsubscribes?.total}
            />
          ))}
          <Others unsubscribes={unsubscribes} day={day} />
        </tbody>
      </table>
      {unsubscribes && (
        <p className="soft">
          {unsubscribes.total === 0
            ? 'No unsubscribes in the last 30 days.'
            : 'Includes unsubscribes that were undone later.'}
        </p>
      )}
    </section>
  );
}

function Others({ unsubscribes, day }: Props & { day: DayBar | undefined }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  if (unsubscribes === undefined) return null;
  const others = unsubscribes.total - unsubscribes.by.reduce((sum, { count }) => sum + count, 0);
  if (others === 0) return null;
  return (
    <Row
      kind="others"
      name="Others"
      count={day?.parts.at(-1)?.count ?? others}
      total={day?.total ?? unsubscribes.total}
    />
  );
}

function Row({ kind, name, count, total }: { kind: string; name: string; count: number; total: number | undefined }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  return (
    <tr>
      <th scope="row">
        <i className={own.colour} data-kind={kind} /> <UntrustedText text={name} />
      </th>
      <td>{formatCount(count)}</td>
      <td className={classes.share}>{formatShare(count, total)}</td>
    </tr>
  );
}

type Unsubscribes = ReadableOverview['unsubscribes'];

/** The ID is the start in milliseconds; the last part is everyone else's. */
type DayBar = ChartBar & { total: number };

function dayBars({ by, days }: Unsubscribes, chosen: number | null): DayBar[] {
  return days.map(({ from, total, counts }) => {
    const id = Date.parse(from);
    const named = by.map((_, at) => ({ kind: `by${at}`, count: counts[at] ?? 0 }));
    const others = total - named.reduce((sum, { count }) => sum + count, 0);
    const counted = by
      .map((unsubscriber, at) => `${formatCount(counts[at] ?? 0)} ${describeUnsubscriber(unsubscriber)}`)
      .filter((_, at) => (counts[at] ?? 0) > 0);
    if (others > 0) counted.push(`${formatCount(others)} others`);
    const when = localDay(new Date(id));
    return {
      id,
      total,
      parts: [...named, { kind: 'others', count: others }],
      isCurrent: id === chosen,
      label: total === 0 ? `${when}: none` : `${when}: ${formatCount(total)} (${counted.join(', ')})`,
    };
  });
}

const describeUnsubscriber = ({ actor }: Unsubscribes['by'][number]) => describeActor(actor);

/** Undefined while loading. */
function summarizeDays(unsubscribes: Unsubscribes | undefined) {
  const last = (count: number, before = 0) =>
    unsubscribes?.days.slice(-count - before, -before || undefined).reduce((sum, { total }) => sum + total, 0);
  return [
    { label: 'Today', count: last(1) },
    { label: 'Yesterday', count: last(1, 1) },
    { label: 'Last 7 days', count: last(7) },
    { label: 'Last 30 days', count: unsubscribes?.total },
  ];
}
