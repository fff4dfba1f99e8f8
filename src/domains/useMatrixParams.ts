import { useSearchParams } from 'react-router';
import { MATRIX_FILTERS, type MatrixFilter } from './matrix.ts';

export type MatrixOrder = 'worst' | 'listed';

/**
 * The order and filter of the matrix, which are in the URL. Defaults are not written there, and unknown values count as the
 * default. Without live checks there is no filter: it is about their results.
 */
export function useMatrixParams(canCheck: boolean) {
  const [params, setParams] = useSearchParams();
  const result = params.get('result');
  const order: MatrixOrder = params.get('order') === 'listed' ? 'listed' : 'worst';
  const filter: MatrixFilter = (canCheck ? MATRIX_FILTERS.find((one) => one === result) : undefined) ?? 'all';
  const setParam = (name: 'order' | 'result', value: MatrixOrder | MatrixFilter) =>
    setParams((current) => {
      const next = new URLSearchParams(current);
      if (value === 'worst' || value === 'all') next.delete(name);
      else next.set(name, value);
      return next;
    });
  return { order, filter, setParam };
}
