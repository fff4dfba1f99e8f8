import classes from './StatusBadge.module.css';
import { markHidden } from './UntrustedText.tsx';

export type Tone = 'good' | 'warn' | 'bad' | 'wait' | 'neutral';

type Props = {
  tone: Tone;
  children: string;
  outlined?: boolean;
};

export function StatusBadge({ tone, children, outlined = false }: Props) {
  return (
    <span className={classes.badge} data-tone={tone} data-outlined={outlined || undefined}>
      <bdi>{markHidden(children)}</bdi>
    </span>
  );
}
