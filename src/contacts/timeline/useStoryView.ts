import type { ListControl } from '../../table/useList.ts';
import { choiceParam, pageParam, textParam, useUrlState } from '../../url/urlState.ts';

export const VIEWS = [
  { value: 'story', label: 'All', action: 'Show all events and changes' },
  { value: 'changes', label: 'Changes', action: 'Show only the changes' },
  { value: 'table', label: 'Table', action: 'Show the events as a table' },
] as const;

export type View = (typeof VIEWS)[number]['value'];

export const viewParam = choiceParam<View>(['story', 'changes', 'table']);

const PARAMS = { view: viewParam, sort: textParam, page: pageParam, search: textParam, event_name: textParam };

/** Sorted by name there are no days, so it's the table. A filter by name leaves events only. */
export function useStoryView({ state }: ListControl, hasLog: boolean) {
  const [{ view }, change] = useUrlState(PARAMS);
  const isByTime = state.sort.id === 'created_at';
  const isFiltered = state.search !== '' || state.filters['event_name'] !== undefined;
  const chosen = view === 'changes' && (isFiltered || !hasLog) ? 'story' : view;
  return {
    view: isByTime ? chosen : 'table',
    isFiltered,
    show: (next: View) =>
      change({
        view: next,
        page: 1,
        ...(next !== 'table' && { search: '', event_name: '' }),
        ...(next !== 'table' && !isByTime && { sort: '' }),
      }),
  };
}
