import type { ReactNode } from 'react';
import { escapeHidden } from '#contract/invisibleCharacters.ts';
import { UntrustedText } from './UntrustedText.tsx';
import classes from './StatusBadge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'wait' | 'neutral';

/**
 * The icon of each tone, beside a word that says the state. As in Tabler's set, but of one path and made once: a list has
 * hundreds of them, and React skips an element that stays the same.
 */
export const STATUS_ICONS: Readonly<Record<Tone, ReactNode>> = {
  // circle-check
  good: drawIcon('M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M9 12l2 2l4 -4'),
  // alert-triangle
  warn: drawIcon(
    'M12 9v4M10.363 3.591l-8.106 13.534a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914 1.914 0 0 0 1.636 -2.87l-8.106 -13.536a1.914 1.914 0 0 0 -3.274 0M12 16h.01',
  ),
  // circle-x
  bad: drawIcon('M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M10 10l4 4m0 -4l-4 4'),
  // clock
  wait: drawIcon('M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M12 7v5l3 3'),
  // circle-dashed
  neutral: drawIcon(
    'M8.56 3.69a9 9 0 0 0 -2.92 1.95M3.69 8.56a9 9 0 0 0 -.69 3.44M3.69 15.44a9 9 0 0 0 1.95 2.92M8.56 20.31a9 9 0 0 0 3.44 .69M15.44 20.31a9 9 0 0 0 2.92 -1.95M20.31 15.44a9 9 0 0 0 .69 -3.44M20.31 8.56a9 9 0 0 0 -1.95 -2.92M15.44 3.69a9 9 0 0 0 -3.44 -.69',
  ),
};

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
      {STATUS_ICONS[tone]}
      <UntrustedText className={compact ? 'visually-hidden' : undefined} text={children} />
    </span>
  );
}

function drawIcon(path: string): ReactNode {
  return (
    <svg
      width={14}
      height={14}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
    >
      <path d={path} />
    </svg>
  );
}
