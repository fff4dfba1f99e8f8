import { useLayoutEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';
import { changeListState, formatListState, parseListState, type ListOptions, type ListState } from './listState.ts';

export type ListControl = {
  state: ListState;
  options: ListOptions;
  /** Writes the change to the URL, as a new step of the history unless `replace`. */
  change: (change: Partial<ListState>, how?: { replace: boolean }) => void;
};

/** The list state of the page's URL. `options` must be a module constant. */
export function useListState(options: ListOptions): ListControl {
  const [params, setParams] = useSearchParams();
  const state = parseListState(params, options);
  // The router updates `params` later: a second change before that must build on the first.
  const written = useRef(params);
  useLayoutEffect(() => {
    written.current = params;
  }, [params]);
  return {
    state,
    options,
    change: (change, how = { replace: false }) => {
      const now = written.current;
      written.current = formatListState(changeListState(parseListState(now, options), change), options, now);
      setParams(written.current, how);
    },
  };
}
