import { type KeyboardEvent, useRef, useState } from 'react';
import { type Bar, describeBar } from './bars.ts';
import classes from './Activity.module.css';

/** Units of the picture's height. */
const HEIGHT = 100;
/** The smallest part that can be seen. */
const SMALLEST = 2;

type Props = {
  label: string;
  bars: readonly Bar[];
  /** Whether the list below shows events of a bar. */
  isShown: (bar: Bar) => boolean;
  onPick: (bar: Bar) => void;
  /** The bar under the pointer or with the focus, or null. */
  onPoint: (bar: Bar | null) => void;
};

/**
 * Bars of events over time, oldest first. One of them takes part in the tab order, and arrow keys move among them. Each is a button
 * whose name says what the bar shows.
 */
export function ActivityChart({ label, bars, isShown, onPick, onPoint }: Props) {
  const buttons = useRef<(SVGGElement | null)[]>([]);
  const [chosen, choose] = useState<number | null>(null);
  const current = Math.min(chosen ?? bars.length - 1, bars.length - 1);
  const highest = Math.max(1, ...bars.map(({ total }) => total));

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
          key={bar.from}
          ref={(element) => {
            buttons.current[at] = element;
          }}
          role="button"
          tabIndex={at === current ? 0 : -1}
          aria-label={describeBar(bar)}
          aria-current={isShown(bar) || undefined}
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

/** The parts of a bar from the bottom up, without those that have no events. */
function stack({ parts }: Bar, highest: number) {
  let top = HEIGHT;
  return parts
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => {
      const height = Math.max(SMALLEST, (count / highest) * (HEIGHT - SMALLEST * parts.length));
      top -= height;
      return { kind, y: top, height };
    });
}
