import { useQueries } from '@tanstack/react-query';
import type { ReadableDomain } from '#contract/domain.ts';
import { liveCheckQuery } from './liveCheck.ts';
import { choiceParam, useUrlState } from '../url/urlState.ts';
import { createMatrixRow, MATRIX_FILTERS, matchesFilter, worstFirst } from './matrix.ts';
import type { CheckState } from './matrixContext.ts';
import { useMatrixRun, type MatrixRun } from './useMatrixRun.ts';
import { useStableOrder } from './useStableOrder.ts';

/** The order and filter of the matrix, which are in the URL. */
const PARAMS = { order: choiceParam(['worst', 'listed']), result: choiceParam(MATRIX_FILTERS) };

export type Matrix = ReturnType<typeof useMatrix>;

/** The rows of the matrix for a page of domains, which of them are shown in which order, and the check of them all. */
export function useMatrix(domains: readonly ReadableDomain[], canCheck: boolean) {
  const page = domains.map(({ uuid }) => uuid).join(' ');
  const { run, start, cancel } = useMatrixRun(page);
  const live = useQueries({ queries: domains.map(({ uuid }) => liveCheckQuery(uuid)) });
  const [{ order, result }, change] = useUrlState(PARAMS);
  // Without live checks there is no filter: it is about their results.
  const filter = canCheck ? result : 'all';

  const rows = domains.map((domain, index) => createMatrixRow(domain, live[index]?.data));
  const states: ReadonlyMap<string, CheckState> = new Map(
    domains.map(({ uuid }, index) => [uuid, determineCheckState(uuid, run, live[index])]),
  );
  const arranged = (order === 'worst' ? worstFirst(rows) : rows).filter((row) => matchesFilter(row, filter));
  const { shown, isSettled, settle } = useStableOrder(
    arranged,
    rows,
    [page, order, filter, String(run.isRunning)].join(),
  );
  return { rows, shown, states, order, filter, change, isSettled, settle, run, start, cancel };
}

/** `check` is the query of the live check of `domain`. */
function determineCheckState(
  domain: string,
  run: MatrixRun,
  check: { isFetching: boolean; error: Error | null } | undefined,
): CheckState {
  if (check?.isFetching) return 'checking';
  if (run.isRunning && run.requested.includes(domain) && !run.completed.has(domain)) return 'waiting';
  return check?.error ?? 'idle';
}
