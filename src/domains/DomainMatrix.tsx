import type { UseQueryResult } from '@tanstack/react-query';
import { checkDomain } from '#contract/additions.ts';
import type { ReadableDomain } from '#contract/domain.ts';
import type { Page } from '#contract/list.ts';
import { useCapability } from '../session/useSession.ts';
import type { ListControl } from '../table/useListState.ts';
import { usePageActions } from '../ui/actions.ts';
import { MatrixContext } from './matrixContext.ts';
import { MatrixControls } from './MatrixControls.tsx';
import classes from './DomainMatrix.module.css';
import { MatrixExport } from './MatrixExport.tsx';
import { MatrixProgress } from './MatrixProgress.tsx';
import { MatrixTable } from './MatrixTable.tsx';
import { useMatrix } from './useMatrix.ts';
import { useRecheck } from './useRecheck.ts';

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
        <p className={classes.note}>
          This service does not check the DNS: the matrix shows the verdicts it has stored.
        </p>
      )}
      <MatrixControls matrix={matrix} canCheck={canCheck} />
      <MatrixTable matrix={matrix} canCheck={canCheck} query={query} list={list} hint={hint} />
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
