import { createContext, use } from 'react';
import type { ReadableDomain } from '#contract/domain.ts';
import { fleetRow, type FleetRow } from './fleet.ts';

/** What becomes of the check of a domain. */
export type CheckState = 'idle' | 'waiting' | 'checking' | Error;

/** What the cells of the matrix are about, by UUID of the domain. */
export type Fleet = {
  rows: ReadonlyMap<string, FleetRow>;
  states: ReadonlyMap<string, CheckState>;
  /** Checks one domain again. */
  recheck: (domain: ReadableDomain) => void;
};

export const FleetContext = createContext<Fleet>({ rows: new Map(), states: new Map(), recheck: () => {} });

export function useFleetRow(domain: ReadableDomain): FleetRow {
  return use(FleetContext).rows.get(domain.uuid) ?? fleetRow(domain, undefined);
}
