import type { ReactNode } from 'react';
import classes from './ColumnChoice.module.css';

type OptionProps = { group: string; isChosen: boolean; onChoose: () => void; children: ReactNode };

/** A row of a question about the list: what is chosen, an example, and a count. */
export function Option({ group, isChosen, onChoose, children }: OptionProps) {
  return (
    <label className={classes.option}>
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}
