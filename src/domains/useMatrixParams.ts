import { choiceParam, useUrlState } from '../url/urlState.ts';
import { MATRIX_FILTERS } from './matrix.ts';

const PARAMS = { order: choiceParam(['worst', 'listed']), result: choiceParam(MATRIX_FILTERS) };

/**
 * The order and filter of the matrix, which are in the URL. Without live checks there is no filter: it is about their
 * results.
 */
export function useMatrixParams(canCheck: boolean) {
  const [{ order, result }, change] = useUrlState(PARAMS);
  return { order, filter: canCheck ? result : 'all', change };
}
