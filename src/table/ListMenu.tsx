import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { usePageActions } from '../ui/actions.ts';
import type { ListSource } from './exportList.ts';

const ListExportDialog = lazy(async () => ({ default: (await import('./ListExportDialog.tsx')).ListExportDialog }));

type Props<E extends Endpoint> = {
  source: ListSource<E>;
  /** The number of rows in the list, once it is known. */
  total: number | undefined;
};

/** The button that opens the export of a list. */
export function ListMenu<E extends Endpoint>({ source, total }: Props<E>) {
  const [open, setOpen] = useState(false);
  const label = `Export and share ${source.what}`;
  usePageActions([{ id: `export ${source.what}`, label, run: () => setOpen(true) }]);
  return (
    <>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={label}
        aria-haspopup="dialog"
        title={label}
        onClick={() => setOpen(true)}
      >
        <IconDots size={16} />
      </ActionIcon>
      {open && (
        <Suspense>
          <ListExportDialog source={source} total={total} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
