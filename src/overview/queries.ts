import { getOverview } from '#contract/overview.ts';
import { apiQuery } from '../api/apiQuery.ts';

/** The overview, whose days are those of `zone`. */
export const overviewQuery = (zone: string) => apiQuery(getOverview, { query: { zone } });
