import { Navigate } from 'react-router';
import { getOverview } from '#contract/overview.ts';
import { useCapability } from '../session/useSession.ts';
import { paths } from '../url/paths.ts';
import { OverviewPage } from './OverviewPage.tsx';

/** The overview; the contacts where the service has none. */
export function StartPage() {
  return useCapability(getOverview) ? <OverviewPage /> : <Navigate to={paths.contacts} replace />;
}
