import type { ReactNode } from 'react';
import { splitHidden, escapeInvisible, escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { Nothing } from './Nothing.tsx';
import classes from './UntrustedText.module.css';

type Props = { text: string; className?: string | undefined };

/** Text from outside, in any script. The style sheet marks invisible characters, so that the text is copied unchanged. */
export function UntrustedText({ text, className }: Props) {
  return <bdi className={className}>{markHidden(text)}</bdi>;
}

/** For other elements than `bdi`: a table has hundreds, and each component takes time. */
export function markHidden(text: string): ReactNode {
  const pieces = splitHidden(text);
  // Most texts: React creates no node for an element's only text.
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

/** A name, cut at its end if it doesn't fit, also if it runs from right to left. Hover shows all of it. */
export function EndCut({ text }: { text: string | null | undefined }) {
  'use no memo'; // Its row keeps it, and the first file has to be small.
  if (!text) return <Nothing />;
  return (
    <bdi className={classes.end} title={escapeHidden(text)}>
      {markHidden(text)}
    </bdi>
  );
}

const ID_TAIL = 5;

export const CutId = ({ id }: { id: string }) => <MiddleCut text={id} tail={ID_TAIL} />;

/** The style sheet draws the halves: screen readers would read elements as two words. */
export function MiddleCut({ text, tail = 14 }: { text: string | null | undefined; tail?: number }) {
  if (!text) return <Nothing />;
  const whole = escapeHidden(text);
  if (text.length <= tail) {
    return <bdi title={whole}>{markHidden(text)}</bdi>;
  }
  return (
    <bdi className={classes.cut} title={whole} data-head={whole.slice(0, -tail)} data-tail={whole.slice(-tail)}>
      <span className="visually-hidden">{markHidden(text)}</span>
    </bdi>
  );
}
