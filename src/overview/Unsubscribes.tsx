import { useState } from 'react';
import type { ReadableOverview } from '#contract/overview.ts';
import { BarAxis, BarChart } from '../ui/values/BarChart.tsx';
import { Fact } from '../ui/values/Fact.tsx';
import { formatCount } from '../ui/format/formatCount.ts';
import { handFocusOn } from '../ui/page/handFocusOn.ts';
import { localDay } from '../ui/format/sentenceTime.ts';
import { localDate } from '../ui/format/time.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { dayBars, type DayBar, describeUnsubscriber, summarizeDays } from './dayBars.ts';
import { formatShare } from './Figures.tsx';
import classes from './OverviewPage.module.css';

type Props = { unsubscribes: ReadableOverview['unsubscribes'] | undefined };

/** Unsubscribes by day and by whom. A day that is chosen in the picture says by whom on that day. */
export function Unsubscribes({ unsubscribes }: Props) {
  const [chosen, choose] = useState<number | null>(null);
  const [pointed, point] = useState<DayBar | null>(null);
  const bars = unsubscribes === undefined ? [] : dayBars(unsubscribes, chosen);
  const day = bars.find(({ isCurrent }) => isCurrent);
  return (
    <section className={classes.section} aria-labelledby="unsubscribes" tabIndex={-1}>
      <h2 id="unsubscribes">Unsubscribed</h2>
      <dl className={classes.moments}>
        {summarizeDays(unsubscribes).map(({ label, count }) => (
          <Fact key={label} label={label}>
            {count === undefined ? <span className={classes.pending} /> : formatCount(count)}
          </Fact>
        ))}
      </dl>
      <div className={classes.picture}>
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
          {day === undefined ? 'Last 30 days, by whom' : `${localDay(new Date(day.id))}, by whom`}
          {day !== undefined && (
            <button ref={handFocusOn} type="button" className={classes.all} onClick={() => choose(null)}>
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
      {/* With the rows above it, which would move it. */}
      {unsubscribes && (
        <p className="soft">
          {unsubscribes.total === 0
            ? 'Nobody was unsubscribed in the last 30 days.'
            : 'An unsubscribe that was undone later counts too.'}
        </p>
      )}
    </section>
  );
}

function Others({ unsubscribes, day }: Props & { day: DayBar | undefined }) {
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
  return (
    <tr>
      <th scope="row">
        <i className={classes.colour} data-kind={kind} /> <UntrustedText text={name} />
      </th>
      <td>{formatCount(count)}</td>
      <td className={classes.share}>{formatShare(count, total)}</td>
    </tr>
  );
}
