import classes from './Filters.module.css';

type Props<Value extends string> = {
  label: string;
  value: Value;
  choices: readonly { value: Value; label: string; count: number }[];
  onChange: (value: Value) => void;
};

/** Toggle buttons that filter rows, each with its number of rows. */
export function Filters<Value extends string>({ label, value, choices, onChange }: Props<Value>) {
  return (
    <div className={classes.filters} role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          data-none={choice.count === 0 || undefined}
          onClick={() => onChange(choice.value)}
        >
          {choice.label} <b>{choice.count.toLocaleString('en')}</b>
        </button>
      ))}
    </div>
  );
}
