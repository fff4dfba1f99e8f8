import type { ParsedInput } from '../../listParser/readInput.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { ColumnChoice } from './ColumnChoice.tsx';
import classes from '../DeskStages.module.css';
import type { ListReading } from '../deskState.ts';

type Props = {
  list: ListReading;
  /** What the list was read from; null after the page was left, because the journal keeps only what was found in it. */
  read: ParsedInput | null;
  onRead: (read: ParsedInput) => void;
};

/** Says how the input was read, and lets one read another column of a table. */
export function ReadAs({ list, read, onRead }: Props) {
  const { table } = read ?? { table: null };
  const isTableGone = read === null && list.column !== null;
  return (
    <>
      {list.notes.map((note) => (
        <p key={note} className={classes.soft}>
          <UntrustedText text={note} />
        </p>
      ))}
      {isTableGone && (
        <p className={classes.soft}>
          Read by the column “<UntrustedText text={list.column ?? ''} />
          ”. To choose another one, read the table again as a new list.
        </p>
      )}
      {read !== null && table !== null && <ColumnChoice read={{ ...read, table }} onRead={onRead} />}
    </>
  );
}
