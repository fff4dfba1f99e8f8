import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode, RefObject } from 'react';
import type { Page } from '#contract/list.ts';
import { DataTable } from '../../table/DataTable.tsx';
import { ListEmpty } from '../../table/ListFrame.tsx';
import type { ListControl } from '../../table/useList.ts';
import { listColumns } from './columns.tsx';
import { describeReceivers } from './describeCell.ts';
import type { DomainRow } from './rows/domainRow.ts';
import classes from './DomainsTable.module.css';

function hasOnlyOtherFaults({ findings }: DomainRow): boolean {
  const faults = findings.filter(({ result, accepted }) => result === 'fail' && accepted === null);
  return faults.length > 0 && faults.every(({ kind }) => kind === 'other');
}

type Props = {
  list: ListControl;
  query: UseQueryResult<Page<DomainRow>>;
  rows: readonly DomainRow[];
  hasReports: boolean;
  canCheck: boolean;
  /** The element around the table. */
  frame: RefObject<HTMLDivElement | null>;
  /** What is next to the table. */
  children: ReactNode;
};

export function DomainsTable({ list, query, rows, hasReports, canCheck, frame, children }: Props) {
  const columns = listColumns({
    isChecked: hasReports || canCheck,
    canCheck,
    hasOther: rows.some(hasOnlyOtherFaults),
    hasReceivers: rows.some((row) => describeReceivers(row) !== null),
  });
  return (
    <div className={classes.split}>
      <div ref={frame}>
        <DataTable
          what="domains"
          columns={columns}
          query={query}
          list={list}
          shown={rows}
          keepsRows
          hasOrderSelect
          empty={<ListEmpty list={list} what="domain" imports="domains" />}
        />
      </div>
      {children}
    </div>
  );
}
