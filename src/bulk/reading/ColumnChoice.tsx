import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ColumnSummary } from '../../listParser/columns.ts';
import { type ParsedInput, readByColumn } from '../../listParser/readInput.ts';
import type { ReadableTable } from '../../listParser/readEntries.ts';
import { useIdentityField } from '../../session/useSession.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { ReadingErrorNotice, ReadingProgress } from '../BulkNotices.tsx';
import classes from './ColumnChoice.module.css';
import { Option } from './Option.tsx';
import { bulk } from '../bulk.ts';
import { findEntries, READING, type ReadingStep } from './useListReader.ts';

type Props = { read: ParsedInput & { table: ReadableTable }; onRead: (read: ParsedInput) => void };

/** Shows the columns of the table, and reads the list again by the chosen one. */
export function ColumnChoice({ read, onRead }: Props) {
  const identityField = useIdentityField();
  const group = useId();
  const [step, setStep] = useState<ReadingStep>({ text: 'Reading' });
  const change = useMutation({
    mutationKey: READING,
    mutationFn: async (column: number | null) => {
      const reading = readByColumn(read, column, identityField);
      const isPlaced = await bulk.startList(async () => findEntries(await reading, identityField, setStep));
      if (isPlaced) onRead(await reading);
      return isPlaced;
    },
  });
  const { columns, isUndecided } = read.table;
  const before = isUndecided ? undefined : read.table.column;
  const [chosen, setChosen] = useState(before);
  const choose = (column: number | null) => {
    setChosen(column);
    change.mutate(column, {
      onSuccess: (isPlaced) => isPlaced || setChosen(before),
      onError: () => setChosen(before),
    });
  };
  return (
    <fieldset className={classes.choice}>
      <legend className={classes.legend}>Column with the contact’s email or ID</legend>
      {isUndecided && (
        <Notice tone="warn" title="Which column identifies the contacts?">
          No column clearly identifies contacts. Choose one to continue.
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
        <span className="note">Read as plain text; include everyone mentioned.</span>
      </Option>
      {change.isPending && <ReadingProgress step={step} />}
      <ReadingErrorNotice error={change.error} />
    </fieldset>
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
      <span className="note">{describeCounts(column)}</span>
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
