import { useQueries } from '@tanstack/react-query';
import type { ReadableDomain } from '#contract/domain.ts';
import { liveCheckQuery } from './liveCheck.ts';
import { createMatrixRow, matchesFilter, worstFirst } from './matrix.ts';
import type { CheckState } from './matrixContext.ts';
import { useMatrixParams } from './useMatrixParams.ts';
import { useMatrixRun, type MatrixRun } from './useMatrixRun.ts';
import { useStableOrder } from './useStableOrder.ts';

export type Matrix = ReturnType<typeof useMatrix>;

/** The rows of the matrix for a page of domains, which of them are shown in which order, and the check of them all. */
export function useMatrix(domains: readonly ReadableDomain[], canCheck: boolean) {
  const page = domains.map(({ uuid }) => uuid).join(' ');
  const { run, start, cancel } = useMatrixRun(page);
  const live = useQueries({ queries: domains.map(({ uuid }) => liveCheckQuery(uuid)) });
  const { order, filter, change } = useMatrixParams(canCheck);

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
