import classes from './Choice.module.css';
import { formatCount } from './format/formatCount.ts';

type Props<Value extends string> = {
  label: string;
  value: Value | null;
  /** `count`: rows, if the choice filters rows. */
  choices: readonly { value: Value; label: string; count?: number }[];
  onChange: (value: Value) => void;
};

export function Choice<Value extends string>({ label, value, choices, onChange }: Props<Value>) {
  const isCounted = choices.some(({ count }) => count !== undefined);
  return (
    <div className={isCounted ? classes.filters : classes.choice} role="group" aria-label={label}>
      {choices.map(({ value: own, label, count }) => (
        <button
          key={own}
          type="button"
          aria-pressed={own === value}
          data-none={count === 0 || undefined}
          onClick={() => onChange(own)}
        >
          {label} {count !== undefined && <b>{formatCount(count)}</b>}
        </button>
      ))}
    </div>
  );
}
