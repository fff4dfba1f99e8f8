import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import classes from './FindingDetail.module.css';
import { LongText } from './CopyableField.tsx';
import { closestTo, diffValues, normalizeValue, type DiffPart } from './valueDiff.ts';

/** Characters. Of a longer equal part, only the beginning and the end are shown. */
const EQUAL_MAX = 96;

type Props = { type: string; expected: string; found: readonly string[] };

/** The expected value and those found, the closest compared by character. */
export function Comparison({ type, expected, found }: Props) {
  const right = found.findIndex((value) => normalizeValue(type, value) === normalizeValue(type, expected));
  const closest = right === -1 ? closestTo(type, expected, found) : right;
  const diff = diffValues(type, expected, found[closest] ?? expected);
  return (
    <dl className={classes.comparison}>
      <div>
        <dt>Expected</dt>
        <dd>
          <Value parts={diff.expected} />
        </dd>
      </div>
      <div>
        <dt>Found</dt>
        {found.length === 0 && <dd className={classes.nothing}>Nothing</dd>}
        {found.map((value, index) => (
          // oxlint-disable-next-line react/no-array-index-key
          <dd key={index}>
            {/* If the right value exists, others are marked as a whole. */}
            <Value parts={index === closest ? diff.found : [{ text: value, differs: right !== -1 }]} />
          </dd>
        ))}
      </div>
    </dl>
  );
}

function Value({ parts }: { parts: readonly DiffPart[] }) {
  const texts = parts.map((part) => shortenEqualPart(part, parts.length > 1));
  const { length } = texts.join('');
  if (length === 0) return <span className={classes.nothing}>empty</span>;
  return (
    <code className={classes.value}>
      <LongText length={length}>
        {parts.map((part, index) =>
          part.differs ? (
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one value never change places
            <mark key={index} className={classes.mark}>
              {texts[index]}
            </mark>
          ) : (
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index}>{texts[index]}</span>
          ),
        )}
      </LongText>
    </code>
  );
}

/** The text of a part; a long equal one is shortened. `isAround`: other parts differ. */
function shortenEqualPart({ text, differs }: DiffPart, isAround: boolean): string {
  const whole = escapeInvisible(text);
  if (differs || !isAround || whole.length <= EQUAL_MAX) return whole;
  return `${whole.slice(0, EQUAL_MAX / 2)} … ${whole.slice(-EQUAL_MAX / 2)}`;
}
