import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { escapeHidden as visibly } from '#contract/values/invisibleCharacters.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { type BulkEntry, determineStatus, isSelectable, statusTone } from './bulkState.ts';
import { describeState, isLeftOut } from './entryFilter.ts';
import classes from './EntryTable.module.css';
import type { SelectEntries } from './BulkNotices.tsx';

/** Heights in pixels, as in EntryTable.module.css, of rows without an explanation. */
const ROW = 40;
const NARROW_ROW = 60;
/** Rows that a key moves by. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: 10,
  PageUp: -10,
  Home: -Infinity,
  End: Infinity,
};

type Props = {
  shown: { readonly length: number; at: (index: number) => BulkEntry | undefined };
  isPlan: boolean;
  /** Null if rows can't be selected. */
  onSelect: SelectEntries | null;
};

/** The virtualized rows. Tab moves past them; inside, arrows or j and k move, and Space or x selects. */
export function EntryRows({ shown, isPlan, onSelect }: Props) {
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  const frame = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<number | null>(null);
  // oxlint-disable-next-line react/incompatible-library -- it is not passed to other components
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    estimateSize: () => (isNarrow ? NARROW_ROW : ROW),
    overscan: 8,
  });
  useEffect(() => rows.measure(), [rows, isNarrow]);
  const handleKey = (event: KeyboardEvent) => {
    const step = STEPS[event.key];
    const entry = current === null ? undefined : shown.at(current);
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (step !== undefined && shown.length > 0) {
      const next = Math.max(0, Math.min(shown.length - 1, current === null ? 0 : current + step));
      setCurrent(next);
      rows.scrollToIndex(next);
    } else if (event.key === 'x' && entry !== undefined && isSelectable(entry)) {
      onSelect?.([entry], !entry.isSelected);
    } else return;
    event.preventDefault();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys move through its rows
    <div
      ref={frame}
      className={classes.frame}
      data-selectable={onSelect !== null || undefined}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls with the keyboard
      tabIndex={0}
      role="group"
      aria-label="Entries of the list"
      onKeyDown={handleKey}
    >
      <div role="table" aria-label="Entries" aria-rowcount={shown.length + 1}>
        <Head canSelect={onSelect !== null} />
        <div role="rowgroup" className={classes.body} style={withVariable('--height', rows.getTotalSize())}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const entry = shown.at(index);
            const row = {
              index,
              start,
              isPlan,
              onSelect,
              isCurrent: index === current,
              onMeasure: rows.measureElement,
            };
            return entry && <Row key={entry.index} entry={entry} {...row} />;
          })}
        </div>
      </div>
      {shown.length === 0 && <p className={classes.none}>No entries in this view</p>}
    </div>
  );
}

const withVariable = (name: string, pixels: number) => ({ [name]: `${pixels}px` }) as CSSProperties;

const COLUMNS = ['Line', 'Text', 'Contact', 'Read as', 'State'];

function Head({ canSelect }: { canSelect: boolean }) {
  return (
    <div role="rowgroup" className={`${classes.head} row-head`}>
      <div role="row" aria-rowindex={1} className={classes.row}>
        {canSelect && (
          <span role="columnheader">
            <span className="visually-hidden">Selected</span>
          </span>
        )}
        {COLUMNS.map((name) => (
          <span key={name} role="columnheader">
            {name}
          </span>
        ))}
      </div>
    </div>
  );
}

type RowProps = {
  entry: BulkEntry;
  /** Among the shown rows. */
  index: number;
  start: number;
  isCurrent: boolean;
  isPlan: boolean;
  onSelect: SelectEntries | null;
  onMeasure: (row: HTMLElement | null) => void;
};

function Row({ entry, index, start, isCurrent, isPlan, onSelect, onMeasure }: RowProps) {
  const details = describeDetails(entry);
  const person = personTexts(entry);
  const whole = person.join(' · ');
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = row.current?.closest('[role="group"]');
    if (!isCurrent || !frame?.contains(document.activeElement)) return;
    (row.current?.querySelector('input') ?? row.current)?.focus({ preventScroll: true });
  }, [isCurrent]);
  return (
    <div
      ref={(element) => {
        row.current = element;
        onMeasure(element);
      }}
      data-index={index}
      data-explained={entry.leftOut !== null || entry.values.length === 0 || undefined}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      className={`${classes.row} ${classes.entry}`}
      data-current={isCurrent || undefined}
      style={withVariable('--start', start)}
    >
      {onSelect !== null && (
        <span role="cell">
          <SelectBox entry={entry} onSelect={onSelect} />
        </span>
      )}
      <span role="cell" className={classes.line}>
        {entry.line}
      </span>
      <span role="cell" className={classes.text} title={visibly(entry.text)}>
        <EntryText text={entry.text} />
      </span>
      <span role="cell" className={classes.person} data-empty={whole === '' || undefined} title={visibly(whole)}>
        {person.map((part, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- name and company, which may be the same text
          <span key={at}>
            {at > 0 && ' · '}
            <UntrustedText text={part} />
          </span>
        ))}
      </span>
      <span role="cell" className={classes.details} title={visibly(details)}>
        <UntrustedText text={details} />
      </span>
      <span role="cell">
        <StatusBadge tone={isLeftOut(entry) ? 'neutral' : statusTone(determineStatus(entry))}>
          {describeState(entry, isPlan)}
        </StatusBadge>
      </span>
    </div>
  );
}

function SelectBox({ entry, onSelect }: { entry: BulkEntry; onSelect: SelectEntries }) {
  if (!isSelectable(entry)) return null;
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      checked={entry.isSelected}
      aria-label={`Unsubscribe ${visibly(entry.text)}`}
      onChange={() => onSelect([entry], !entry.isSelected)}
    />
  );
}

/** Name and company, or else the email. */
function personTexts({ person }: BulkEntry): string[] {
  const named = [person?.name ?? '', person?.company ?? ''].filter((text) => text !== '');
  return named.length > 0 ? named : [person?.email ?? ''];
}

function describeDetails(entry: BulkEntry): string {
  const { as, source, repeats, undo, outcome, leftOut } = entry;
  if (repeats !== null) return `Same contact as line ${repeats}: ${as}`;
  const readAs = source === null ? as : `${source}: ${as}`;
  // Selected or not: a row that changes its height would move the others under the pointer.
  if (isSelectable(entry) && leftOut !== null && outcome === null) return `${leftOut} · ${readAs}`;
  return undo?.why ?? outcome?.why ?? readAs;
}

/** `Name <address>`: the name, and the rest. */
const MAILBOX = /^([^<>]*[^<>\s])\s*(<[^<>]+>)$/;

/** The text of the list. A name and its address are kept apart, because they may run in different directions. */
export function EntryText({ text }: { text: string }) {
  const [, name, address] = MAILBOX.exec(text) ?? [];
  if (name === undefined || address === undefined) return <UntrustedText text={text} />;
  return (
    <>
      <UntrustedText text={name} /> <UntrustedText text={address} />
    </>
  );
}
