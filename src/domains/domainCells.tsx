import type { ReactNode } from 'react';
import type { ReadableDomain } from '#contract/domain.ts';
import { judgeDomainState } from '#contract/domainState.ts';
import type { RecordStatus } from '#contract/recordStatus.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import type { Column } from '../table/DataTable.tsx';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { markHidden, MiddleCut } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import classes from './domainCells.module.css';
import { countFailed, DOMAIN_STATE_LABELS, summarizeRecords } from './domainState.ts';
import { aggregateStatus, RECORD_KIND_LABELS, type RecordKind } from './records/recordKind.ts';
import { RECORD_STATUS_LABELS } from './records/recordStatus.ts';
import { isKnownWord } from './StateBadge.tsx';

export const nameColumn = (width: number | string): Column<ReadableDomain> => ({
  id: 'name',
  header: 'Domain',
  cell: (domain) => (
    <Link to={paths.domain(domain.name)}>
      <MiddleCut text={domain.name} />
    </Link>
  ),
  width,
  fits: true,
});

/** The style sheet shows the description on hover and focus. */
export function stateCell(domain: ReadableDomain): ReactNode {
  const { status, verification } = domain;
  const state = judgeDomainState(domain);
  const { tone, label } = state === null ? { tone: 'neutral' as const, label: 'Not sent' } : DOMAIN_STATE_LABELS[state];
  const words = new Set([status ?? '', verification ?? ''].filter((word) => word !== '' && !isKnownWord(word)));
  return (
    <Link className={classes.state} to={paths.domain(domain.name)} aria-description={describeState(domain)}>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      {[...words].map((word) => (
        <bdi key={word} className={classes.word}>
          {markHidden(word)}
        </bdi>
      ))}
    </Link>
  );
}

const yesNo = (value: boolean | null) => (value === null ? 'not sent' : value ? 'yes' : 'no');

function describeState(domain: ReadableDomain): string {
  const lines = [
    `Verified: ${yesNo(domain.verified)}`,
    `Status: ${domain.status ?? 'not sent'}`,
    `Verification: ${domain.verification ?? 'not sent'}`,
    `DNS records: ${summarizeRecords(domain).text}`,
    ...(domain.mail_from_domain ? [`MAIL FROM verified: ${yesNo(domain.mail_from_verified)}`] : []),
  ];
  return escapeHidden(lines.join('\n'));
}

const KINDS: readonly RecordKind[] = ['dkim', 'spf', 'dmarc', 'mailFrom'];

export function authenticationCell(domain: ReadableDomain): ReactNode {
  const statuses = aggregateStatus(domain);
  return (
    <ul className={classes.icons}>
      {KINDS.map((kind) => {
        const { tone, label } = describeKind(statuses.get(kind));
        const text = `${RECORD_KIND_LABELS[kind]}: ${label}`;
        return (
          <li key={kind}>
            <span role="img" className="state-icon" data-tone={tone} title={text} aria-label={text}>
              {RECORD_KIND_LABELS[kind]}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function describeKind(status: RecordStatus | undefined) {
  if (status === undefined) return { tone: 'neutral', label: 'no record listed' };
  const { tone, label } = RECORD_STATUS_LABELS[status];
  return { tone, label: status === 'unknown' ? label : `${label} at last check` };
}

export function recordsCell(domain: ReadableDomain): ReactNode {
  const { tone, text } = summarizeRecords(domain);
  const badge = <StatusBadge tone={tone}>{text}</StatusBadge>;
  if (countFailed(domain) === 0) return badge;
  return (
    <Link
      to={`${paths.domain(domain.name)}?records=failed`}
      aria-label={`${text}: show the failed ones of ${escapeHidden(domain.name)}`}
    >
      {badge}
    </Link>
  );
}
