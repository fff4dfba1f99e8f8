import { useState } from 'react';
import type { ReadableOverview } from '#contract/overview.ts';
import { describeActor } from '../identity/describeChange.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { localDay } from '../ui/format/sentenceTime.ts';
import { localDate } from '../ui/format/time.ts';
import { BarAxis, BarChart, type ChartBar } from '../ui/values/BarChart.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { sourceColours } from '../ui/values/sourceColours.ts';
import { formatShare } from './Figures.tsx';
import classes from './OverviewPage.module.css';
import { Today } from './Today.tsx';
import own from './Unsubscribes.module.css';

type Props = { unsubscribes: ReadableOverview['unsubscribes']; today: ReadableOverview['today'] };

export function Unsubscribes({ unsubscribes, today }: Props) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const [chosen, choose] = useState<number | null>(null);
  const [pointed, point] = useState<DayBar | null>(null);
  const bars = dayBars(unsubscribes, chosen);
  const day = bars.find(({ isCurrent }) => isCurrent);
  const colours = coloursOf(unsubscribes);
  return (
    <section className={`${classes.section} ${own.sources}`} aria-labelledby="unsubscribes">
      <h2 id="unsubscribes">Unsubscribed</h2>
      <Today unsubscribes={unsubscribes} today={today} />
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
        <caption>
          By source {/* For fingers: a bar may be 9 pixels wide. */}
          <select
            aria-label="Days"
            value={chosen ?? ''}
            onChange={({ currentTarget: { value } }) => choose(value === '' ? null : Number(value))}
          >
            <option value="">Last 30 days</option>
            {bars.toReversed().map(({ id }) => (
              <option key={id} value={id}>
                {localDay(new Date(id))}
              </option>
            ))}
          </select>
        </caption>
        <tbody>
          {unsubscribes.by.map((unsubscriber, at) => (
            <Row
              key={sourceOf(unsubscriber)}
              kind={colours.get(sourceOf(unsubscriber)) ?? 'others'}
              name={describeUnsubscriber(unsubscriber)}
              count={day?.parts[at]?.count ?? unsubscriber.count}
              total={day?.total ?? unsubscribes.total}
            />
          ))}
          <Others unsubscribes={unsubscribes} day={day} />
        </tbody>
      </table>
      <p className="soft">
        {unsubscribes.total === 0
          ? 'No unsubscribes in the last 30 days.'
          : 'People unsubscribed now, by the day since when.'}
      </p>
    </section>
  );
}

function Others({ unsubscribes, day }: { unsubscribes: Unsubscribes; day: DayBar | undefined }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
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

function dayBars(unsubscribes: Unsubscribes, chosen: number | null): DayBar[] {
  const { by, days } = unsubscribes;
  const colours = coloursOf(unsubscribes);
  return days.map(({ from, total, counts }) => {
    const id = Date.parse(from);
    const named = by.map((unsubscriber, at) => ({
      kind: colours.get(sourceOf(unsubscriber)) ?? 'others',
      count: counts[at] ?? 0,
    }));
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

const sourceOf = ({ actor }: Unsubscribes['by'][number]) => actor.uuid ?? actor.kind;
const coloursOf = ({ by }: Unsubscribes) => sourceColours(by.map(sourceOf));
const describeUnsubscriber = ({ actor }: Unsubscribes['by'][number]) => describeActor(actor);
