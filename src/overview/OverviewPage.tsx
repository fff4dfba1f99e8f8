import { useQuery } from '@tanstack/react-query';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { LastUpdated } from '../api/LastUpdated.tsx';
import { useSession } from '../session/useSession.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { useTimeZone } from '../ui/format/time.ts';
import { ContactFigures } from './ContactFigures.tsx';
import { DomainFigures } from './DomainFigures.tsx';
import { LastChanges } from './LastChanges.tsx';
import classes from './OverviewPage.module.css';
import { overviewQuery } from './queries.ts';
import { TryThese } from './TryThese.tsx';
import { UnfinishedList } from './UnfinishedList.tsx';
import { Unsubscribes } from './Unsubscribes.tsx';

/** What is going on in the workspace: the start page where the service tells. */
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
      {/* After what stands above it has its height. */}
      {overview && <LastChanges changes={overview.changes} />}
    </>
  );
}
