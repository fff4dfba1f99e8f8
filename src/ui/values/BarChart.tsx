import { type KeyboardEvent, useRef, useState } from 'react';
import classes from './BarChart.module.css';

const HEIGHT = 100;
const SMALLEST = 2;

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
  const highest = Math.max(1, ...bars.map(({ parts }) => parts.reduce((sum, { count }) => sum + count, 0)));

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
          <rect className={classes.column} x={at} y={0} width={1} height={HEIGHT} />
          {stack(bar, highest).map(({ kind, y, height }) => (
            <rect key={kind} className={classes.part} data-kind={kind} x={at + 0.1} y={y} width={0.8} height={height} />
          ))}
        </g>
      ))}
    </svg>
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

function stack({ parts }: ChartBar, highest: number) {
  let top = HEIGHT;
  return parts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => {
      const height = Math.max(SMALLEST, (count / highest) * (HEIGHT - SMALLEST * parts.length));
      top -= height;
      return { kind, y: top, height };
    });
}
