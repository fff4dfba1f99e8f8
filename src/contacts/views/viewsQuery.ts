import { listViews } from '#contract/savedViews.ts';
import { apiQuery } from '../../api/apiQuery.ts';

export const viewsQuery = () => apiQuery(listViews, {});
