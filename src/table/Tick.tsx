import { startTransition, useLayoutEffect, useOptimistic, useRef, type ReactNode } from 'react';
import classes from './DataTable.module.css';

/** Rows of a table that can be ticked. */
export type RowTicks<Row> = {
  has: (row: Row) => boolean;
  /** Not a new object with each tick: every row would render again. */
  box: TickBox<Row>;
};

export type TickBox<Row> = {
  /** Ticks the rows, or unticks them. */
  set: (rows: readonly Row[], isTicked: boolean) => void;
  /** What the checkbox of a row is called by. */
  nameOf: (row: Row) => string;
  /** The checkboxes. They come with the ticks, because most tables have none. */
  TickRow: (props: TickRowProps<Row>) => ReactNode;
  TickPage: (props: TickPageProps<Row>) => ReactNode;
};

type TickRowProps<Row> = { row: Row; box: TickBox<Row>; isTicked: boolean };

/** The checkbox of a row. */
export function TickRow<Row>({ row, box: { set, nameOf }, isTicked }: TickRowProps<Row>) {
  return <Tick label={`Tick ${nameOf(row)}`} isTicked={isTicked} onChange={(isTicked) => set([row], isTicked)} />;
}

type TickPageProps<Row> = { rows: readonly Row[]; ticks: RowTicks<Row>; what: string };

/** The checkbox of all rows of the page: mixed where some of them are ticked. */
export function TickPage<Row>({ rows, ticks: { has, box }, what }: TickPageProps<Row>) {
  const ticked = rows.filter(has).length;
  return (
    <Tick
      label={`Tick the ${what} of this page`}
      isTicked={ticked > 0 && ticked === rows.length}
      isMixed={ticked > 0 && ticked < rows.length}
      onChange={(isTicked) => box.set(rows, isTicked)}
    />
  );
}

type Props = { label: string; isTicked: boolean; isMixed?: boolean; onChange: (isTicked: boolean) => void };

/** Shows what was chosen at once; everything else that depends on it comes after the paint of the checkbox. */
function Tick({ label, isTicked, isMixed = false, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const [shown, show] = useOptimistic(isTicked);
  const isIndeterminate = isMixed && shown === isTicked;
  useLayoutEffect(() => {
    // HTML has no attribute for it.
    if (box.current !== null) box.current.indeterminate = isIndeterminate;
  }, [isIndeterminate]);
  const choose = (isChosen: boolean) =>
    startTransition(() => {
      show(isChosen);
      onChange(isChosen);
    });
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.tick}
      aria-label={label}
      title={label}
      checked={shown}
      onChange={(event) => choose(event.currentTarget.checked)}
    />
  );
}
