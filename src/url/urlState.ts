import { useHref, useLocation, useNavigate } from 'react-router';

// What a page keeps in its URL: the only code that reads and writes query strings.

/** One parameter of a URL. `parse` returns undefined for a text that is not valid; the value is then `initial`. */
export type Param<Value> = {
  /** What the URL calls it, where that is not the name in the state. */
  name?: string;
  /** The value without the parameter, which is not written; none where the state may lack the value. */
  initial?: Value;
  parse: (text: string) => Value | undefined;
  format: (value: Value) => string;
};

type Params<State> = { readonly [Name in keyof State]: Param<State[Name]> };

export type Query = URLSearchParams;

/** A page number, in digits only, as the service takes it. */
export const pageParam: Param<number> = {
  initial: 1,
  parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) || undefined : undefined),
  format: String,
};

export const textParam: Param<string> = { initial: '', parse: (text) => text, format: String };

/** One of `values`, the first of which is initial. */
export const choiceParam = <Value extends string>(values: readonly [Value, ...Value[]]): Param<Value> => ({
  initial: values[0],
  parse: (text) => values.find((value) => value === text),
  format: String,
});

/** The state that `query` holds. */
export function readQuery<State>(params: Params<State>, query: Query | string): State {
  const texts = new URLSearchParams(query);
  const state: Partial<State> = {};
  for (const key in params) {
    const { name = key, initial, parse } = params[key];
    const text = texts.get(name);
    const value = (text === null ? undefined : parse(text)) ?? initial;
    if (value !== undefined) state[key] = value;
  }
  return state as State;
}

/** A copy of `query` with `state` written into it. What is initial is left out, and other parameters stay. */
export function writeQuery<State>(params: Params<State>, state: NoInfer<State>, query: Query | string): Query {
  const next = new URLSearchParams(query);
  for (const key in params) {
    const { name = key, initial, format } = params[key];
    const value = state[key];
    if (value === undefined || (initial !== undefined && format(value) === format(initial))) next.delete(name);
    else next.set(name, format(value));
  }
  return next;
}

/** A new step of the history unless `replace`. */
export type Step = { replace: boolean };

/** Reads path and query of the page's URL; null once another page is on its way, which the router shows later. */
export function useOwnUrl(): () => string | null {
  const page = useHref(useLocation().pathname);
  return () => {
    const { pathname, search, hash } = window.location;
    const url = page.includes('#') ? hash : pathname + search;
    return pathOf(url) === pathOf(page) ? url : null;
  };
}

/**
 * The query of the URL, and the function that replaces it. Once another page is on its way, the function does nothing: it
 * would lead back to this one, where a box writes what was typed a moment ago. It stays the same while the query changes,
 * unlike that of `useSearchParams`, so that what only writes the URL does not render again with it.
 */
export function useUrlQuery(): [Query, (update: (query: Query) => Query, how?: Step) => void] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const readUrl = useOwnUrl();
  const replace = (update: (query: Query) => Query, how: Step = { replace: false }) => {
    const url = readUrl();
    if (url === null) return;
    // Not `search`, which the router updates later: a second change before that must build on the first.
    void navigate(`?${update(new URLSearchParams(url.replace(/^[^?]*/s, '')))}`, how);
  };
  return [new URLSearchParams(search), replace];
}

/** In a HashRouter the path of a page begins at the hash, and the query belongs to it. */
const pathOf = (path: string) => path.replace(/^[^#]*#|\?.*/gs, '').replace(/\/$/, '');

/** The state that the URL holds, and the function that changes parts of it. */
export function useUrlState<State>(params: Params<State>): [State, (change: Partial<State>, how?: Step) => void] {
  const [query, replace] = useUrlQuery();
  return [
    readQuery(params, query),
    (change, how) => replace((now) => writeQuery(params, { ...readQuery(params, now), ...change }, now), how),
  ];
}
