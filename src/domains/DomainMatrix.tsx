import { Button } from '@mantine/core';
import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { checkDomain } from '#contract/additions.ts';
import type { ReadableDomain } from '#contract/domain.ts';
import type { Page } from '#contract/list.ts';
import { useCapability } from '../session/useSession.ts';
import { DataTable } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListEmpty.tsx';
import type { ListControl } from '../table/useListState.ts';
import { usePageActions } from '../ui/actions.ts';
import { announce } from '../ui/announce.ts';
import { Choice } from '../ui/Choice.tsx';
import { Filters } from '../ui/Filters.tsx';
import {
  MATRIX_FILTERS,
  MATRIX_FILTER_LABELS,
  createMatrixRow,
  formatDnsState,
  matchesFilter,
  countByFilter,
  worstFirst,
  type MatrixFilter,
} from './matrix.ts';
import classes from './DomainMatrix.module.css';
import { columns, storedColumns } from './matrixColumns.tsx';
import { MatrixContext, type CheckState } from './matrixContext.ts';
import { MatrixExport } from './MatrixExport.tsx';
import { MatrixProgress } from './MatrixProgress.tsx';
import { liveCheckQuery } from './liveCheck.ts';
import { moveBetweenCells } from './moveBetweenCells.ts';
import { useMatrixRun } from './useMatrixRun.ts';
import { useStableOrder } from './useStableOrder.ts';

const ORDERS = [
  { value: 'worst', label: 'Worst first' },
  { value: 'listed', label: 'As listed' },
] as const;

type Props = {
  query: UseQueryResult<Page<ReadableDomain>>;
  list: ListControl;
  /** Shown when the list holds nothing at all under the present search. */
  hint: string;
};

/** The domains of a page of the list against the kinds of their records: where mail is about to go wrong. */
export function DomainMatrix({ query, list, hint }: Props) {
  const canCheck = useCapability(checkDomain);
  const client = useQueryClient();
  const domains = query.data?.data ?? [];
  const page = domains.map(({ uuid }) => uuid).join(' ');
  const { run, start, cancel } = useMatrixRun(page);
  const live = useQueries({ queries: domains.map(({ uuid }) => liveCheckQuery(uuid)) });
  const { order, filter, put } = useMatrixParams(canCheck);

  const rows = domains.map((domain, index) => createMatrixRow(domain, live[index]?.data));
  const states = new Map(
    domains.map(({ uuid }, index): [string, CheckState] => {
      if (live[index]?.isFetching) return [uuid, 'checking'];
      if (run.isRunning && run.requested.includes(uuid) && !run.completed.has(uuid)) return [uuid, 'waiting'];
      return [uuid, live[index]?.error ?? 'idle'];
    }),
  );
  const arranged = (order === 'worst' ? worstFirst(rows) : rows).filter((row) => matchesFilter(row, filter));
  const { shown, isSettled, settle } = useStableOrder(
    arranged,
    rows,
    [page, order, filter, String(run.isRunning)].join(),
  );

  const tally = countByFilter(rows);
  const other = order === 'worst' ? 'listed' : 'worst';
  usePageActions([
    {
      id: 'fleet-order',
      label: other === 'worst' ? 'Order the domains worst first' : 'Order the domains as listed',
      run: () => put('order', other),
    },
  ]);

  const recheck = async (domain: ReadableDomain) => {
    announce(`Checking ${domain.name}`);
    try {
      const check = await client.query({ ...liveCheckQuery(domain.uuid), staleTime: 0 });
      announce(`${domain.name}: ${formatDnsState(createMatrixRow(check.completion?.domain ?? domain, check))}`);
    } catch (error) {
      // It is in the cache as well, and stands in the row.
      announce(`${domain.name}: ${(error as Error).message}`);
    }
  };

  return (
    <MatrixContext
      value={{
        rows: new Map(rows.map((row) => [row.domain.uuid, row])),
        states,
        recheck: (domain) => void recheck(domain),
      }}
    >
      {canCheck ? (
        <MatrixProgress
          run={run}
          rows={rows}
          states={states}
          shown={shown.map(({ domain }) => domain.uuid)}
          onCheck={(...which) => void start(...which)}
          onCancel={cancel}
        />
      ) : (
        <p className={classes.note}>
          This service does not check the DNS: the matrix shows the verdicts it has stored.
        </p>
      )}
      <div className={classes.controls}>
        {canCheck && (
          <Filters
            label="Show domains by what the DNS says"
            value={filter}
            choices={MATRIX_FILTERS.map((value) => ({
              value,
              label: MATRIX_FILTER_LABELS[value],
              count: tally[value],
            }))}
            onChange={(next) => put('result', next === filter ? 'all' : next)}
          />
        )}
        {/* Neither is pressed when something became known since the rows were put in order: a click does it again. */}
        <Choice
          label="Order"
          value={isSettled || run.isRunning ? order : null}
          choices={ORDERS}
          onChange={(next) => (next === order ? settle() : put('order', next))}
        />
      </div>
      {/* It only listens to the arrow keys of what is inside. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={classes.matrix} onKeyDown={moveBetweenCells}>
        <DataTable
          what="domains"
          columns={canCheck ? columns : storedColumns}
          query={query}
          // Rows that stand worst first cannot be sorted by a column as well.
          list={order === 'worst' ? { ...list, options: { ...list.options, sortable: [] } } : list}
          shown={shown.map(({ domain }) => domain)}
          rowId={(domain) => domain.uuid}
          leastWidth={1040}
          empty={<ListEmpty list={list} what="domain" hint={hint} />}
          none={
            <>
              <p>
                No domain of this page is in the state “{MATRIX_FILTER_LABELS[filter]}”
                {run.isRunning && ' as of the start of the check'}.
              </p>
              <Button variant="default" size="xs" onClick={() => put('result', 'all')}>
                Show all {domains.length}
              </Button>
            </>
          }
        />
      </div>
      <MatrixExport rows={shown} />
      <p className={classes.note}>
        {order === 'worst' && 'Worst first is the order of the domains on this page. '}
        {canCheck &&
          'Outlined is what is stored, filled what the DNS said when it was asked; rows keep their places while a check runs. '}
        Arrow keys go from cell to cell.
      </p>
    </MatrixContext>
  );
}

/** The part of the URL that is the matrix's own; defaults are not written, junk falls back. */
function useMatrixParams(canCheck: boolean) {
  const [params, setParams] = useSearchParams();
  const result = params.get('result');
  return {
    order: params.get('order') === 'listed' ? ('listed' as const) : ('worst' as const),
    // Stored verdicts are no results.
    filter: (canCheck ? MATRIX_FILTERS.find((known) => known === result) : undefined) ?? ('all' satisfies MatrixFilter),
    put: (name: 'order' | 'result', value: string) =>
      setParams((now) => {
        const next = new URLSearchParams(now);
        if (value === 'worst' || value === 'all') next.delete(name);
        else next.set(name, value);
        return next;
      }),
  };
}
