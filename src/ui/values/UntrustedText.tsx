import type { ReactNode } from 'react';
import { splitHidden, escapeInvisible, escapeHidden } from '#contract/values/invisibleCharacters.ts';
import classes from './UntrustedText.module.css';

type Props = { text: string; className?: string | undefined };

/**
 * Text from outside, in any script. `bdi` keeps its direction from reordering the text beside it. The style sheet marks
 * its invisible characters, so that it is copied and searched unchanged.
 */
export function UntrustedText({ text, className }: Props) {
  return <bdi className={className}>{markHidden(text)}</bdi>;
}

/** What `UntrustedText` has in its `bdi`, for one of another kind: a list has hundreds, and each component takes its time. */
export function markHidden(text: string): ReactNode {
  const pieces = splitHidden(text);
  // Most texts; React makes no node of its own for the only text of an element.
  if (pieces.every(({ isHidden }) => !isHidden)) return text;
  return pieces.map((piece, at) =>
    piece.isHidden ? (
      // oxlint-disable-next-line react/no-array-index-key -- pieces have no id
      <bdi key={at} className={classes.hidden} data-hidden={escapeInvisible(piece.text)}>
        {piece.text}
      </bdi>
    ) : (
      piece.text
    ),
  );
}

/** A name, cut at its end where it does not fit. The whole name shows on hover. */
export function EndCut({ text }: { text: string }) {
  return (
    <span className={classes.end} title={escapeHidden(text)}>
      <bdi>{markHidden(text)}</bdi>
    </span>
  );
}

/** How many characters at the end stay of an ID, whose column is narrow. */
const ID_TAIL = 5;

/** An ID, cut in the middle where it does not fit. */
export const CutId = ({ id }: { id: string }) => <MiddleCut text={id} tail={ID_TAIL} />;

/**
 * A long value, cut in the middle where it does not fit. The whole value shows on hover, and is what is copied and read
 * aloud. The style sheet draws the two halves: as elements they would be read as two words. `tail`: how many characters at
 * the end stay; by default enough for a domain's last labels.
 */
export function MiddleCut({ text, tail = 14 }: { text: string; tail?: number }) {
  const whole = escapeHidden(text);
  if (text.length <= tail) {
    return <bdi title={whole}>{markHidden(text)}</bdi>;
  }
  return (
    <span
      className={classes.cut}
      dir="auto"
      title={whole}
      data-head={whole.slice(0, -tail)}
      data-tail={whole.slice(-tail)}
    >
      <bdi className="visually-hidden">{markHidden(text)}</bdi>
    </span>
  );
}
