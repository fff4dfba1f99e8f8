import { useLayoutEffect, useRef } from 'react';
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
  /** The checkbox. It comes with the ticks, because most tables have none. */
  Tick: typeof Tick;
};

type Props = { label: string; isTicked: boolean; isMixed?: boolean; onChange: (isTicked: boolean) => void };

/** The checkbox of a row, or of all rows of a page: mixed where some of them are ticked. */
export function Tick({ label, isTicked, isMixed = false, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    // HTML has no attribute for it.
    if (box.current !== null) box.current.indeterminate = isMixed;
  }, [isMixed]);
  return (
    <input
      ref={box}
      type="checkbox"
      className={classes.tick}
      aria-label={label}
      title={label}
      checked={isTicked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
