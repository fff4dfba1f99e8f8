import { splitHidden, escapeInvisible, escapeHidden } from '#contract/invisibleCharacters.ts';
import classes from './UntrustedText.module.css';

type Props = { text: string; className?: string | undefined };

/**
 * Text from outside, in any script. `bdi` keeps its direction from reordering the text beside it. The style sheet marks
 * its invisible characters, so that it is copied and searched unchanged.
 */
export function UntrustedText({ text, className }: Props) {
  const pieces = splitHidden(text);
  return (
    <bdi className={className}>
      {pieces.every(({ isHidden }) => !isHidden)
        ? // Most texts; React makes no node of its own for the only text of an element.
          text
        : pieces.map((piece, at) =>
            piece.isHidden ? (
              // oxlint-disable-next-line react/no-array-index-key -- pieces have no id
              <bdi key={at} className={classes.hidden} data-hidden={escapeInvisible(piece.text)}>
                {piece.text}
              </bdi>
            ) : (
              piece.text
            ),
          )}
    </bdi>
  );
}

/** How many characters at the end stay: enough for a domain's last labels. */
const TAIL = 14;

/**
 * A long value, cut in the middle where it does not fit. The whole value shows on hover, and is what is copied and read
 * aloud. The style sheet draws the two halves: as elements they would be read as two words.
 */
export function MiddleCut({ text }: { text: string }) {
  const whole = escapeHidden(text);
  if (text.length <= TAIL) {
    return (
      <span title={whole}>
        <UntrustedText text={text} />
      </span>
    );
  }
  return (
    <span
      className={classes.cut}
      dir="auto"
      title={whole}
      data-head={whole.slice(0, -TAIL)}
      data-tail={whole.slice(-TAIL)}
    >
      <UntrustedText className="visually-hidden" text={text} />
    </span>
  );
}
