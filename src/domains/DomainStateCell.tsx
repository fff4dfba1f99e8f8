import { useId } from 'react';
import { judgeDomainState } from '#contract/domainState.ts';
import type { ReadableDomain } from '#contract/domain.ts';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import classes from './DomainStateCell.module.css';
import { DOMAIN_STATE_LABELS } from './domainState.ts';
import { StateParts } from './StateParts.tsx';

/** The one state of a domain. What it consists of is shown while it has the pointer or the focus. */
export function DomainStateCell({ domain }: { domain: ReadableDomain }) {
  const id = useId();
  const state = judgeDomainState(domain);
  const { tone, label } = state === null ? { tone: 'neutral' as const, label: 'Not sent' } : DOMAIN_STATE_LABELS[state];
  return (
    <Link className={classes.state} to={paths.domain(domain.name)} aria-describedby={id}>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      <StateParts id={id} domain={domain} />
    </Link>
  );
}
