import { startTransition, useLayoutEffect, useOptimistic, useRef } from 'react';
import classes from './DataTable.module.css';

export type RowSelection<Row> = {
  has: (row: Row) => boolean;
  /** Must be stable: every row would render again. */
  select: (rows: readonly Row[], isSelected: boolean) => void;
  nameOf: (row: Row) => string;
};

type PageBoxProps<Row> = { rows: readonly Row[]; selection: RowSelection<Row>; what: string };

export function PageBox<Row>({ rows, selection: { has, select }, what }: PageBoxProps<Row>) {
  const count = rows.filter(has).length;
  return (
    <SelectBox
      label={`Select all ${what} on this page`}
      isSelected={count > 0 && count === rows.length}
      isMixed={count > 0 && count < rows.length}
      onChange={(isSelected) => select(rows, isSelected)}
    />
  );
}

type Props = { label: string; isSelected: boolean; isMixed?: boolean; onChange: (isSelected: boolean) => void };

/** Shows the choice at once; everything that depends on it comes after that paint. */
export function SelectBox({ label, isSelected, isMixed = false, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null);
  const [shown, show] = useOptimistic(isSelected);
  const isIndeterminate = isMixed && shown === isSelected;
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
    <label className={classes.select} title={label}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={shown}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </label>
  );
}
