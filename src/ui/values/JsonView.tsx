import { UntrustedText } from './UntrustedText.tsx';
import classes from './JsonView.module.css';
import { formatJson, LosslessNumber } from '../format/json.ts';

/** Deeper values are text: a hostile payload can have thousands of levels. */
const DEPTH = 12;

type Props = { value: unknown; depth?: number };

export function JsonView({ value, depth = 0 }: Props) {
  if (value === null || typeof value !== 'object' || value instanceof LosslessNumber) return <Scalar value={value} />;
  const isArray = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className={classes.mark}>{isArray ? '[]' : '{}'}</span>;
  if (depth >= DEPTH) return <UntrustedText className={classes.text} text={formatJson(value, 0)} />;
  return (
    <details open={depth < 3} className={classes.json}>
      <summary className={classes.mark}>{isArray ? `[ ${entries.length} ]` : `{ ${entries.length} }`}</summary>
      <ul>
        {entries.map(([key, inner]) => (
          <li key={key}>
            <UntrustedText className={classes.key} text={key} />
            <span className={classes.mark}>: </span>
            <JsonView value={inner} depth={depth + 1} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Scalar({ value }: { value: unknown }) {
  if (typeof value === 'string') return <UntrustedText className={classes.text} text={JSON.stringify(value)} />;
  return <span className={classes.scalar}>{String(value)}</span>;
}
