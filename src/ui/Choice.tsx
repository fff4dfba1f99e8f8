import classes from './Choice.module.css';

type Props<Value extends string> = {
  label: string;
  /** Null when none is chosen. */
  value: Value | null;
  choices: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
};

/** Toggle buttons, one of which is pressed. */
export function Choice<Value extends string>({ label, value, choices, onChange }: Props<Value>) {
  return (
    <div className={classes.choice} role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}
