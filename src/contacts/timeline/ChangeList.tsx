import { formatCount } from '../../ui/format/formatCount.ts';
import { formatJson } from '../../ui/format/json.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import type { AttributeChange } from '../attributes/attributeChanges.ts';
import classes from '../attributes/EditAttributes.module.css';

/** In characters. A longer value is folded. */
const LONG = 300;
const NONE = 'none';
export const EMPTY = 'empty';
/** Text of spaces alone gets quotes. */
export const quoteBlank = (text: string) => (text.trim() === '' ? JSON.stringify(text) : text);

/** If both sides would look the same, text gets quotes: `0.1 → "0.1"`. */
export function ChangeList({ changes }: { changes: readonly AttributeChange[] }) {
  return (
    <ul className={classes.changes}>
      {changes.map(({ key, before, after }) => {
        const isQuoted = print(before) === print(after);
        return (
          <li key={key}>
            <strong>
              <UntrustedText text={key} />
            </strong>{' '}
            <Value value={before} isQuoted={isQuoted} /> <span aria-label="becomes">→</span>{' '}
            <Value value={after} isQuoted={isQuoted} />
          </li>
        );
      })}
    </ul>
  );
}

function print(value: unknown): string {
  if (value === undefined) return NONE;
  if (value === '') return EMPTY;
  return typeof value === 'string' ? quoteBlank(value) : formatJson(value, 0);
}

function Value({ value, isQuoted }: { value: unknown; isQuoted: boolean }) {
  if (value === undefined) return <em>{NONE}</em>;
  if (value === '' && !isQuoted) return <em>{EMPTY}</em>;
  const text = isQuoted ? formatJson(value, 0) : print(value);
  return <LongText className={/[\r\n]/.test(text) ? classes.lines : classes.text} text={text} max={LONG} />;
}

type LongTextProps = { text: string; max: number; className: string | undefined };

/** Folds a text of more than `max` characters. */
export function LongText({ text, max, className }: LongTextProps) {
  const content = <UntrustedText className={className} text={text} />;
  if (text.length <= max) return content;
  return (
    <details className={classes.long}>
      <summary>{formatCount(text.length)} characters</summary>
      {content}
    </details>
  );
}
