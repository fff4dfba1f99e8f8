import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReadableDomain } from '#contract/domain.ts';
import { choiceParam, useUrlState } from '../../url/urlState.ts';
import { liveCheckQuery } from '../check/liveCheck.ts';
import { createMatrixRow, MATRIX_FILTERS, matchesFilter, worstFirst, type MatrixRow } from './matrix.ts';
import type { CheckState } from './matrixColumns.tsx';
import { useMatrixRun, type MatrixRun } from './useMatrixRun.ts';

const PARAMS = { order: choiceParam(['worst', 'listed']), result: choiceParam(MATRIX_FILTERS) };

export type Matrix = ReturnType<typeof useMatrix>;

export function useMatrix(domains: readonly ReadableDomain[], canCheck: boolean) {
  const page = domains.map(({ uuid }) => uuid).join(' ');
  const { run, start, cancel } = useMatrixRun(page);
  const live = useQueries({ queries: domains.map(({ uuid }) => liveCheckQuery(uuid)) });
  const [{ order, result }, change] = useUrlState(PARAMS);
  const rows = domains.map((domain, index) => createMatrixRow(domain, live[index]?.data));
  // The filter is about live results: without any, a link with it would show nothing.
  const hasResults = useFirstResults(rows, page, run.isRunning);
  const filter = canCheck && hasResults ? result : 'all';
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

/** Whether a row has a live result. Doesn't change during a check, so that rows stay. */
function useFirstResults(rows: readonly MatrixRow[], page: string, isRunning: boolean): boolean {
  const current = rows.some(({ result }) => result !== null);
  const [known, setKnown] = useState({ page, hasResults: current });
  if (known.page !== page || (!isRunning && known.hasResults !== current)) setKnown({ page, hasResults: current });
  return known.hasResults;
}

function determineCheckState(
  domain: string,
  run: MatrixRun,
  check: { isFetching: boolean; error: Error | null } | undefined,
): CheckState {
  if (check?.isFetching) return 'checking';
  if (run.isRunning && run.requested.includes(domain) && !run.completed.has(domain)) return 'waiting';
  return check?.error ?? 'idle';
}

/** Rows keep their places when results arrive. `isSettled`: the order is still current; `settle` makes it so. */
function useStableOrder(arranged: readonly MatrixRow[], rows: readonly MatrixRow[], occasion: string) {
  const current = arranged.map(({ domain }) => domain.uuid);
  const [settled, setSettled] = useState({ occasion, uuids: current });
  if (settled.occasion !== occasion) setSettled({ occasion, uuids: current });
  const byUuid = new Map(rows.map((row) => [row.domain.uuid, row]));
  return {
    shown: settled.uuids.flatMap((uuid) => byUuid.get(uuid) ?? []),
    isSettled: settled.uuids.join() === current.join(),
    settle: () => setSettled({ occasion, uuids: current }),
  };
}
