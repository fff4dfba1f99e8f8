import { useMutation } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import type { ColumnSummary, TableSummary } from '../list/columns.ts';
import type { ParsedInput } from '../list/readInput.ts';
import { useIdentityField } from '../session/useSession.ts';
import { formatCount } from '../ui/formatCount.ts';
import { Notice } from '../ui/Notice.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import classes from './ColumnChoice.module.css';
import { desk } from './desk.ts';
import { ReadingErrorNotice } from './ReadingErrorNotice.tsx';
import { findEntries, READING } from './useListReader.ts';

type Props = { read: ParsedInput; summary: TableSummary; onRead: (read: ParsedInput) => void };

/** Shows what the columns of the table hold, and reads the list again with the one that is chosen. */
export function ColumnChoice({ read, summary, onRead }: Props) {
  const identityField = useIdentityField();
  const group = useId();
  const change = useMutation({
    mutationKey: READING,
    mutationFn: async (column: number | null) => {
      const chosen = { ...read, column, isUndecided: false };
      const isPlaced = await desk.startList(async () => findEntries(chosen, identityField));
      if (isPlaced) onRead(chosen);
      return isPlaced;
    },
  });
  const before = read.isUndecided ? undefined : read.column;
  const [chosen, setChosen] = useState(before);
  const choose = (column: number | null) => {
    setChosen(column);
    // Of several, those of the last choice are called.
    change.mutate(column, {
      onSuccess: (isPlaced) => isPlaced || setChosen(before),
      onError: () => setChosen(before),
    });
  };
  const { columns, rowsRead, rowCount } = summary;
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>Column with the contact’s email or ID</legend>
      {read.isUndecided && (
        <Notice tone="warn" title="Which column names the contacts?">
          More than one could, or none does for sure. Choose one: until then, nobody is ticked.
        </Notice>
      )}
      {columns.map((column) => (
        <Option
          key={column.index}
          group={group}
          isChosen={chosen === column.index}
          onChoose={() => choose(column.index)}
        >
          <ColumnPreview column={column} />
        </Option>
      ))}
      <Option group={group} isChosen={chosen === null} onChoose={() => choose(null)}>
        <b>No table</b>
        <span className={classes.soft}>Read it as text, and take everyone whom a line names.</span>
      </Option>
      {rowsRead < rowCount && (
        <p className={classes.soft}>
          Counted in the first {formatCount(rowsRead)} of {formatCount(rowCount)} rows. The whole column is read.
        </p>
      )}
      <ReadingErrorNotice error={change.error} />
    </fieldset>
  );
}

type OptionProps = { group: string; isChosen: boolean; onChoose: () => void; children: ReactNode };

function Option({ group, isChosen, onChoose, children }: OptionProps) {
  return (
    <label className={classes.option}>
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  );
}

function ColumnPreview({ column }: { column: ColumnSummary }) {
  return (
    <>
      <b>
        <UntrustedText text={column.heading} />
      </b>
      <span className={classes.samples}>
        <UntrustedText text={column.samples.join(' · ')} />
      </span>
      <span className={classes.soft}>{describeCounts(column)}</span>
    </>
  );
}

function describeCounts({ distinct, empty, unreadable }: ColumnSummary): string {
  const parts = [
    `${formatCount(distinct)} different`,
    ...(empty > 0 ? [`${formatCount(empty)} empty`] : []),
    ...(unreadable > 0 ? [`${formatCount(unreadable)} unreadable`] : []),
  ];
  return parts.join(', ');
}
