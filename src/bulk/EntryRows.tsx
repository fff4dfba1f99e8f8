import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type CSSProperties, type KeyboardEvent, type ReactNode } from 'react';
import { escapeHidden as visibly } from '#contract/values/invisibleCharacters.ts';
import { EndCut, UntrustedText } from '../ui/values/UntrustedText.tsx';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { type BulkEntry, determineStatus, isSelectable, statusTone } from './bulkState.ts';
import { describeState, isLeftOut } from './entryFilter.ts';
import classes from './EntryTable.module.css';
import { UNANSWERED } from '../listParser/piece.ts';
import { describeAnswers, type Question } from './reading/question.ts';
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
  /** Each row shows its cells of the columns that are asked about. */
  question: Question | undefined;
  /** Null if rows can't be selected. */
  onSelect: SelectEntries | null;
};

/**
 * The virtualized rows. Tab moves past them; inside, arrows or j and k move, and Space or x selects. The right arrow goes to the contact,
 * where Space opens the side panel, and the left arrow returns.
 */
export function EntryRows({ shown, isPlan, question, onSelect }: Props) {
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  const frame = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<number | null>(null);
  // oxlint-disable-next-line react/incompatible-library -- it is not passed to other components
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => frame.current,
    // A height is of an entry: the view may leave out others above it.
    getItemKey: (index) => shown.at(index)?.index ?? index,
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
    } else if (event.key === 'ArrowRight') {
      rowOf(frame.current, current)?.querySelector('a')?.focus({ preventScroll: true });
    } else if (event.key === 'ArrowLeft') rowFocus(rowOf(frame.current, current))?.focus({ preventScroll: true });
    else return;
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
            const row = { index, start, isPlan, question, onSelect, isCurrent: index === current };
            return entry && <Row key={entry.index} {...row} entry={entry} onMeasure={rows.measureElement} />;
          })}
        </div>
      </div>
      {shown.length === 0 && <p className={classes.none}>No entries in this view</p>}
    </div>
  );
}

const rowOf = (frame: Element | null, index: number | null) => frame?.querySelector(`[data-index="${index}"]`);

/** What has the focus in a row: its box, or else the row. */
const rowFocus = (row: Element | null | undefined) =>
  row?.querySelector<HTMLElement>('input') ?? (row instanceof HTMLElement ? row : null);

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
  question: Question | undefined;
  onSelect: SelectEntries | null;
  onMeasure: (row: HTMLElement | null) => void;
};

function Row({ entry, index, start, isCurrent, isPlan, question, onSelect, onMeasure }: RowProps) {
  const answers = question === undefined ? [] : describeAnswers(question, entry);
  const details = describeDetails(entry, answers);
  const person = describePerson(entry);
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frame = row.current?.closest('[role="group"]');
    if (!isCurrent || !frame?.contains(document.activeElement)) return;
    rowFocus(row.current)?.focus({ preventScroll: true });
  }, [isCurrent]);
  return (
    <div
      ref={(element) => {
        row.current = element;
        onMeasure(element);
      }}
      data-index={index}
      data-explained={answers.length > 0 || entry.leftOut !== null || entry.values.length === 0 || undefined}
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
      <span role="rowheader" className={classes.text}>
        <EntryText text={entry.text} />
      </span>
      <span role="cell" className={classes.person} data-empty={person === '' || undefined}>
        <ContactLink uuid={entry.outcome?.uuid ?? entry.found?.uuid ?? null}>
          {person !== '' && <EndCut text={person} />}
        </ContactLink>
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

/** As wide as its cell: a click next to the name opens the side panel (contacts/panel). */
function ContactLink({ uuid, children }: { uuid: string | null; children: ReactNode }) {
  if (uuid === null) return children;
  return (
    <Link to={paths.contact(uuid)} tabIndex={-1} className={classes.contact}>
      <span>{children}</span>
    </Link>
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
function describePerson({ person }: BulkEntry): string {
  const named = [person?.name ?? '', person?.company ?? ''].filter((text) => text !== '');
  return named.length > 0 ? named.join(' · ') : (person?.email ?? '');
}

function describeDetails(entry: BulkEntry, answers: readonly string[]): string {
  const { as, source, repeats, undo, outcome, leftOut } = entry;
  if (repeats !== null) return `Same contact as line ${repeats}: ${as}`;
  const readAs = [...answers, source === null ? as : `${source}: ${as}`].join(' · ');
  // Selected or not: a row that changes its height would move the others under the pointer.
  const isSaid = leftOut === null || leftOut === UNANSWERED || answers.includes(leftOut);
  if (isSelectable(entry) && !isSaid && outcome === null) return `${leftOut} · ${readAs}`;
  return undo?.why ?? outcome?.why ?? readAs;
}

/** `Name <address>`: the name, and the rest. */
const MAILBOX = /^([^<>]*[^<>\s])\s*(<[^<>]+>)$/;

/** The text of the list. A name and its address are kept apart, because they may run in different directions. */
export function EntryText({ text }: { text: string }) {
  const [, name, address] = MAILBOX.exec(text) ?? [];
  if (name === undefined || address === undefined) return <EndCut text={text} />;
  return (
    <>
      <EndCut text={name} /> <EndCut text={address} />
    </>
  );
}
