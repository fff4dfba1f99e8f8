import { useId } from 'react';
import { Link } from 'react-router';
import { judgeDomainState } from '#contract/domainState.ts';
import type { ReadableDomain } from '#contract/domain.ts';
import { paths } from '../url/paths.ts';
import { StatusBadge } from '../ui/StatusBadge.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import classes from './DomainStateCell.module.css';
import { describeStateParts, DOMAIN_STATE_LABELS, findOtherWords } from './domainState.ts';

/** The one state of a domain. What it consists of is shown while it has the pointer or the focus. */
export function DomainStateCell({ domain }: { domain: ReadableDomain }) {
  const id = useId();
  const state = judgeDomainState(domain);
  return (
    <Link className={classes.state} to={paths.domain(domain.name)} aria-describedby={id}>
      {state === null ? (
        <StatusBadge tone="neutral">Not sent</StatusBadge>
      ) : (
        <StatusBadge tone={DOMAIN_STATE_LABELS[state].tone}>{DOMAIN_STATE_LABELS[state].label}</StatusBadge>
      )}
      {findOtherWords(domain).map((word) => (
        <span key={word} className={classes.word}>
          <UntrustedText text={word} />
        </span>
      ))}
      <span id={id} role="tooltip" className={classes.parts}>
        {describeStateParts(domain).map((part) => (
          <UntrustedText key={part} text={part} />
        ))}
      </span>
    </Link>
  );
}
