import { useQuery } from '@tanstack/react-query';
import { filteredDomains, getDomainSummary } from '#contract/additions.ts';
import { apiQuery } from '../api/apiQuery.ts';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { useCapability } from '../session/useSession.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Link } from '../url/Link.tsx';
import { paths } from '../url/paths.ts';
import { Figures } from './Figures.tsx';
import classes from './OverviewPage.module.css';

const NAMED = 5;

const failingQuery = apiQuery(filteredDomains, { query: { per_page: NAMED, filters: { state: 'failing' } } });
const ofState = (state: string) => `${paths.domains}?state=${state}`;

/** Domains by state, and some failing ones. */
export function DomainFigures() {
  return useCapability(getDomainSummary) && <CountedDomains />;
}

function CountedDomains() {
  const summary = useQuery(apiQuery(getDomainSummary, {}));
  const counts = summary.data?.data;
  const failing = useQuery({ ...failingQuery, enabled: (counts?.failing ?? 0) > 0 });
  const names = counts?.failing === 0 ? [] : (failing.data?.data ?? []);
  return (
    <Figures
      id="domains"
      title="Domains"
      total={counts?.total}
      figures={[
        { label: 'Failing', count: counts?.failing, to: ofState('failing'), tone: 'bad' },
        { label: 'Pending', count: counts?.pending, to: ofState('pending') },
        { label: 'Healthy', count: counts?.healthy, to: ofState('healthy') },
      ]}
    >
      {summary.isError && <ErrorAlert error={summary.error} onRetry={() => void summary.refetch()} />}
      {names.length > 0 && counts !== undefined && (
        <ul className={classes.names} aria-label="Failing domains">
          {names.map(({ uuid, name }) => (
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
