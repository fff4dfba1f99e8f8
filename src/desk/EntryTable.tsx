import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type CSSProperties } from 'react';
import { shown as visibly } from '#contract/visible.ts';
import { Filters } from '../ui/Filters.tsx';
import { GivenText } from '../ui/GivenText.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import type { Snapshot } from './desk.ts';
import classes from './EntryTable.module.css';
import { type Entry, type Status, statuses, statusOf, statusTone, statusWords } from './entry.ts';

/** Pixels; as in EntryTable.module.css. */
const ROW = 40;
const NARROW_ROW = 60;

/** Every piece of the list with what will be, or was, done about it. Only the rows in sight are in the page. */
export function EntryTable({ snapshot: { entries, tally } }: { snapshot: Snapshot }) {
  const [only, setOnly] = useState<Status | 'all'>('all');
  const isNarrow = useMediaQuery('(max-width: 600px)', false, { getInitialValueInEffect: false });
  const frame = useRef<HTMLDivElement>(null);
  const shown = only === 'all' ? entries : entries.filter((entry) => statusOf(entry) === only);
  // oxlint-disable-next-line react/incompatible-library -- nothing of it is handed on
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => (isNarrow ? NARROW_ROW : ROW),
    overscan: 8,
  });
  useEffect(() => rows.measure(), [rows, isNarrow]);
  const present = statuses.filter((status) => tally[status] > 0);

  return (
    <section className={classes.list} aria-labelledby="entries">
      <h2 id="entries" className="visually-hidden">
        The list
      </h2>
      <Filters
        label="Show"
        value={only}
        choices={[
          { value: 'all', label: 'All', count: entries.length },
          ...present.map((status) => ({ value: status, label: statusWords(status), count: tally[status] })),
        ]}
        onChange={(status) => setOnly(status === only ? 'all' : status)}
      />
      {/* It scrolls, and the keyboard has to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={frame} className={classes.frame} tabIndex={0} role="group" aria-label="Entries of the list">
        <div role="table" aria-label="Entries" aria-rowcount={shown.length + 1}>
          <div role="rowgroup" className={classes.head}>
            <div role="row" aria-rowindex={1} className={classes.row}>
              <span role="columnheader">Line</span>
              <span role="columnheader">Text</span>
              <span role="columnheader">Read as</span>
              <span role="columnheader">State</span>
            </div>
          </div>
          <div
            role="rowgroup"
            className={classes.body}
            style={{ '--height': `${rows.getTotalSize()}px` } as CSSProperties}
          >
            {rows.getVirtualItems().map(({ index, start }) => {
              const entry = shown[index];
              if (entry === undefined) return null;
              return <Row key={entry.index} entry={entry} position={index + 2} start={start} />;
            })}
          </div>
        </div>
        {shown.length === 0 && <p className={classes.none}>None is in this state any more.</p>}
      </div>
    </section>
  );
}

function Row({ entry, position, start }: { entry: Entry; position: number; start: number }) {
  const status = statusOf(entry);
  const details = detailsOf(entry, status);
  return (
    <div
      role="row"
      aria-rowindex={position}
      className={`${classes.row} ${classes.entry}`}
      style={{ '--start': `${start}px` } as CSSProperties}
    >
      <span role="cell" className={classes.line}>
        {entry.line}
      </span>
      <span role="cell" className={classes.text} title={visibly(entry.text)}>
        <GivenText text={entry.text} />
      </span>
      <span role="cell" className={classes.details} title={visibly(details)}>
        <GivenText text={details} />
      </span>
      <span role="cell" className={classes.state}>
        <StatusBadge tone={statusTone(status)}>{statusWords(status)}</StatusBadge>
      </span>
    </div>
  );
}

function detailsOf(entry: Entry, status: Status): string {
  if (status === 'duplicate') return `${entry.as}, as in line ${entry.repeats}`;
  return entry.outcome?.why ?? entry.as;
}
