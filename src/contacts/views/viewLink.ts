import { paths } from '../../url/paths.ts';
import { pickParams, type Query, toQuery } from '../../url/urlState.ts';

// Without the code of the list: the navigation has it on every page.

/** What a view keeps of the query of the page: not the page of the list, nor an open panel. */
const KEPT = ['search', 'subscribed', 'filter', 'sort', 'columns'];

export const toViewQuery = (query: Query): string => pickParams(query, KEPT).toString();

/** The first view that lists what the query of the page does. */
export function findView<View extends { query: string }>(views: readonly View[], query: Query): View | undefined {
  const shown = toViewQuery(query);
  return views.find((view) => toViewQuery(toQuery(view.query)) === shown);
}

/** As it was saved, so that the page says what can't be read of it. */
export const pathOfView = ({ query }: { query: string }): string => paths.contactsWith(toQuery(query).toString());
