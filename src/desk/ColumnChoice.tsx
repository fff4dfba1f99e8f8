import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { escapeHidden } from '#contract/invisibleCharacters.ts';
import { useIdentityField } from '../session/useSession.ts';
import classes from './DeskStages.module.css';
import type { Table } from './parseList.ts';
import { StorageErrorNotice } from './StorageErrorNotice.tsx';
import { startDeskList, type ParsedInput } from './useListReader.ts';

/** The value of the option that reads a table as text: no index of a column. */
const AS_TEXT = '-1';

type Props = { read: ParsedInput; table: Table; onRead: (read: ParsedInput) => void };

/** Reads the list again with another column of its table. */
export function ColumnChoice({ read, table, onRead }: Props) {
  const identityField = useIdentityField();
  const change = useMutation({
    mutationFn: async (column: number | null) => {
      await startDeskList({ ...read, column }, identityField);
      onRead({ ...read, column });
    },
  });
  return (
    <>
      <NativeSelect
        className={classes.column}
        label="Column that names the contacts"
        value={read.column === null ? AS_TEXT : String(read.column)}
        disabled={change.isPending}
        onChange={({ currentTarget: { value } }) => change.mutate(value === AS_TEXT ? null : Number(value))}
        data={[
          ...table.headings.map((heading, index) => ({ value: String(index), label: escapeHidden(heading) })),
          { value: AS_TEXT, label: 'No table: read it as text' },
        ]}
      />
      <StorageErrorNotice of={[change]} />
    </>
  );
}
