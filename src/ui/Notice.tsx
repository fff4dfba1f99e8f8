import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { UntrustedText } from './values/UntrustedText.tsx';
import classes from './Notice.module.css';

type Props = {
  tone: 'bad' | 'warn' | 'good' | 'neutral';
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
};

const ICONS = { bad: IconCircleX, warn: IconAlertTriangle, good: IconCircleCheck, neutral: IconInfoCircle };

export function Notice({ tone, title, children, actions }: Props) {
  const Icon = ICONS[tone];
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={18} aria-hidden className={classes.icon} />
      <div className={classes.text}>
        <p className={classes.title}>
          <UntrustedText text={title} />
        </p>
        {children !== undefined && <div className={classes.body}>{children}</div>}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </div>
    </div>
  );
}
