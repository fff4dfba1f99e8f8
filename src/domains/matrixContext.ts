import { createContext, use } from 'react';
import type { ReadableDomain } from '#contract/domain.ts';
import { createMatrixRow, type MatrixRow } from './matrix.ts';

/** The state of the check of a domain; an Error when it failed. */
export type CheckState = 'idle' | 'waiting' | 'checking' | Error;

/** The data of the cells of the matrix, by UUID of the domain. */
export type MatrixContextValue = {
  rows: ReadonlyMap<string, MatrixRow>;
  states: ReadonlyMap<string, CheckState>;
  /** Checks one domain again. */
  recheck: (domain: ReadableDomain) => void;
};

export const MatrixContext = createContext<MatrixContextValue>({
  rows: new Map(),
  states: new Map(),
  recheck: () => {},
});

export function useMatrixRow(domain: ReadableDomain): MatrixRow {
  return use(MatrixContext).rows.get(domain.uuid) ?? createMatrixRow(domain, undefined);
}
