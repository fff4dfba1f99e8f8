import { formatCount } from '../ui/formatCount.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { formatJson } from '../ui/json.ts';
import type { AttributeChange } from './attributeChanges.ts';
import classes from './EditAttributes.module.css';

/** In characters. A longer value is folded; otherwise it would push the rest out of view. */
const LONG = 300;

/** Changes as "key: before → after". */
export function ChangeList({ changes }: { changes: readonly AttributeChange[] }) {
  return (
    <ul className={classes.changes}>
      {changes.map(({ key, before, after }) => (
        <li key={key}>
          <strong>
            <UntrustedText text={key} />
          </strong>{' '}
          <Value value={before} /> <span aria-label="becomes">→</span> <Value value={after} />
        </li>
      ))}
    </ul>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === undefined) return <em>none</em>;
  if (value === '') return <em>empty</em>;
  const text = typeof value === 'string' ? value : formatJson(value, 0);
  const className = /[\r\n]/.test(text) ? classes.lines : classes.text;
  if (text.length <= LONG) return <UntrustedText className={className} text={text} />;
  return (
    <details className={classes.long}>
      <summary>{formatCount(text.length)} characters</summary>
      <p>
        <UntrustedText className={className} text={text} />
      </p>
    </details>
  );
}
