import { NativeSelect } from '@mantine/core';
import { functionalUpdate, rowSortingFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table';
import type { UseQueryResult } from '@tanstack/react-query';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { memo, type CSSProperties, type ReactNode } from 'react';
import type { Page } from '#contract/list.ts';
import { useDelayedFlag } from '../ui/page/useDelayedFlag.ts';
import classes from './DataTable.module.css';
import { useShownColumns } from './columnChoice.ts';
import { CARD_HEIGHT, useFirstRows } from './firstRows.ts';
import { ListFrame } from './ListFrame.tsx';
import { formatSort, parseSort } from './listState.ts';
import { PageBox, SelectBox, type RowSelection } from './SelectBox.tsx';
import type { ListControl } from './useListState.ts';

const features = tableFeatures({ rowSortingFeature });
const NONE: never[] = [];

export type Column<Row> = {
  /** That of sortable columns is the one of the interface's `sorting[]`. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The least width in pixels; a wider table shares what is left in proportion. Or a part of the table, with `leastWidth`; or `auto` for what the others leave, who then share nothing. */
  width?: number | string;
  align?: 'end';
  /** What its cells hold fits or cuts itself, so that the cells need not: a browser puts each that does together with every paint. */
  fits?: true;
  /** The least width of the window, medium (600 px) or wide (1100 px), at which the column shows. */
  from?: 'medium' | 'wide';
};

type Props<Row extends { uuid: string }> = {
  /** What the rows are, as in "domains": names the table and its pager. */
  what: string;
  columns: readonly Column<Row>[];
  query: UseQueryResult<Page<Row>>;
  list: ListControl;
  /** The rows of the page to show, in order; by default all of them, as the service sent them. */
  shown?: readonly Row[] | undefined;
  /**
   * For rows with state of their own (an opened detail, a check in flight): the state moves with the row, and is lost
   * with the page. Without it, rows are reused for the next page, which renders faster.
   */
  keepsRows?: boolean;
  /** Puts a checkbox before the first cell of each row. */
  selection?: RowSelection<Row>;
  /** Shows the columns that were chosen in this browser (`ListMenu` has the choice). */
  choosable?: boolean;
  /** Pixels the columns need at least, where their widths are parts; in a narrower place the table scrolls sideways. */
  leastWidth?: number;
  /** Shown when the list holds nothing at all under the present search. */
  empty: ReactNode;
  /** Shown when `shown` leaves out all rows of the page. */
  none?: ReactNode;
  pager?: ReactNode;
};

/** A page of a list from the service, in every state a list can be in. Sort, page and size live in the URL. */
export function DataTable<Row extends { uuid: string }>({
  what,
  columns,
  query,
  list,
  shown,
  keepsRows,
  selection,
  choosable = false,
  leastWidth = 0,
  empty,
  none,
  pager,
}: Props<Row>) {
  const page: readonly Row[] = query.data?.data ?? NONE;
  const data = shown ?? page;
  const chosen = useShownColumns(what, columns);
  const visible = choosable ? chosen : columns;
  const table = useServerTable(visible, data, list, keepsRows);
  const { rows } = table.getRowModel();
  const first = useFirstRows();
  const later = rows.length - first;
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
      <SortSelect columns={columns} shown={visible} list={list} />
      {/* Scrolls sideways in a narrow window; focusable so that the keyboard can scroll it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={classes.frame} tabIndex={0} role="group" aria-label={`Table of ${what}`}>
        <table
          className={classes.table}
          style={{ '--least-width': leastWidth } as CSSProperties}
          aria-busy={query.isFetching || later > 0}
          data-stale={isStale || undefined}
        >
          <TableHead table={table} sortable={list.options.sortable} selection={selection} what={what} />
          <tbody data-rows>
            {query.isPending && <SkeletonRows rows={list.state.perPage} columns={visible.length} />}
            {rows.slice(0, first).map((row) => (
              <TableRow
                key={row.id}
                row={row.original}
                columns={visible}
                select={selection?.select}
                nameOf={selection?.nameOf}
                isSelected={selection?.has(row.original) ?? false}
              />
            ))}
            {later > 0 && <tr style={{ height: later * CARD_HEIGHT }} aria-hidden />}
          </tbody>
        </table>
      </div>
    </ListFrame>
  );
}

type ServerColumn<Row extends object> = ColumnDef<typeof features, Row> & { meta: Column<Row> };

const toServerColumn = <Row extends object>(column: Column<Row>): ServerColumn<Row> => ({
  id: column.id,
  meta: column,
  // TanStack Table cannot sort a column that has no accessor. The service sorts, so this one is never called.
  accessorFn: (row: Row) => row,
});

type ServerTable<Row extends { uuid: string }> = ReturnType<typeof useServerTable<Row>>;

/** TanStack Table over rows that the service has sorted: a click on a header changes the URL, nothing is sorted here. */
function useServerTable<Row extends { uuid: string }>(
  columns: readonly Column<Row>[],
  data: readonly Row[],
  { state, change }: ListControl,
  keepsRows: boolean | undefined,
) {
  const sorting = [state.sort];
  return useTable({
    features,
    columns: columns.map(toServerColumn),
    data,
    // Another service may use one id twice. React needs unique keys: with duplicates it would leave rows behind.
    getRowId: ({ uuid }, index) =>
      keepsRows && data.findIndex((other) => other.uuid === uuid) === index ? uuid : `row ${index}`,
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
}

// Headers and rows keep their identity while their state changes, and React Compiler caches by identity. Only the table
// is a new object with every change, so what depends on the state is read in the components that receive the table.

type TableHeadProps<Row extends { uuid: string }> = {
  table: ServerTable<Row>;
  sortable: readonly string[];
  selection: RowSelection<Row> | undefined;
  what: string;
};

function TableHead<Row extends { uuid: string }>({ table, sortable, selection, what }: TableHeadProps<Row>) {
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {group.headers.map(({ id, column }, index) => {
            const sorted = column.getIsSorted();
            const { header, width, align, from } = (column.columnDef as ServerColumn<Row>).meta;
            return (
              <th
                key={id}
                scope="col"
                style={{ width }}
                data-align={align}
                data-from={from}
                aria-sort={sorted ? (sorted === 'desc' ? 'descending' : 'ascending') : undefined}
              >
                {index === 0 && selection !== undefined && (
                  <PageBox
                    rows={table.getRowModel().rows.map(({ original }) => original)}
                    selection={selection}
                    what={what}
                  />
                )}
                {sortable.includes(column.id) ? (
                  <button type="button" className={classes.sort} onClick={column.getToggleSortingHandler()}>
                    {header}
                    <SortMark sorted={sorted} />
                  </button>
                ) : (
                  header
                )}
              </th>
            );
          })}
        </tr>
      ))}
    </thead>
  );
}

type TableRowProps<Row extends { uuid: string }> = {
  row: Row;
  columns: readonly Column<Row>[];
  isSelected: boolean;
} & Partial<Pick<RowSelection<Row>, 'select' | 'nameOf'>>;

/** Renders again only for another row, other columns or its own selection. */
const TableRow = memo(function TableRow<Row extends { uuid: string }>({
  row,
  columns,
  select,
  nameOf,
  isSelected,
}: TableRowProps<Row>) {
  // All cells at once and apart from the checkbox: React Compiler then keeps them if only the selection changes.
  const [first, ...others] = columns.map(({ id, align, fits, from, header, cell }) => {
    const attributes = { 'data-align': align, 'data-fits': fits, 'data-from': from, 'data-label': header };
    return { id, attributes, content: cell(row) };
  });
  const otherCells = others.map(({ id, attributes, content }) => (
    <td key={id} {...attributes}>
      {content}
    </td>
  ));
  return (
    <tr data-selected={isSelected || undefined}>
      <td {...first?.attributes}>
        {select && nameOf && (
          <SelectBox
            label={`Select ${nameOf(row)}`}
            isSelected={isSelected}
            onChange={(isChosen) => select([row], isChosen)}
          />
        )}
        {first?.content}
      </td>
      {otherCells}
    </tr>
  );
}) as <Row extends { uuid: string }>(props: TableRowProps<Row>) => ReactNode;

type SortSelectProps<Row> = {
  columns: readonly Column<Row>[];
  shown: readonly Column<Row>[];
  list: ListControl;
};

/**
 * Chooses the order where headers cannot: columns are hidden below 1100 px, and rows are cards without a header below
 * 600 px. At any width where the rows are in the order of a column that is hidden by choice.
 */
function SortSelect<Row>({ columns, shown, list }: SortSelectProps<Row>) {
  const { state, options, change } = list;
  const value = formatSort(state.sort);
  const choices = columns.flatMap(({ id, header }) =>
    options.sortable.includes(id)
      ? [
          { value: id, label: `${header}, ascending` },
          { value: `-${id}`, label: `${header}, descending` },
        ]
      : [],
  );
  if (choices.length === 0) return null;
  // The URL may name a column that the table does not show.
  if (!choices.some((choice) => choice.value === value)) {
    // Not `state.sort`, another object with each change of the URL: the same choices are not rendered again.
    const { id, desc } = parseSort(value);
    choices.unshift({ value, label: `${id}, ${desc ? 'descending' : 'ascending'}` });
  }
  return (
    <div className={classes.sortSelect} data-needed={!shown.some(({ id }) => id === state.sort.id) || undefined}>
      <NativeSelect
        size="xs"
        aria-label="Sort by"
        value={value}
        data={choices}
        onChange={({ currentTarget: { value } }) => change({ sort: parseSort(value) })}
      />
    </div>
  );
}

function SortMark({ sorted }: { sorted: false | 'asc' | 'desc' }) {
  const Icon = sorted === 'asc' ? IconArrowUp : sorted === 'desc' ? IconArrowDown : IconArrowsSort;
  return <Icon size={14} aria-hidden data-idle={!sorted || undefined} />;
}

/** As many rows as the page will hold, so that the layout does not shift when they arrive. */
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
