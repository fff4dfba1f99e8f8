import { Choice } from '../ui/Choice.tsx';
import classes from './DomainMatrix.module.css';
import { countByFilter, MATRIX_FILTER_LABELS, MATRIX_FILTERS } from './matrix.ts';
import type { Matrix } from './useMatrix.ts';

const ORDERS = [
  { value: 'worst', label: 'Worst first' },
  { value: 'listed', label: 'As listed' },
] as const;

/** Filter and order of the matrix. */
export function MatrixControls({ matrix, canCheck }: { matrix: Matrix; canCheck: boolean }) {
  const { rows, run, order, filter, change, isSettled, settle } = matrix;
  const counts = countByFilter(rows);
  return (
    <div className={classes.controls}>
      {canCheck && (
        <Choice
          label="Show domains by what the DNS says"
          value={filter}
          choices={MATRIX_FILTERS.map((value) => ({
            value,
            label: MATRIX_FILTER_LABELS[value],
            count: counts[value],
          }))}
          onChange={(next) => change({ result: next === filter ? 'all' : next })}
        />
      )}
      {/* No order is pressed after results have changed since the rows were ordered. A click then orders them again. */}
      <Choice
        label="Order"
        value={isSettled || run.isRunning ? order : null}
        choices={ORDERS}
        onChange={(next) => (next === order ? settle() : change({ order: next }))}
      />
    </div>
  );
}
