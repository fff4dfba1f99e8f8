import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { checkDomain } from '#contract/dnsCheck.ts';
import type { ReadableDomain } from '#contract/domain.ts';
import type { Page } from '#contract/list.ts';
import { useCapability } from '../../session/useSession.ts';
import type { ListControl } from '../../table/useList.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { announce } from '../../ui/page/announce.ts';
import { Choice } from '../../ui/Choice.tsx';
import { MatrixContext } from './matrixColumns.tsx';
import classes from './DomainMatrix.module.css';
import { MatrixExport } from './MatrixExport.tsx';
import { MatrixProgress } from './MatrixProgress.tsx';
import { MatrixTable } from './MatrixTable.tsx';
import { useMatrix, type Matrix } from './useMatrix.ts';
import { liveCheckQuery } from '../check/liveCheck.ts';
import { createMatrixRow, formatDnsState, countByFilter, MATRIX_FILTER_LABELS, MATRIX_FILTERS } from './matrix.ts';

type Props = {
  query: UseQueryResult<Page<ReadableDomain>>;
  list: ListControl;
  /** Shown when no domain matches the search. */
  hint: string;
};

/** The domains of one page of the list, with the verdicts on their records by kind. */
export function DomainMatrix({ query, list, hint }: Props) {
  const canCheck = useCapability(checkDomain);
  const matrix = useMatrix(query.data?.data ?? [], canCheck);
  const { rows, shown, states, order, change, run, start, cancel } = matrix;
  const recheck = useRecheck();
  const otherOrder = order === 'worst' ? 'listed' : 'worst';
  usePageActions([
    {
      id: 'matrix-order',
      label: otherOrder === 'worst' ? 'Order the domains worst first' : 'Order the domains as listed',
      run: () => change({ order: otherOrder }),
    },
  ]);

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
        <p className="note">This service does not check DNS: the matrix shows its last saved results.</p>
      )}
      <MatrixControls matrix={matrix} canCheck={canCheck} />
      <MatrixTable matrix={matrix} canCheck={canCheck} query={query} list={list} hint={hint} />
      <MatrixExport rows={shown} />
      <p className="note">
        {order === 'worst' && 'Worst first is the order of the domains on this page. '}
        {canCheck && 'Outlined: last saved result. Filled: checked now. Rows keep their places while a check runs. '}
        Arrow keys go from cell to cell.
      </p>
    </MatrixContext>
  );
}

/** Returns a function that checks one domain again and announces the result or the error. It never rejects. */
function useRecheck(): (domain: ReadableDomain) => Promise<void> {
  const client = useQueryClient();
  return async (domain) => {
    announce(`Checking ${domain.name}`);
    try {
      const check = await client.query({ ...liveCheckQuery(domain.uuid), staleTime: 0 });
      announce(`${domain.name}: ${formatDnsState(createMatrixRow(check.completion?.domain ?? domain, check))}`);
    } catch (error) {
      // The error is also in the cache, and is shown in the row.
      announce(`${domain.name}: ${(error as Error).message}`);
    }
  };
}

const ORDERS = [
  { value: 'worst', label: 'Worst first' },
  { value: 'listed', label: 'As listed' },
] as const;

/** Filter and order of the matrix. */
function MatrixControls({ matrix, canCheck }: { matrix: Matrix; canCheck: boolean }) {
  const { rows, run, order, filter, change, isSettled, settle } = matrix;
  const counts = countByFilter(rows);
  return (
    <div className={classes.controls}>
      {canCheck && (
        <Choice
          label="Show domains by what the DNS says"
          value={filter}
          choices={MATRIX_FILTERS.map((value) => ({
            value,
            label: MATRIX_FILTER_LABELS[value],
            count: counts[value],
          }))}
          onChange={(next) => change({ result: next === filter ? 'all' : next })}
        />
      )}
      {/* No order is pressed after results have changed since the rows were ordered. A click then orders them again. */}
      <Choice
        label="Order"
        value={isSettled || run.isRunning ? order : null}
        choices={ORDERS}
        onChange={(next) => (next === order ? settle() : change({ order: next }))}
      />
    </div>
  );
}
