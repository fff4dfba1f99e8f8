import { NativeSelect } from '@mantine/core';
import { functionalUpdate, rowSortingFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table';
import type { UseQueryResult } from '@tanstack/react-query';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { memo, type CSSProperties, type ReactNode, useDeferredValue, useEffect } from 'react';
import { ATTRIBUTE_PREFIX, type Page } from '#contract/list.ts';
import { useDelayedFlag } from '../ui/page/useDelayedFlag.ts';
import classes from './DataTable.module.css';
import { ListFrame } from './ListFrame.tsx';
import { formatSort, parseSort, type ListControl } from './useList.ts';
import { PageBox, SelectBox, type RowSelection } from './SelectBox.tsx';
import { createStore } from '../ui/page/store.ts';
import { parseChoice, useColumnChoice } from './useColumnChoice.ts';

const features = tableFeatures({ rowSortingFeature });
const NONE: never[] = [];

export type Column<Row> = {
  /** Of a sortable column: as in `sorting[]`. */
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The minimum in pixels; a wider table distributes the rest proportionally. Or `auto` for the rest, or what CSS calculates. */
  width?: number | string;
  align?: 'end';
  /** Cells fit or truncate themselves; a browser composites each cell that clips. */
  fits?: true;
  /** Shown from this window width: medium (600 px), wide (1100 px) or widest (1400 px). */
  from?: 'medium' | 'wide' | 'widest';
};

type Props<Row extends { uuid: string }> = {
  what: string;
  columns: readonly Column<Row>[];
  query: UseQueryResult<Page<Row>>;
  list: ListControl;
  shown?: readonly Row[] | undefined;
  /** Rows keep their state (an opened detail, a running check). Otherwise they're reused for the next page, which is faster. */
  keepsRows?: boolean;
  selection?: RowSelection<Row>;
  choosable?: boolean;
  /** The page has a select for the order, which also has orders without a column. */
  hasOrderSelect?: boolean;
  empty: ReactNode;
  /** Shown if `shown` has none of the page's rows. */
  none?: ReactNode;
  pager?: ReactNode;
};

export function DataTable<Row extends { uuid: string }>({
  what,
  columns,
  query,
  list,
  shown,
  keepsRows,
  selection,
  choosable = false,
  hasOrderSelect = false,
  empty,
  none,
  pager,
}: Props<Row>) {
  const page: readonly Row[] = query.data?.data ?? NONE;
  const data = shown ?? page;
  const visible = useShownColumns(choosable ? what : null, columns);
  const table = useServerTable(visible, data, list, keepsRows);
  const { rows } = table.getRowModel();
  const first = useFirstRows();
  const later = rows.length - first;
  const isStale = useDelayedFlag(query.isPlaceholderData);
  const frame = { what, query, list, empty, pager, none: page.length > 0 && data.length === 0 ? none : undefined };

  return (
    <ListFrame {...frame}>
      {!hasOrderSelect && <SortSelect columns={columns} shown={visible} list={list} />}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls with the keyboard */}
      <div className={classes.frame} tabIndex={0} role="group" aria-label={`Table of ${what}`}>
        <table
          className={classes.table}
          style={leastWidths(visible)}
          aria-label={what}
          aria-busy={query.isFetching || later > 0}
          data-stale={isStale || undefined}
        >
          <TableHead table={table} sortable={list.options.sortable} selection={selection} what={what} />
          <tbody data-rows>
            {query.isPending && (
              <SkeletonRows rows={list.state.perPage} columns={visible.length} hasBox={selection !== undefined} />
            )}
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

/** In pixels, of a column that gets the rest. */
const LEAST_WIDTH = 140;

/** Narrower, a table scrolls sideways: columns of a fixed layout that get the rest would vanish. */
function leastWidths<Row>(columns: readonly Column<Row>[]): CSSProperties {
  const sum = (...hidden: Column<Row>['from'][]) =>
    columns.reduce((total, { width = 'auto', from }) => {
      if (from !== undefined && hidden.includes(from)) return total;
      return total + (width === 'auto' ? LEAST_WIDTH : Number(width) || 0);
    }, 0);
  return {
    '--least-widest': `${sum()}px`,
    '--least-wide': `${sum('widest')}px`,
    '--least-medium': `${sum('widest', 'wide')}px`,
  } as CSSProperties;
}

type ServerColumn<Row extends object> = ColumnDef<typeof features, Row> & { meta: Column<Row> };

const toServerColumn = <Row extends object>(column: Column<Row>): ServerColumn<Row> => ({
  id: column.id,
  meta: column,
  // Never called: TanStack Table requires it for sortable columns.
  accessorFn: (row: Row) => row,
});

type ServerTable<Row extends { uuid: string }> = ReturnType<typeof useServerTable<Row>>;

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
    // Another service may use one ID twice. React leaves rows with duplicate keys behind.
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

// React Compiler caches by identity, and only the table is a new object with every change: state is read from it.

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
          {selection !== undefined && (
            <th scope="col" className={classes.box}>
              <PageBox
                rows={table.getRowModel().rows.map(({ original }) => original)}
                selection={selection}
                what={what}
              />
            </th>
          )}
          {group.headers.map(({ id, column }) => {
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
      {select && nameOf && (
        <td className={classes.box}>
          <SelectBox
            label={`Select ${nameOf(row)}`}
            isSelected={isSelected}
            onChange={(isChosen) => select([row], isChosen)}
          />
        </td>
      )}
      <th scope="row" {...first?.attributes}>
        {first?.content}
      </th>
      {otherCells}
    </tr>
  );
}) as <Row extends { uuid: string }>(props: TableRowProps<Row>) => ReactNode;

type SortSelectProps<Row> = {
  columns: readonly Column<Row>[];
  shown: readonly Column<Row>[];
  list: ListControl;
};

/** For windows below 1100 px, which lack headers, and if the sorted column is hidden. */
function SortSelect<Row>({ columns, shown, list }: SortSelectProps<Row>) {
  'use no memo'; // It renders rarely, and the first file has to be small.
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
  // The URL may name another column.
  if (!choices.some((choice) => choice.value === value)) {
    // Not `state.sort`, a new object with each change of the URL.
    const { id, desc } = parseSort(value);
    choices.unshift({ value, label: `${id.replace(ATTRIBUTE_PREFIX, '')}, ${desc ? 'descending' : 'ascending'}` });
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

function SkeletonRows({ rows, columns, hasBox }: { rows: number; columns: number; hasBox: boolean }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  return Array.from({ length: rows }, (_, row) => (
    <tr key={row} className={classes.skeleton} aria-hidden>
      {hasBox && <td className={classes.box} />}
      {Array.from({ length: columns }, (_, column) => {
        const Cell = column === 0 ? 'th' : 'td';
        return (
          <Cell key={column}>
            <span style={{ width: `${40 + ((row * 7 + column * 13) % 5) * 11}%` }} />
          </Cell>
        );
      })}
    </tr>
  ));
}

/** In pixels: about that of a row as a card. */
const CARD_HEIGHT = 100;

/** Only the first table since the page was loaded: where one is shown again, by Back, its page has to be as high as it was. */
const isFirst = createStore(true);

/**
 * How many rows a table begins with. On a phone rows are cards, of which a window has few: those below it are rendered after
 * the first paint, which they would delay (docs/decisions/0037-first-page.md).
 */
function useFirstRows(): number {
  const isPainted = useDeferredValue(true, !isFirst.read());
  useEffect(() => {
    isFirst.write(false);
  }, []);
  // As in DataTable.module.css.
  const hasCards = window.matchMedia('(max-width: 600px)').matches;
  return isPainted || !hasCards ? Infinity : Math.ceil(window.innerHeight / CARD_HEIGHT);
}

/** The first column names the row and always shows. */
function useShownColumns<Row>(what: string | null, columns: readonly Column<Row>[]): readonly Column<Row>[] {
  const { chosen } = useColumnChoice(what ?? '');
  if (what === null || chosen === null) return columns;
  const choice = parseChoice(chosen);
  return columns.flatMap((column, index) => {
    const isShown = choice.get(column.id);
    if (isShown === undefined || index === 0) return column;
    const { from: _, ...always } = column;
    return isShown ? always : [];
  });
}
