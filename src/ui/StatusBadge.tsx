import { escapeHidden } from '#contract/invisibleCharacters.ts';
import { UntrustedText } from './UntrustedText.tsx';
import classes from './StatusBadge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'wait' | 'neutral';

type Props = {
  tone: Tone;
  children: string;
  /** Shows the icon alone; the word stays for hover and screen readers. */
  compact?: boolean;
  /** Draws an outline only, for an earlier state beside the present one. */
  outlined?: boolean;
};

/** A state by icon, word and colour; never by colour alone. */
export function StatusBadge({ tone, children, compact = false, outlined = false }: Props) {
  return (
    <span
      className={classes.badge}
      data-tone={tone}
      data-compact={compact || undefined}
      data-outlined={outlined || undefined}
      title={compact ? escapeHidden(children) : undefined}
    >
      <UntrustedText className={compact ? 'visually-hidden' : undefined} text={children} />
    </span>
  );
}
