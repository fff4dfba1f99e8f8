import { Button } from '@mantine/core';
import type { Column } from '../table/DataTable.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';

type TimeOptions = Pick<Column<unknown>, 'from'> & {
  show?: (date: Date, zone: string) => string;
  never?: boolean;
};

export const timeColumn = <Field extends string>(
  id: Field,
  header: string,
  { show, never = false, ...rest }: TimeOptions = {},
): Column<{ [Name in Field]: string | null }> => ({
  id,
  header,
  width: 112,
  ...rest,
  cell: ({ [id]: value }) =>
    value === null && never ? <span className="soft">Never</span> : <DateTime value={value} {...(show && { show })} />,
});

type ButtonProps = { label: string; which: string; isRed?: boolean; onClick: () => void };

/** A button in a row of a table. `which` is its label with the row's name, for screen readers. */
export function RowButton({ label, which, isRed = false, onClick }: ButtonProps) {
  return (
    <Button size="compact-sm" variant="subtle" color={isRed ? 'red' : 'teal'} aria-label={which} onClick={onClick}>
      {label}
    </Button>
  );
}
