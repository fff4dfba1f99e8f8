import { useQuery } from '@tanstack/react-query';
import { type ReadableOverview, getOverview } from '#contract/overview.ts';
import { apiQuery } from '../api/apiQuery.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { useSession } from '../session/useSession.ts';
import { useTimeZone } from '../ui/format/time.ts';
import { Notice } from '../ui/Notice.tsx';
import { useRailMark } from '../ui/page/railMarks.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { DomainFigures } from './DomainFigures.tsx';
import { Figures } from './Figures.tsx';
import { LastChanges } from './LastChanges.tsx';
import classes from './OverviewPage.module.css';
import { TryThese } from './TryThese.tsx';
import { Unsubscribes } from './Unsubscribes.tsx';

export function OverviewPage() {
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
