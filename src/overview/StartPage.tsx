import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { getOverview, type ReadableOverview } from '#contract/overview.ts';
import { useCapability, useSession } from '../session/useSession.ts';
import { paths } from '../url/paths.ts';
import { useOwnUrl } from '../url/urlState.ts';
import { useQueries, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../api/apiQuery.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { changedSince } from '../domains/table/filters/changed.ts';
import { useLastVisit } from '../domains/table/filters/lastVisit.ts';
import { localMoment, localZone, useTimeZone } from '../ui/format/time.ts';
import { Notice } from '../ui/Notice.tsx';
import { useRailMark } from '../ui/page/railMarks.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { Link } from '../url/Link.tsx';
import { Figures } from './Figures.tsx';
import classes from './OverviewPage.module.css';
import { TryThese } from './TryThese.tsx';
import { Unsubscribes } from './Unsubscribes.tsx';
import { getDomainSummary } from '#contract/additions.ts';
import { listDomainReports } from '#contract/domains/domainReport.ts';
import { DOMAIN_STATE_WORDS } from '#contract/domains/domainState.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { hasVisibleText } from '#contract/values/invisibleCharacters.ts';
import { describeActor, describeChange } from '../identity/describeChange.ts';
import { DateTime } from '../ui/values/DateTime.tsx';

export function StartPage() {
  return useCapability(getOverview) ? <OverviewPage /> : <ToContacts />;
}

/** Unless the user has already gone to another page. */
function ToContacts(): null {
  const navigate = useNavigate();
  const readUrl = useOwnUrl();
  const go = useEffectEvent(() => {
    if (readUrl() !== null) void navigate(paths.contacts, { replace: true });
  });
  useEffect(() => go(), []);
  return null;
}

// Not compiled, as others here: it renders a few times, and the first file has to be small (docs/decisions/0037-first-page.md).
function OverviewPage() {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const query = useQuery(overviewQuery(useTimeZone()));
  const { name } = useSession();
  const overview = query.data?.data;
  return (
    <>
      <PageTitle title="Overview">
        <LastUpdated query={query} />
      </PageTitle>
      <UnfinishedList />
      <TryThese workspace={name} />
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      <div className={classes.columns}>
        <div className={classes.figures}>
          <ContactFigures contacts={overview?.contacts} />
          {useCapability(listDomainReports) && <WhatChanged />}
          <DomainFigures />
        </div>
        <Unsubscribes unsubscribes={overview?.unsubscribes} />
      </div>
      {/* After the rest has its height. */}
      {overview && <LastChanges changes={overview.changes} />}
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

function UnfinishedList() {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const mark = useRailMark(paths.bulk);
  if (mark === null) return null;
  return (
    <Notice
      tone={mark.isRunning ? 'neutral' : 'warn'}
      title={mark.isRunning ? `List running: ${mark.text}` : `Unfinished list: ${mark.text}`}
      actions={<Link to={paths.bulk}>{mark.isRunning ? 'Watch' : 'Continue'}</Link>}
    />
  );
}

const overviewQuery = (zone: string) => apiQuery(getOverview, { query: { zone } });

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
  const hasReports = useCapability(listDomainReports);
  const failing = useQuery({ ...failingQuery, enabled: hasReports && (counts?.failing ?? 0) > 0 });
  const names = counts?.failing === 0 ? [] : (failing.data?.data ?? []);
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
      {names.length > 0 && counts !== undefined && (
        <ul className={classes.names} aria-label="Domains that need fixing">
          {names.map(({ domain: { uuid, name } }) => (
            <li key={uuid}>
              <Link to={paths.domain(name)}>
                <UntrustedText text={name} />
              </Link>
            </li>
          ))}
          {counts.failing > names.length && (
            <li>
              <Link to={ofState('failing')}>{formatCount(counts.failing - names.length)} more</Link>
            </li>
          )}
        </ul>
      )}
    </Figures>
  );
}

function changedQuery(changed: string, moment: { visit: string | null; isUtc: boolean }) {
  const since = changedSince(changed, { now: new Date(), ...moment });
  return apiQuery(listDomainReports, { query: { per_page: 1, filters: { changed_since: since ?? '' } } });
}

/** How many domains changed, with the filters of the table that show them. */
function WhatChanged() {
  'use no memo';
  const zone = useTimeZone();
  const visit = useLastVisit(useSession().workspace_uuid ?? '');
  const times = [
    { label: 'Since yesterday', changed: 'yesterday' },
    { label: 'In 7 days', changed: '7d' },
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

type Change = ReadableOverview['changes'][number];

function LastChanges({ changes }: { changes: readonly Change[] }) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  return (
    <section className={classes.section} aria-labelledby="changes">
      <h2 id="changes">Recent changes</h2>
      {changes.length === 0 ? (
        <p className="soft">No changes recorded yet.</p>
      ) : (
        <table className={classes.changes}>
          <thead>
            <tr>
              <th scope="col">Contact</th>
              <th scope="col">Change</th>
              <th scope="col">By</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody data-rows>
            {changes.map((change) => (
              <tr key={change.uuid}>
                <td>
                  <Link to={paths.contact(change.contact.uuid)}>
                    <UntrustedText text={nameOf(change.contact)} />
                  </Link>
                </td>
                <td>
                  <UntrustedText text={describeChange(change)} />
                </td>
                <td>
                  <UntrustedText text={describeActor(change.actor)} />
                </td>
                <td>
                  <DateTime value={change.created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function nameOf({ uuid, name, address }: Change['contact']): string {
  return [name, address].find((text) => text !== null && hasVisibleText(text)) ?? uuid;
}
