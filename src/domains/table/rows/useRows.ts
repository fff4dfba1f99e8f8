import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { Page, Sort } from '#contract/list.ts';
import { createStore, useStore } from '../../../ui/page/store.ts';
import { worstFirst, type DomainRow } from './domainRow.ts';

/** A row with what a check of this tab has found since. */
export type Overlay = (row: DomainRow) => DomainRow;

type Checks = {
  /** By UUID of the domain. */
  overlays: ReadonlyMap<string, Overlay>;
  /** Of several domains. */
  isRunning: boolean;
};

export const NO_CHECKS: Checks = { overlays: new Map(), isRunning: false };

/** Written by CheckedRows.tsx, which loads after the table. */
export const checks = createStore(NO_CHECKS);

const NONE: DomainRow[] = [];

/** The rows of the page with what this tab has checked. `sort` is null if the service has sorted them. */
export function useRows(query: UseQueryResult<Page<DomainRow>>, sort: Sort | null): readonly DomainRow[] {
  const { overlays } = useStore(checks);
  const page = query.data?.data ?? NONE;
  const rows = useSettledOrder(page, sort?.id === 'urgency', query.dataUpdatedAt);
  return rows.map((row) => overlays.get(row.uuid)?.(row) ?? row);
}

/** Rows keep their places until the page is read again, also while checks change what is stored. */
function useSettledOrder(page: readonly DomainRow[], isSorted: boolean, readAt: number): readonly DomainRow[] {
  const occasion = `${isSorted} ${readAt} ${page.map(({ uuid }) => uuid).join(' ')}`;
  const [settled, setSettled] = useState<{ occasion: string; places: readonly number[] }>();
  if (!isSorted) return page;
  if (settled?.occasion === occasion) return settled.places.flatMap((at) => page[at] ?? []);
  const sorted = worstFirst(page);
  setSettled({ occasion, places: sorted.map((row) => page.indexOf(row)) });
  return sorted;
}
