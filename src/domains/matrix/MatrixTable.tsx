import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import type { ReadableDomain } from '#contract/domain.ts';
import type { Page } from '#contract/list.ts';
import { DataTable } from '../../table/DataTable.tsx';
import { ListEmpty } from '../../table/ListFrame.tsx';
import type { ListControl } from '../../table/useList.ts';
import classes from './DomainMatrix.module.css';
import { MATRIX_FILTER_LABELS } from './matrix.ts';
import { columns, storedColumns } from './matrixColumns.tsx';
import type { Matrix } from './useMatrix.ts';

type Props = {
  matrix: Matrix;
  canCheck: boolean;
  query: UseQueryResult<Page<ReadableDomain>>;
  list: ListControl;
  /** Shown when no domain matches the search. */
  hint: string;
};

/** The matrix itself: a row for each domain, a column for each kind of record. */
export function MatrixTable({ matrix, canCheck, query, list, hint }: Props) {
  const { order, filter, change, shown, rows, run } = matrix;
  return (
    // The element only listens to the arrow keys of what is inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={classes.matrix} onKeyDown={moveBetweenCells}>
      <DataTable
        what="domains"
        columns={canCheck ? columns : storedColumns}
        query={query}
        // Rows in the order "worst first" cannot be sorted by a column as well.
        list={order === 'worst' ? { ...list, options: { ...list.options, sortable: [] } } : list}
        shown={shown.map(({ domain }) => domain)}
        keepsRows
        leastWidth={1040}
        empty={<ListEmpty list={list} what="domain" hint={hint} />}
        none={
          <>
            <p>
              No domain of this page is in the state “{MATRIX_FILTER_LABELS[filter]}”
              {run.isRunning && ' as of the start of the check'}.
            </p>
            <Button variant="default" size="xs" onClick={() => change({ result: 'all' })}>
              Show all {rows.length}
            </Button>
          </>
        }
      />
    </div>
  );
}

const STEPS: Readonly<Record<string, { across: number; down: number }>> = {
  ArrowLeft: { across: -1, down: 0 },
  ArrowRight: { across: 1, down: 0 },
  ArrowUp: { across: 0, down: -1 },
  ArrowDown: { across: 0, down: 1 },
};

/** Moves the focus from a cell of a table to the next one with a link or button, in the direction of the arrow key. */
function moveBetweenCells(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  const cell = (event.target as Element).closest('td');
  const body = cell?.closest('tbody');
  if (step === undefined || !cell || !body || event.ctrlKey || event.metaKey || event.altKey) return;
  // Arrow keys would scroll the page.
  event.preventDefault();
  let row = [...body.rows].findIndex((one) => one.contains(cell));
  let column = cell.cellIndex;
  for (;;) {
    row += step.down;
    column += step.across;
    const next = body.rows[row]?.cells[column];
    if (next === undefined) return;
    const target = next.querySelector<HTMLElement>('a, button');
    if (target !== null) return target.focus();
  }
}
