import type { ParsedInput } from '../list/readInput.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { ColumnChoice } from './ColumnChoice.tsx';
import classes from './DeskStages.module.css';

type Props = { read: ParsedInput; onRead: (read: ParsedInput) => void };

/** Says how the input was read, and lets one read another column of a table. */
export function ReadAs({ read, onRead }: Props) {
  return (
    <>
      {read.notes.map((note) => (
        <p key={note} className={classes.soft}>
          <UntrustedText text={note} />
        </p>
      ))}
      {read.summary !== null && <ColumnChoice read={read} summary={read.summary} onRead={onRead} />}
    </>
  );
}
