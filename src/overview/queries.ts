import { getOverview } from '#contract/overview.ts';
import { listQuery } from '../api/apiQuery.ts';
import { localZone } from '../ui/time.ts';

export const overviewQuery = listQuery(getOverview, { query: { zone: localZone } });
