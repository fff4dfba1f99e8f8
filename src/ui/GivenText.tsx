import { piecesOf, visible } from '#contract/visible.ts';
import classes from './GivenText.module.css';

type Props = { text: string; className?: string | undefined };

/**
 * Text of somebody else, which may be in any script: it does not turn around what stands beside it, and what hides in it
 * is marked by the style sheet, so that it is copied and found as it is.
 */
export function GivenText({ text, className }: Props) {
  const pieces = piecesOf(text);
  return (
    <bdi className={className}>
      {pieces.map((piece, at) =>
        piece.isHidden ? (
          // oxlint-disable-next-line react/no-array-index-key -- pieces have no other name
          <bdi key={at} className={classes.hidden} data-hidden={visible(piece.text)}>
            {piece.text}
          </bdi>
        ) : (
          piece.text
        ),
      )}
    </bdi>
  );
}
