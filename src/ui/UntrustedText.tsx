import { splitHidden, escapeInvisible } from '#contract/invisibleCharacters.ts';
import classes from './UntrustedText.module.css';

type Props = { text: string; className?: string | undefined };

/**
 * Text of somebody else, which may be in any script: it does not turn around what stands beside it, and what hides in it
 * is marked by the style sheet, so that it is copied and found as it is.
 */
export function UntrustedText({ text, className }: Props) {
  const pieces = splitHidden(text);
  return (
    <bdi className={className}>
      {pieces.map((piece, at) =>
        piece.isHidden ? (
          // oxlint-disable-next-line react/no-array-index-key -- pieces have no other name
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
