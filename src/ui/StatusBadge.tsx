import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconClock,
  type Icon,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './StatusBadge.module.css';

export type Tone = 'good' | 'warn' | 'bad' | 'wait' | 'neutral';

const ICONS: Record<Tone, Icon> = {
  good: IconCircleCheck,
  warn: IconAlertTriangle,
  bad: IconCircleX,
  wait: IconClock,
  neutral: IconCircleDashed,
};

/** A state by icon, word and colour; never by colour alone. */
export function StatusBadge({ tone, children, title }: { tone: Tone; children: ReactNode; title?: string }) {
  const Icon = ICONS[tone];
  return (
    <span className={classes.badge} data-tone={tone} title={title}>
      <Icon size={14} stroke={2} aria-hidden />
      <span>{children}</span>
    </span>
  );
}
