import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { NeedsYou } from './NeedsYou.tsx';
import { afterPaint } from '../ui/page/afterPaint.ts';
import { getRunCounts } from '#contract/runs/runCounts.ts';
import { getOverview, type ReadableOverview } from '#contract/overview.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { paths } from '../url/paths.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { apiQuery, listQuery } from '../api/apiQuery.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { useBursts } from '../contacts/suppressions/useBursts.ts';
import { changedSince } from '../domains/table/filters/changed.ts';
import { readLastVisit, recordVisit, useLastVisit } from '../ui/page/lastVisit.ts';
import { localMoment, localZone, useTimeZone } from '../ui/format/time.ts';
import { useRailMark } from '../ui/page/railMarks.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { Figures } from './Figures.tsx';
import classes from './OverviewPage.module.css';
import { TryThese } from './TryThese.tsx';
import { getDomainSummary } from '#contract/additions.ts';
import { listDomainReports } from '#contract/domains/domainReport.ts';
import { DOMAIN_STATE_WORDS } from '#contract/domains/domainState.ts';

// Not compiled, as others here: it renders a few times, and the first page has to be small (docs/decisions/0037-first-page.md).
/** After the paint of the figures: the chart and the changes are below them. */
const Details = lazy(async () => {
  await afterPaint();
  return { default: (await import('./Details.tsx')).Details };
});

export function OverviewPage() {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const { name, workspace_uuid } = useSession();
  const workspace = workspace_uuid ?? '';
  const [visit] = useState(() => readLastVisit('overview', workspace));
  const query = useQuery(overviewQuery(useTimeZone(), visit));
  const record = useEffectEvent((at: number) => recordVisit('overview', workspace, new Date(at)));
  useEffect(() => {
    if (query.dataUpdatedAt > 0) record(query.dataUpdatedAt);
  }, [query.dataUpdatedAt]);
  const hasReports = useCapability(listDomainReports);
  const failing = useQuery({ ...failingQuery, enabled: hasReports });
  const { query: burstsQuery, bursts } = useBursts();
  // The list of this browser has a line of its own.
  const without = useRailMark(paths.bulk)?.run;
  const runs = useQuery({
    ...listQuery(getRunCounts, without ? { query: { without } } : {}),
    enabled: useCapability(getRunCounts),
  });
  const overview = query.data?.data;
  return (
    <>
      <PageTitle title="Overview">
        <LastUpdated query={query} />
      </PageTitle>
      <TryThese workspace={name} />
      <NeedsYou failing={failing} bursts={bursts} runs={runs.data?.data} overview={overview} />
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      {/* After that has its height. */}
      {!failing.isLoading && !burstsQuery.isLoading && !runs.isLoading && (
        <div className={classes.columns}>
          <div className={classes.figures}>
            <ContactFigures contacts={overview?.contacts} />
            <DomainFigures />
            {hasReports && <WhatChanged />}
          </div>
          <Suspense>{overview && <Details overview={overview} visit={visit} />}</Suspense>
        </div>
      )}
    </>
  );
}

function ContactFigures({ contacts }: { contacts: ReadableOverview['contacts'] | undefined }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const { total, subscribed } = contacts ?? {};
  const unsubscribed = total === undefined || subscribed === undefined ? undefined : total - subscribed;
  return (
    <Figures
      id="contacts"
      title="Contacts"
      total={total}
      figures={[
        { label: 'Subscribed', count: subscribed, to: `${paths.contacts}?subscribed=true` },
        { label: 'Unsubscribed', count: unsubscribed, to: `${paths.contacts}?subscribed=false` },
        { label: 'All', count: total, to: paths.contacts },
      ]}
    />
  );
}

const overviewQuery = (zone: string, since: string | null) =>
  apiQuery(getOverview, { query: { zone, ...(since !== null && { since }) } });

const NAMED = 5;

/** The worst first. */
const failingQuery = apiQuery(listDomainReports, { query: { per_page: NAMED, filters: { state: 'failing' } } });
const ofState = (state: string) => `${paths.domains}?state=${state}`;

function DomainFigures() {
  return useCapability(getDomainSummary) && <CountedDomains />;
}

function CountedDomains() {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const summary = useQuery(apiQuery(getDomainSummary, {}));
  const counts = summary.data?.data;
  return (
    <Figures
      id="domains"
      title="Domains"
      total={counts?.total}
      figures={[
        { label: DOMAIN_STATE_WORDS.failing, count: counts?.failing, to: ofState('failing'), tone: 'bad' },
        { label: DOMAIN_STATE_WORDS.pending, count: counts?.pending, to: ofState('pending') },
        { label: DOMAIN_STATE_WORDS.warning, count: counts?.warning, to: ofState('warning') },
        { label: DOMAIN_STATE_WORDS.healthy, count: counts?.healthy, to: ofState('healthy') },
      ]}
    >
      {summary.isError && <ErrorAlert error={summary.error} onRetry={() => void summary.refetch()} />}
    </Figures>
  );
}

function changedQuery(changed: string, moment: { visit: string | null; isUtc: boolean }) {
  const since = changedSince(changed, { now: new Date(), ...moment });
  return apiQuery(listDomainReports, { query: { per_page: 1, filters: { changed_since: since ?? '' } } });
}

/** How many domains changed, with the filters of the table that show them. */
function WhatChanged() {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const zone = useTimeZone();
  const visit = useLastVisit('domains', useSession().workspace_uuid ?? '');
  const times = [
    { label: 'Since yesterday', changed: 'yesterday' },
    ...(visit === null ? [] : [{ label: `Since I was here, ${localMoment(new Date(visit), zone)}`, changed: 'visit' }]),
  ];
  const queries = useQueries({
    queries: times.map(({ changed }) => changedQuery(changed, { visit, isUtc: zone !== localZone })),
  });
  return (
    <Figures
      id="changed"
      title="Domains that changed"
      figures={times.map(({ label, changed }, at) => ({
        label,
        count: queries[at]?.data?.meta.total,
        to: `${paths.domains}?changed=${changed}`,
      }))}
    />
  );
}
