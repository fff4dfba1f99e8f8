import type { KeyboardEvent, MouseEvent } from 'react';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { useTimeZone } from '../../ui/format/time.ts';
import classes from './History.module.css';
import { describeSpan } from './describeSpan.ts';
import { nearestPart, type StripPart } from './strips.ts';

type Props = {
  label: string;
  parts: readonly StripPart[];
  /** The index of the part whose evidence is shown. */
  chosen: number | null;
  onChoose: (part: number | null) => void;
};

/** One tab stop: arrows move between what was found, and a click anywhere chooses the nearest. */
export function HistoryStrip({ label, parts, chosen, onChoose }: Props) {
  const zone = useTimeZone();
  const places = parts.flatMap(({ span }, index) => (span === null ? [] : index));
  const last = places.length - 1;
  const current = chosen === null ? last : places.indexOf(chosen);
  const span = parts[places[current] ?? -1]?.span;

  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && chosen !== null) return onChoose(null);
    const next = {
      ArrowLeft: current - 1,
      ArrowDown: current - 1,
      ArrowRight: current + 1,
      ArrowUp: current + 1,
      Home: 0,
      End: last,
      Enter: current,
      ' ': current,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(places[Math.min(Math.max(next, 0), last)] ?? null);
  };
  const click = (event: MouseEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    // A part of minutes is drawn wider than it is.
    const hit = event.target instanceof Element ? [...event.currentTarget.children].indexOf(event.target) : -1;
    const index = parts[hit]?.span ? hit : nearestPart(parts, (event.clientX - left) / width);
    onChoose(index === -1 || index === chosen ? null : index);
  };

  return (
    <div
      className={classes.strip}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={Math.max(1, places.length)}
      aria-valuenow={current + 1}
      aria-valuetext={span ? escapeInvisible(describeSpan(span, zone)) : 'Nobody looked'}
      onKeyDown={press}
      onClick={click}
    >
      {parts.map(({ span: own, left, width }, index) => (
        <span
          key={`${left} ${own?.started_at ?? ''}`}
          className={classes.part}
          data-result={own?.result ?? 'none'}
          data-chosen={index === chosen || undefined}
          title={own === null ? 'Nobody looked' : escapeInvisible(describeSpan(own, zone))}
          style={{ left: `${left * 100}%`, width: `${width * 100}%` }}
        />
      ))}
    </div>
  );
}
