import { useHref, useLocation, useNavigate } from 'react-router';

// State in the URL: the only code that reads and writes query strings.

/** `parse` returns undefined for an invalid text; the value is then `initial`. */
export type Param<Value> = {
  /** In the URL, if it isn't the name in the state. */
  name?: string;
  /** The value without the parameter; none if the state may lack it. */
  initial?: Value;
  parse: (text: string) => Value | undefined;
  format: (value: Value) => string;
};

type Params<State> = { readonly [Name in keyof State]: Param<State[Name]> };

export type Query = URLSearchParams;

export const toQuery = (text: string): Query => new URLSearchParams(text);

/** Those of the parameters that aren't empty, in this order. */
export function pickParams(query: Query, names: readonly string[]): Query {
  const picked = new URLSearchParams();
  for (const name of names) if (query.get(name)) picked.set(name, query.get(name) ?? '');
  return picked;
}

export const pageParam: Param<number> = {
  initial: 1,
  parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) || undefined : undefined),
  format: String,
};

export const textParam: Param<string> = { initial: '', parse: (text) => text, format: String };

/** The first of `values` is initial. */
export const choiceParam = <Value extends string>(values: readonly [Value, ...Value[]]): Param<Value> => ({
  initial: values[0],
  parse: (text) => values.find((value) => value === text),
  format: String,
});

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

/** The parameters in `query` that have an invalid text, as `name=text`. */
export function listInvalid(params: Readonly<Record<string, Pick<Param<unknown>, 'name' | 'parse'>>>, query: Query) {
  return Object.entries(params).flatMap(([key, { name = key, parse }]) => {
    const text = query.get(name) ?? '';
    return text === '' || parse(text) !== undefined ? [] : `${name}=${text}`;
  });
}

/** A copy of `query` with `state`, without initial values. Other parameters stay. */
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

export type Step = { replace: boolean };

/** Reads the page's path and query; null once the router is opening another page. */
export function useOwnUrl(): () => string | null {
  const page = useHref(useLocation().pathname);
  return () => {
    const { pathname, search, hash } = window.location;
    const url = page.includes('#') ? hash : pathname + search;
    return pathOf(url) === pathOf(page) ? url : null;
  };
}

/**
 * The query of the URL, and a function that replaces it; it does nothing once another page is opening, which it would leave. Unlike
 * that of `useSearchParams`, the function doesn't change with the query.
 */
export function useUrlQuery(): [Query, (update: (query: Query) => Query, how?: Step) => void] {
  const { search } = useLocation();
  const navigate = useNavigate();
  const readUrl = useOwnUrl();
  const replace = (update: (query: Query) => Query, how: Step = { replace: false }) => {
    const url = readUrl();
    if (url === null) return;
    // Not `search`, which the router updates later: a second change builds on the first.
    void navigate(`?${update(new URLSearchParams(url.replace(/^[^?]*/s, '')))}`, how);
  };
  return [new URLSearchParams(search), replace];
}

/** In a HashRouter the path and query are in the hash. */
const pathOf = (path: string) => path.replace(/^[^#]*#|\?.*/gs, '').replace(/\/$/, '');

export function useUrlState<State>(params: Params<State>): [State, (change: Partial<State>, how?: Step) => void] {
  const [query, replace] = useUrlQuery();
  return [
    readQuery(params, query),
    (change, how) => replace((now) => writeQuery(params, { ...readQuery(params, now), ...change }, now), how),
  ];
}
