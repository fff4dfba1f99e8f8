import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { getDomainHistory, type Span } from '#contract/domains/domainHistory.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import type { Blame } from '#contract/receivers/bounces/reasons.ts';
import { advicePurpose, recordPurpose } from '#contract/receivers/purpose.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { normalizeDnsName } from '#contract/values/dnsName.ts';
import { toUnicodeDomain } from '#contract/values/internationalDomain.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { useCapability } from '../../session/useSession.ts';
import { paths } from '../../url/paths.ts';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { describeSubject } from '../history/describeSubject.ts';
import { momentQuery } from '../history/historyQuery.ts';
import { domainQuery } from '../queries.ts';
import { FindingSummary } from '../records/FindingDetail.tsx';
import { RECORD_STATUS_LABELS } from '../records/recordStatus.ts';
import classes from './Bounce.module.css';

const MINUTE = 60_000;
const isFuture = (at: string) => Date.parse(at) > Date.now() + MINUTE;

/** `sender`: a domain, a MAIL FROM name or an address; null while it's typed. `at`: ISO 8601; null without a time. */
type Props = { sender: string | null; at: string | null; blames: readonly Blame[] };

/** What the checks found about the records to blame when the message was refused. */
export function RecordsAtTime({ sender, at, blames }: Props) {
  const canRead = useCapability(getDomainHistory);
  const wanted = normalizeDnsName(sender?.trim().replace(/^.*@/s, '') ?? '');
  const isName = wanted !== null && wanted.includes('.');
  const query = useQuery({ ...senderQuery(wanted ?? ''), enabled: canRead && isName });
  if (!canRead || blames.every((blame) => blame === 'ptr')) return null;
  if (sender === null) return <p className="soft">Looking for the sending domain…</p>;
  if (!isName) return <p className="soft">Enter the sending domain to see its records.</p>;
  if (query.isError) return <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <p className="soft">Looking for {wanted}…</p>;
  if (query.data === null) return <p className="soft">This workspace has no domain {wanted}.</p>;
  if (at === null) return <p className="soft">Enter when it was refused to see the records at that time.</p>;
  if (isFuture(at)) return <p className="soft">The time is in the future. Enter when it was refused.</p>;
  return <Found domain={query.data} at={at} blames={blames} />;
}

/** The domain of a name: its own, or the nearest above it, because a bounce names MAIL FROM. Null if there is none. */
const senderQuery = (name: string) =>
  queryOptions({
    queryKey: ['sending domain', name],
    queryFn: async ({ client }): Promise<ReadableDomain | null> => {
      for (let at = name; at.includes('.'); at = at.slice(at.indexOf('.') + 1)) {
        const domain = await client.fetchQuery(domainQuery(at));
        if (domain !== null) return domain;
      }
      return null;
    },
  });

function Found({ domain, at, blames }: { domain: ReadableDomain; at: string; blames: readonly Blame[] }) {
  const query = useQuery(momentQuery(domain.uuid, at));
  if (query.isError) return <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />;
  if (query.data === undefined) return <p className="soft">Reading the history…</p>;
  const spans = query.data.spans.filter((span) => blames.some((blame) => blame === purposeOf(span, domain)));
  const name = toUnicodeDomain(domain.name);
  if (spans.length === 0)
    return <p className="soft">Nobody looked at these records of {name} at that time, so their state isn’t known.</p>;
  return (
    <>
      <p>
        <Link to={paths.domain(domain.name)}>{name}</Link> at that time:
      </p>
      <ul className={classes.spans} aria-label="Records at that time">
        {spans.map((span) => (
          <li key={span.subject}>
            <SpanAtTime span={span} domain={domain} />
          </li>
        ))}
      </ul>
    </>
  );
}

function SpanAtTime({ span, domain }: { span: Span; domain: ReadableDomain }) {
  const { title, detail } = describeSubject(span, domain);
  const { tone, label } = RECORD_STATUS_LABELS[span.result];
  const which = escapeInvisible(`${title} ${detail}`.trim());
  return (
    <>
      <p>
        <StatusBadge tone={tone}>{label}</StatusBadge> <b>{which}</b>{' '}
        <span className="soft">
          since <DateTime value={span.started_at} show="local" />, last seen{' '}
          <DateTime value={span.ended_at} show="local" />
        </span>
      </p>
      {span.result !== 'ok' && (
        <FindingSummary
          which={which}
          type={span.finding.fix?.type ?? 'TXT'}
          sentences={[span.finding.diagnosis]}
          finding={span.finding}
        />
      )}
    </>
  );
}

function purposeOf({ kind, subject }: Span, domain: ReadableDomain) {
  if (kind !== 'record') return kind === 'advice' ? advicePurpose(subject) : 'other';
  const [, type = '', name = ''] = /^(\S*) (.*?)(?: #\d+)?$/s.exec(subject) ?? [];
  const listed = (domain.dns ?? []).find(
    (record) => record.type?.toUpperCase() === type && record.name?.toLowerCase().replace(/\.$/, '') === name,
  );
  return recordPurpose(listed ?? { type, name }, { name: domain.name, mail_from_domain: domain.mail_from_domain });
}
