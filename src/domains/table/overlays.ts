import { createStore } from '../../ui/page/store.ts';
import type { DomainRow } from './domainRow.ts';

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
