import type { ReadableDomain } from '#contract/domain.ts';
import { StatusIcon } from '../ui/StatusBadge.tsx';
import classes from './KindLights.module.css';
import { judgeKinds, LIGHT_LABELS } from './judgeKind.ts';
import { RECORD_KIND_LABELS } from './recordKind.ts';

const KINDS = ['dkim', 'spf', 'dmarc', 'mailFrom'] as const;

/** A light for each kind of record, by the verdicts that the service has stored: an icon, and its word on hover and for screen readers. */
export function KindLights({ domain }: { domain: ReadableDomain }) {
  const judge = judgeKinds(domain);
  return (
    <ul className={classes.lights}>
      {KINDS.map((kind) => {
        const { tone, label } = LIGHT_LABELS[judge(kind)];
        return (
          <li key={kind} data-tone={tone} title={`${RECORD_KIND_LABELS[kind]}: ${label}`}>
            <StatusIcon tone={tone} />
            {RECORD_KIND_LABELS[kind]}
            <span className="visually-hidden">{`: ${label}`}</span>
          </li>
        );
      })}
    </ul>
  );
}
