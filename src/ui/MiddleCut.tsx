import { escapeHidden } from '#contract/invisibleCharacters.ts';
import { UntrustedText } from './UntrustedText.tsx';
import classes from './MiddleCut.module.css';

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
