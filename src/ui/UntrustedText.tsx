import { splitHidden, escapeInvisible } from '#contract/invisibleCharacters.ts';
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
      {pieces.map((piece, at) =>
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
