import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { LongText } from './LongText.tsx';
import classes from './DiffValue.module.css';
import type { DiffPart } from './valueDiff.ts';

/** Characters. Of a longer equal part, only the beginning and the end are shown. */
const EQUAL_MAX = 96;

/** A value whose differing parts are marked. */
export function DiffValue({ parts }: { parts: readonly DiffPart[] }) {
  const texts = parts.map((part) => shortenEqualPart(part, parts.length > 1));
  const { length } = texts.join('');
  if (length === 0) return <span className="soft">empty</span>;
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
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one value never change places
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
