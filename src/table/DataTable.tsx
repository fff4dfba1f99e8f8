import { NativeSelect } from '@mantine/core';
import { functionalUpdate, rowSortingFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table';
import type { UseQueryResult } from '@tanstack/react-query';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import type { CSSProperties, ReactNode } from 'react';
import type { Page } from '#contract/list.ts';
import { useDelayedFlag } from '../ui/useDelayedFlag.ts';
import classes from './DataTable.module.css';
import { ListFrame } from './ListFrame.tsx';
import type { ListControl } from './useListState.ts';

const features = tableFeatures({ rowSortingFeature });
const NONE: never[] = [];

export type Column<Row extends object> = ColumnDef<typeof features, Row> & {
  header: string;
  /** `from`: the least width of the window, medium (600 px) or wide (1100 px), at which the column shows. */
  meta?: { width?: string; align?: 'end'; from?: 'medium' | 'wide' };
};

/** Columns of one table; the ids of sortable ones are those of the interface's `sorting[]`. */
export function defineColumns<Row extends object>(columns: Column<Row>[]): Column<Row>[] {
  // Table takes a column without an accessor for one that cannot be sorted. The service sorts, so it is never called.
  return columns.map((column) => ({ ...column, accessorFn: (row: Row) => row }));
}

type Props<Row extends object> = {
  /** What the rows are, as in "domains": names the table and its pager. */
  what: string;
  columns: Column<Row>[];
  query: UseQueryResult<Page<Row>>;
  list: ListControl;
  /** What is shown of the page, in which order, where it is not all of its rows as they came. */
  shown?: readonly Row[] | undefined;
  /**
   * Where rows hold something of their own, which they keep in another order and lose with their page: an opened detail,
   * a check under way. Rows without it are filled with those of the next page, which is quicker than to make them anew.
   */
  rowId?: (row: Row) => string;
  /** Pixels the columns need at least; in a narrower place the table scrolls sideways. */
  leastWidth?: number;
  /** Shown when the list holds nothing at all under the present search. */
  empty: ReactNode;
  /** Shown when `shown` leaves out all rows of the page. */
  none?: ReactNode;
  pager?: ReactNode;
};

/** A page of a list from the service: rows and every state a list can be in. Sort, page and size live in the URL. */
export function DataTable<Row extends object>({
  what,
  columns,
  query,
  list,
  shown,
  rowId,
  leastWidth = 0,
  empty,
  none,
  pager,
}: Props<Row>) {
  const { state, change, options } = list;
  const sorting = [state.sort];
  const page: readonly Row[] = query.data?.data ?? NONE;
  const data = shown ?? page;
  const table = useTable({
    features,
    columns,
    data,
    getRowId: (row, index) => {
      const id = rowId?.(row);
      // Another service may use one id twice; React would leave rows behind that it cannot tell apart.
      const isOnly = id !== undefined && data.findIndex((other) => rowId?.(other) === id) === index;
      return isOnly ? id : `${id} ${index}`;
    },
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    sortDescFirst: false,
    state: { sorting },
    onSortingChange: (updater) => {
      const [sort] = functionalUpdate(updater, sorting);
      if (sort !== undefined) change({ sort: { id: sort.id, desc: sort.desc } });
    },
  });
  const rows = table.getRowModel().rows;
  const isStale = useDelayedFlag(query.isPlaceholderData);

  return (
    <ListFrame
      what={what}
      query={query}
      list={list}
      empty={empty}
      none={page.length > 0 && data.length === 0 ? none : undefined}
      pager={pager}
    >
      <SortSelect columns={columns} list={list} />
      {/* It scrolls sideways when it must, and the keyboard has to reach it then. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.frame} tabIndex={0} role="group" aria-label={`Table of ${what}`}>
        <table
          className={classes.table}
          style={{ '--least-width': leastWidth } as CSSProperties}
          aria-busy={query.isFetching}
          data-stale={isStale || undefined}
        >
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id}>
                {group.headers.map((header) => {
                  const sorted = header.column.getIsSorted();
                  const { width, align, from } = (header.column.columnDef as Column<Row>).meta ?? {};
                  const sortable = options.sortable.includes(header.column.id);
                  return (
                    <th
                      key={header.id}
                      scope="col"
                      style={{ width }}
                      data-align={align}
                      data-from={from}
                      aria-sort={sorted ? (sorted === 'desc' ? 'descending' : 'ascending') : undefined}
                    >
                      {sortable ? (
                        <button
                          type="button"
                          className={classes.sort}
                          onClick={header.column.getToggleSortingHandler()}
                        >
                          <table.FlexRender header={header} />
                          <SortMark sorted={sorted} />
                        </button>
                      ) : (
                        <table.FlexRender header={header} />
                      )}
                    </th>
                  );
                })}
              </tr>
            ))}
          </thead>
          <tbody>
            {query.isPending && <SkeletonRows rows={state.perPage} columns={columns.length} />}
            {rows.map((row) => (
              <tr key={row.id}>
                {row.getAllCells().map((cell) => {
                  const { header, meta } = cell.column.columnDef as Column<Row>;
                  return (
                    <td key={cell.column.id} data-align={meta?.align} data-from={meta?.from} data-label={header}>
                      <table.FlexRender cell={cell} />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ListFrame>
  );
}

/** Below 1100 px columns are missing, below 600 px rows are cards without a header line: the order is chosen here. */
function SortSelect<Row extends object>({ columns, list }: { columns: Column<Row>[]; list: ListControl }) {
  const { state, options, change } = list;
  const choices = columns.filter((column) => options.sortable.includes(column.id ?? ''));
  if (choices.length === 0) return null;
  const value = (state.sort.desc ? '-' : '') + state.sort.id;
  const data = choices.flatMap(({ id = '', header }) => [
    { value: id, label: `${header}, ascending` },
    { value: `-${id}`, label: `${header}, descending` },
  ]);
  // The URL may name a column that the service sorts by and the table does not show.
  if (!data.some((choice) => choice.value === value)) {
    data.unshift({ value, label: `${state.sort.id}, ${state.sort.desc ? 'descending' : 'ascending'}` });
  }
  return (
    <NativeSelect
      className={classes.sortSelect}
      size="xs"
      aria-label="Sort by"
      value={value}
      data={data}
      onChange={({ currentTarget: { value } }) =>
        change({ sort: { id: value.replace('-', ''), desc: value.startsWith('-') } })
      }
    />
  );
}

function SortMark({ sorted }: { sorted: false | 'asc' | 'desc' }) {
  const Icon = sorted === 'asc' ? IconArrowUp : sorted === 'desc' ? IconArrowDown : IconArrowsSort;
  return <Icon size={14} aria-hidden data-idle={!sorted || undefined} />;
}

/** As many rows as the page will hold, so that nothing moves when they arrive. */
function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} className={classes.skeleton} aria-hidden>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column}>
          <span style={{ width: `${40 + ((row * 7 + column * 13) % 5) * 11}%` }} />
        </td>
      ))}
    </tr>
  ));
}
