import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useParams } from 'react-router';
import { checkDomain } from '#contract/domains/dnsCheck.ts';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { useCapability } from '../session/useSession.ts';
import { Notice } from '../ui/Notice.tsx';
import { PageTitle } from '../ui/PageTitle.tsx';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { Addresses } from './Addresses.tsx';
import { useWatch, type WatchState } from './check/dnsWatch.tsx';
import { useLatestCheck } from './check/latestCheck.ts';
import { DomainFacts, DomainHead } from './DomainHead.tsx';
import classes from './DomainPage.module.css';
import { HistorySection } from './history/HistorySection.tsx';
import { describePageState } from './pageState.ts';
import { domainQuery } from './queries.ts';
import { listItems } from './records/items.ts';
import { RecordList } from './records/RecordList.tsx';

/** The rules of receivers are long. */
const ReceiverParts = lazy(async () => ({ default: (await import('./receivers/ReceiverParts.tsx')).ReceiverParts }));

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
      {query.isPending && <Loading />}
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      {domain === null && (
        <Notice tone="neutral" title="This workspace has no such domain">
          Its name may be spelled differently. <Link to={paths.domains}>All domains</Link>
        </Notice>
      )}
      {/* The key resets the page when the domain changes. */}
      {domain && <DomainParts key={domain.uuid} domain={domain} />}
    </>
  );
}

/** Shows the state of a watch to users of another tab. */
function tabTitle(name: string, watch: WatchState | null): string {
  if (watch === null) return name;
  return watch.now === 'done' ? `OK: ${name}` : `Watching ${name}`;
}

function Loading() {
  return <div className={classes.loading} role="status" aria-label="Looking for the domain" />;
}

function DomainParts({ domain }: { domain: ReadableDomain }) {
  const canCheck = useCapability(checkDomain);
  const latest = useLatestCheck(domain);
  const { check, report, isFetching } = latest;
  // The state of the domain is in the report: without it, everything would look as if it was never checked.
  if (latest.isLoading) return <Loading />;
  const items = listItems(domain, check, report, isFetching);
  const state = describePageState(domain, items, report?.address_count ?? null);
  return (
    <>
      <DomainHead domain={domain} state={state} items={items} check={check} report={report} canCheck={canCheck} />
      <RecordList domain={domain} items={items} latest={latest} />
      <Suspense fallback={<div className={classes.parts} />}>
        <ReceiverParts domain={domain} items={items} report={report} />
      </Suspense>
      {report && <HistorySection domain={domain} report={report} isOpenAtFirst={state.tone !== 'bad'} />}
      <Addresses domain={domain} latest={latest} />
      <DomainFacts domain={domain} canCheck={canCheck} />
    </>
  );
}
