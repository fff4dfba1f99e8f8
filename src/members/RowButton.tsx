import { Button } from '@mantine/core';

type Props = { label: string; which: string; isRed?: boolean; onClick: () => void };

/** A button in a row of a table. `which` is its label with the row's name, for screen readers. */
export function RowButton({ label, which, isRed = false, onClick }: Props) {
  return (
    <Button size="compact-xs" variant="subtle" color={isRed ? 'red' : 'teal'} aria-label={which} onClick={onClick}>
      {label}
    </Button>
  );
}
