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
  /** The view, and the menu of the list. */
  children: ReactNode;
};

/** The order and the filters, then what is given. */
export function TableTools({ list, rows, hasReports, visit, readAt, onWall, children }: Props) {
  usePageActions([{ id: 'wall', label: 'Show the domains as a wall', run: onWall }]);
  const { workspace_uuid } = useSession();
  const record = useEffectEvent((at: number) => recordVisit(workspace_uuid ?? '', new Date(at)));
  useEffect(() => record(readAt), [readAt]);
  return (
    <>
      <OrderSelect list={list} hasReports={hasReports} />
      {hasReports && <TableFilters list={list} rows={rows} visit={visit} />}
      {children}
    </>
  );
}
