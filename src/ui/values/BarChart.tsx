import { type KeyboardEvent, useRef, useState } from 'react';
import { formatCount } from '../format/formatCount.ts';
import classes from './BarChart.module.css';

const HEIGHT = 100;
const SMALLEST = 2;
/** So that a single event doesn't look like many. */
const LEAST_SCALE = 5;

export type ChartBar = {
  id: number;
  label: string;
  isCurrent: boolean;
  /** From the bottom up. The page's style sheet sets `--kind`, the colour of each kind. */
  parts: readonly { kind: string; count: number }[];
};

type Props<Bar extends ChartBar> = {
  label: string;
  bars: readonly Bar[];
  onPick: (bar: Bar) => void;
  onPoint: (bar: Bar | null) => void;
};

/** Bars over time, oldest first. Each is a button; one is in the tab order, and arrow keys move between them. */
export function BarChart<Bar extends ChartBar>({ label, bars, onPick, onPoint }: Props<Bar>) {
  const buttons = useRef<(SVGGElement | null)[]>([]);
  const [chosen, choose] = useState<number | null>(null);
  const current = Math.min(chosen ?? bars.length - 1, bars.length - 1);
  const top = scaleOf(bars);

  const press = (event: KeyboardEvent, at: number, bar: Bar) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      return onPick(bar);
    }
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const to = Math.min(Math.max(next, 0), bars.length - 1);
    choose(to);
    buttons.current[to]?.focus();
  };

  return (
    <div>
      <p className={classes.scale} aria-hidden>
        {bars.length > 0 && formatCount(top)}
      </p>
      <svg
        className={classes.chart}
        role="group"
        aria-label={label}
        viewBox={`0 0 ${Math.max(1, bars.length)} ${HEIGHT}`}
        preserveAspectRatio="none"
        onPointerLeave={() => onPoint(null)}
      >
        {bars.map((bar, at) => (
          <g
            key={bar.id}
            ref={(element) => {
              buttons.current[at] = element;
            }}
            role="button"
            tabIndex={at === current ? 0 : -1}
            aria-label={bar.label}
            aria-current={bar.isCurrent || undefined}
            onClick={() => {
              choose(at);
              onPick(bar);
            }}
            onKeyDown={(event) => press(event, at, bar)}
            onFocus={() => onPoint(bar)}
            onBlur={() => onPoint(null)}
            onPointerEnter={() => onPoint(bar)}
          >
            <Column at={at} bar={bar} scale={top} />
          </g>
        ))}
      </svg>
    </div>
  );
}

function Column({ at, bar, scale }: { at: number; bar: ChartBar; scale: number }) {
  return (
    <>
      <rect className={classes.column} x={at} y={0} width={1} height={HEIGHT} />
      {stack(bar, scale).map(({ kind, y, height }) => (
        <rect key={kind} className={classes.part} data-kind={kind} x={at + 0.1} y={y} width={0.8} height={height} />
      ))}
    </>
  );
}

type AxisProps = { from: string | undefined; pointed: string | undefined; to: string | undefined };

/** Where the bars begin and end, and between them the label of the bar under the pointer. */
export function BarAxis({ from, pointed, to }: AxisProps) {
  return (
    <p className={classes.axis} aria-hidden>
      <span>{from}</span>
      <span>{pointed}</span>
      <span>{to}</span>
    </p>
  );
}

/** What the top of a chart stands for: its highest bar. */
export const scaleOf = (bars: readonly Pick<ChartBar, 'parts'>[]): number =>
  Math.max(LEAST_SCALE, ...bars.map(({ parts }) => parts.reduce((sum, { count }) => sum + count, 0)));

/** Small parts are higher than their share, so that they can be seen; the others of a full bar then less. */
function stack({ parts }: ChartBar, scale: number) {
  const shown = parts.filter(({ count }) => count > 0);
  const heights = shown.map(({ count }) => Math.max(SMALLEST, (count / scale) * HEIGHT));
  const factor = Math.min(1, HEIGHT / heights.reduce((sum, height) => sum + height, 0));
  let top = HEIGHT;
  return shown.map(({ kind }, at) => {
    const height = (heights[at] ?? 0) * factor;
    top -= height;
    return { kind, y: top, height };
  });
}
