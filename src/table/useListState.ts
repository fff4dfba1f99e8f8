import { useUrlQuery, type Step } from '../url/urlState.ts';
import { changeListState, formatListState, parseListState, type ListOptions, type ListState } from './listState.ts';

export type ListControl = {
  state: ListState;
  options: ListOptions;
  /** What the user typed, where the list is searched for something else. */
  typed?: string;
  /** Writes the change to the URL. */
  change: (change: Partial<ListState>, how?: Step) => void;
};

export function useListState(options: ListOptions): ListControl {
  const [query, replace] = useUrlQuery();
  return {
    state: parseListState(query, options),
    options,
    change: (change, how) =>
      replace((now) => formatListState(changeListState(parseListState(now, options), change), options, now), how),
  };
}
