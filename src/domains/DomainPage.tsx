import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import type { ReadableDomain } from '#contract/domain.ts';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { DateTime } from '../ui/values/DateTime.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Fact } from '../ui/values/Fact.tsx';
import { Addresses } from './Addresses.tsx';
import { DnsRecords } from './records/DnsRecords.tsx';
import classes from './DomainPage.module.css';
import { describeDomain } from './domainState.ts';
import { StateBadge } from './StateBadge.tsx';
import { domainQuery } from './queries.ts';
import { useWatch, type WatchState } from './check/dnsWatch.tsx';
import { findAlarms, liveCheckQuery } from './check/liveCheck.ts';

export function DomainPage() {
  const { name = '' } = useParams();
  const query = useQuery(domainQuery(name));
  const domain = query.data;
  const watch = useWatch(domain?.uuid ?? '');

  return (
    <>
      <PageTitle title={domain?.name ?? name} documentTitle={tabTitle(domain?.name ?? name, watch)}>
        <CopyButton value={domain?.name ?? name} what="domain name" />
        <LastUpdated query={query} />
      </PageTitle>
      {query.isPending && <div className={classes.loading} role="status" aria-label="Looking for the domain" />}
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      {domain === null && (
        <Notice tone="neutral" title="This workspace has no such domain">
          Its name may be spelled differently. <Link to={paths.domains}>All domains</Link>
        </Notice>
      )}
      {domain && (
        <>
          <DnsAlarm domain={domain} />
          <States domain={domain} />
          <DnsRecords domain={domain} />
          {/* The key resets the list when the domain changes. */}
          <Addresses key={domain.uuid} domain={domain} />
        </>
      )}
    </>
  );
}

/** Shows the state of a watch to users of another tab. */
function tabTitle(name: string, watch: WatchState | null): string {
  if (watch === null) return name;
  return watch.now === 'done' ? `OK: ${name}` : `Watching ${name}`;
}

function States({ domain }: { domain: ReadableDomain }) {
  return (
    <section className={classes.states} aria-label="State of the domain">
      <ul className={classes.sentences}>
        {describeDomain(domain).map((sentence) => (
          <li key={sentence}>
            <UntrustedText text={sentence} />
          </li>
        ))}
      </ul>
      <dl className={classes.facts}>
        <Fact label="Status">
          <StateBadge word={domain.status} />
        </Fact>
        <Fact label="Verification">
          <StateBadge word={domain.verification} />
        </Fact>
        <Fact label="Provider">
          <UntrustedText text={domain.provider || '–'} />
        </Fact>
        <Fact label="MAIL FROM">
          <UntrustedText text={domain.mail_from_domain || '–'} />
        </Fact>
        <Fact label="Created">
          <DateTime value={domain.created_at} />
        </Fact>
        <Fact label="Updated">
          <DateTime value={domain.updated_at} />
        </Fact>
        <Fact label="ID">
          <UntrustedText className="mono" text={domain.uuid} /> <CopyButton value={domain.uuid} what="domain ID" />
        </Fact>
      </dl>
    </section>
  );
}

function DnsAlarm({ domain }: { domain: ReadableDomain }) {
  const { data: check } = useQuery(liveCheckQuery(domain.uuid));
  const alarms = findAlarms(domain, check);
  if (alarms.length === 0) return null;
  const count = alarms.length === 1 ? 'A record' : `${alarms.length} records`;
  return (
    <Notice tone="bad" title={`${count} failed since the last check`}>
      <p>
        {domain.verified
          ? 'The domain still counts as verified. Mail from it may stop after the next check of the service.'
          : 'The service may notice at its next check.'}
      </p>
      <ul>
        {alarms.map(({ type, name }, index) => (
          // A domain may list the same record twice.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index}>
            {escapeInvisible(type ?? '')} <code>{escapeInvisible(name ?? '')}</code>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
