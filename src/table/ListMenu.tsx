import { ActionIcon } from '@mantine/core';
import { IconColumns3, IconDots } from '@tabler/icons-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { usePageActions } from '../ui/page/actions.ts';
import type { ChoosableColumn } from './ColumnsDialog.tsx';
import type { ExportedList, ListSource } from './export/exportList.ts';

const ListExportDialog = lazy(async () => ({
  default: (await import('./export/ListExportDialog.tsx')).ListExportDialog,
}));
const ColumnsDialog = lazy(async () => ({ default: (await import('./ColumnsDialog.tsx')).ColumnsDialog }));

type Props<E extends ExportedList> = {
  source: ListSource<E>;
  total: number | undefined;
  columns?: readonly ChoosableColumn[];
  /** Other exports. */
  more?: ReactNode;
};

export function ListMenu<E extends ExportedList>({ source, total, columns, more }: Props<E>) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const { what } = source;
  const [open, setOpen] = useState<'columns' | 'export'>();
  const close = () => setOpen(undefined);
  const entries = [
    ...(columns === undefined ? [] : [{ id: 'columns', label: `Columns of ${what}`, Icon: IconColumns3 } as const]),
    { id: 'export', label: `Export and share ${what}`, Icon: IconDots } as const,
  ];
  usePageActions(entries.map(({ id, label }) => ({ id: `${id} ${what}`, label, run: () => setOpen(id) })));
  return (
    <>
      {entries.map(({ id, label, Icon }) => (
        <ActionIcon
          key={id}
          variant="default"
          size={30}
          aria-label={label}
          aria-haspopup="dialog"
          title={label}
          onClick={() => setOpen(id)}
        >
          <Icon size={16} />
        </ActionIcon>
      ))}
      <Suspense>
        {open === 'export' && <ListExportDialog source={source} total={total} more={more} onClose={close} />}
        {open === 'columns' && columns && <ColumnsDialog what={what} columns={columns} onClose={close} />}
      </Suspense>
    </>
  );
}
