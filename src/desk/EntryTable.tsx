import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type CSSProperties } from 'react';
import { escapeHidden as visibly } from '#contract/invisibleCharacters.ts';
import { Choice } from '../ui/Choice.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import type { DeskSnapshot } from './deskState.ts';
import classes from './EntryTable.module.css';
import { type DeskEntry, type EntryStatus, entryStatuses, determineStatus, statusTone, formatStatus } from './entry.ts';

/** Heights of a row in pixels, as in EntryTable.module.css. */
const ROW = 40;
const NARROW_ROW = 60;

/** The entries of the list with their states, filtered by state. Only the visible rows are in the page. */
export function EntryTable({ snapshot: { entries, counts } }: { snapshot: DeskSnapshot }) {
  const [only, setOnly] = useState<EntryStatus | 'all'>('all');
  const isNarrow = useMediaQuery('(max-width: 600px)', false, { getInitialValueInEffect: false });
  const frame = useRef<HTMLDivElement>(null);
  const shown = only === 'all' ? entries : entries.filter((entry) => determineStatus(entry) === only);
  // oxlint-disable-next-line react/incompatible-library -- it is not passed to other components
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => (isNarrow ? NARROW_ROW : ROW),
    overscan: 8,
  });
  useEffect(() => rows.measure(), [rows, isNarrow]);
  const present = entryStatuses.filter((status) => counts[status] > 0);

  return (
    <section className={classes.list} aria-labelledby="entries">
      <h2 id="entries" className="visually-hidden">
        The list
      </h2>
      <Choice
        label="Show"
        value={only}
        choices={[
          { value: 'all', label: 'All', count: entries.length },
          ...present.map((status) => ({ value: status, label: formatStatus(status), count: counts[status] })),
        ]}
        onChange={(status) => setOnly(status === only ? 'all' : status)}
      />
      {/* It scrolls, so the keyboard must be able to focus it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={frame} className={classes.frame} tabIndex={0} role="group" aria-label="Entries of the list">
        <div role="table" aria-label="Entries" aria-rowcount={shown.length + 1}>
          <div role="rowgroup" className={`${classes.head} row-head`}>
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

function Row({ entry, position, start }: { entry: DeskEntry; position: number; start: number }) {
  const status = determineStatus(entry);
  const details = describeDetails(entry, status);
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
        <UntrustedText text={entry.text} />
      </span>
      <span role="cell" className={classes.details} title={visibly(details)}>
        <UntrustedText text={details} />
      </span>
      <span role="cell">
        <StatusBadge tone={statusTone(status)}>{formatStatus(status)}</StatusBadge>
      </span>
    </div>
  );
}

function describeDetails(entry: DeskEntry, status: EntryStatus): string {
  if (status === 'duplicate') return `${entry.as}, as in line ${entry.repeats}`;
  return entry.outcome?.why ?? entry.as;
}
