import { ActionIcon } from '@mantine/core';
import { IconLayoutGrid } from '@tabler/icons-react';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import type { ListControl } from '../../table/useList.ts';
import { useSession } from '../../session/useSession.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import type { DomainRow } from './domainRow.ts';
import { recordVisit } from './recordVisit.ts';
import { OrderSelect } from './OrderSelect.tsx';
import { TableFilters } from './TableFilters.tsx';

type Props = {
  list: ListControl;
  rows: readonly DomainRow[];
  hasReports: boolean;
  visit: string | null;
  /** When the list was read, in milliseconds since the epoch. */
  readAt: number;
  onWall: () => void;
  /** The menu of the list. */
  children: ReactNode;
};

/** The order, the filters, and the wall. */
export function TableTools({ list, rows, hasReports, visit, readAt, onWall, children }: Props) {
  usePageActions([{ id: 'wall', label: 'Show the domains as a wall', run: onWall }]);
  const { workspace_uuid } = useSession();
  const record = useEffectEvent((at: number) => recordVisit(workspace_uuid ?? '', new Date(at)));
  useEffect(() => record(readAt), [readAt]);
  return (
    <>
      <OrderSelect list={list} hasReports={hasReports} />
      {hasReports && <TableFilters list={list} rows={rows} visit={visit} />}
      <ActionIcon variant="default" size={30} ml="auto" aria-label="Wall" title="Show as a wall" onClick={onWall}>
        <IconLayoutGrid size={16} />
      </ActionIcon>
      {children}
    </>
  );
}
