import { useLayoutEffect, useRef } from 'react';
import { useSearchParams } from 'react-router';

// What a page keeps in its URL: the only code that reads and writes query strings.

/** One parameter of a URL. `parse` returns undefined for a text that is not valid; the value is then `initial`. */
export type Param<Value> = {
  /** The value without the parameter; it is never written. */
  initial: Value;
  parse: (text: string) => Value | undefined;
  format: (value: Value) => string;
};

/** The parameters of a state, by their names in the URL. */
export type Params<State> = { readonly [Name in keyof State]: Param<State[Name]> };

export type Query = URLSearchParams;

/** A page number. */
export const pageParam: Param<number> = {
  initial: 1,
  parse: (text) => {
    const page = Number(text);
    return Number.isSafeInteger(page) && page >= 1 && page < 1e9 ? page : undefined;
  },
  format: String,
};

export const textParam: Param<string> = { initial: '', parse: (text) => text, format: String };

/** One of `values`, the first of which is initial. `former` has values of older links, and what they are called now. */
export function choiceParam<Value extends string>(
  values: readonly [Value, ...Value[]],
  former: Readonly<Record<string, Value>> = {},
): Param<Value> {
  return {
    initial: values[0],
    parse: (text) => values.find((value) => value === text) ?? new Map(Object.entries(former)).get(text),
    format: String,
  };
}

/** The state that `query` holds. */
export function readQuery<State>(params: Params<State>, query: Query | string): State {
  const texts = new URLSearchParams(query);
  const entries = (Object.keys(params) as (keyof State & string)[]).map((name) => {
    const { initial, parse } = params[name];
    const text = texts.get(name);
    return [name, (text === null ? undefined : parse(text)) ?? initial];
  });
  return Object.fromEntries(entries) as State;
}

/** A copy of `query` with `change` written into it. Other parameters stay. */
export function writeQuery<State>(params: Params<State>, change: NoInfer<Partial<State>>, query: Query): Query {
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(change)) {
    const { initial, format } = params[name as keyof State];
    const text = format(value as State[keyof State]);
    if (text === format(initial)) next.delete(name);
    else next.set(name, text);
  }
  return next;
}

/** A new step of the history unless `replace`. */
export type Step = { replace: boolean };

/** The query of the URL, and the function that replaces it. */
export function useUrlQuery(): [Query, (update: (query: Query) => Query, how?: Step) => void] {
  const [query, setQuery] = useSearchParams();
  // The router updates `query` later: a second change before that must build on the first.
  const written = useRef(query);
  useLayoutEffect(() => {
    written.current = query;
  }, [query]);
  const replace = (update: (query: Query) => Query, how: Step = { replace: false }) => {
    written.current = update(written.current);
    setQuery(written.current, how);
  };
  return [query, replace];
}

/** The state that the URL holds, and the function that changes parts of it. */
export function useUrlState<State>(params: Params<State>): [State, (change: Partial<State>, how?: Step) => void] {
  const [query, replace] = useUrlQuery();
  return [readQuery(params, query), (change, how) => replace((now) => writeQuery(params, change, now), how)];
}
