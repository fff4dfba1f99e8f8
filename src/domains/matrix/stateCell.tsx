import type { ReactNode } from 'react';
import { judgeDomainState } from '#contract/domainState.ts';
import type { ReadableDomain } from '#contract/domain.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { markHidden } from '../../ui/values/UntrustedText.tsx';
import classes from './stateCell.module.css';
import { describeRecordCounts, DOMAIN_STATE_LABELS } from '../domainState.ts';
import { isKnownWord } from '../stateWords.ts';

/**
 * The one state of a domain, and the words of the service about it that are none of the known ones. What the state consists of
 * is its description, which the style sheet shows while it has the pointer or the focus.
 */
export function stateCell(domain: ReadableDomain): ReactNode {
  const state = judgeDomainState(domain);
  const { tone, label } = state === null ? { tone: 'neutral' as const, label: 'Not sent' } : DOMAIN_STATE_LABELS[state];
  return (
    <Link className={classes.state} to={paths.domain(domain.name)} aria-description={describeParts(domain)}>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      {unknownWords(domain).map((word) => (
        <bdi key={word} className={classes.word}>
          {markHidden(word)}
        </bdi>
      ))}
    </Link>
  );
}

const unknownWords = ({ status, verification }: ReadableDomain): string[] => [
  ...new Set([status ?? '', verification ?? ''].filter((word) => word !== '' && !isKnownWord(word))),
];

const yesNo = (value: boolean | null) => (value === null ? 'not sent' : value ? 'yes' : 'no');

function describeParts(domain: ReadableDomain): string {
  const parts = [
    `Verified: ${yesNo(domain.verified)}`,
    `Status: ${domain.status ?? 'not sent'}`,
    `Verification: ${domain.verification ?? 'not sent'}`,
    `DNS records: ${describeRecordCounts(domain)}`,
    ...(domain.mail_from_domain ? [`MAIL FROM verified: ${yesNo(domain.mail_from_verified)}`] : []),
  ];
  return escapeHidden(parts.join('\n'));
}
