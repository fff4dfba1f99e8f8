import type { ListQuery, Sort } from '#contract/list.ts';

/** What a list page keeps in its URL: `?page=2&per_page=50&search=acme&sort=-created_at&subscribed=true`. */
export type ListState = {
  page: number;
  perPage: number;
  search: string;
  sort: Sort;
  filters: Readonly<Record<string, boolean>>;
};

/** What a list starts with and what its URL may say. */
export type ListOptions = {
  perPage: number;
  sort: Sort;
  sortable: readonly string[];
  filters?: readonly string[];
};

export const PER_PAGE_CHOICES = [10, 25, 50, 100] as const;

/** Reads a URL; an invalid parameter falls back to its default. */
export function parseListState(params: URLSearchParams, options: ListOptions): ListState {
  const page = Number(params.get('page'));
  const perPage = Number(params.get('per_page'));
  const filters = (options.filters ?? []).flatMap((name) => {
    const text = params.get(name);
    return text === 'true' || text === 'false' ? [[name, text === 'true'] as const] : [];
  });
  return {
    page: Number.isSafeInteger(page) && page >= 1 && page < 1e9 ? page : 1,
    perPage: (PER_PAGE_CHOICES as readonly number[]).includes(perPage) ? perPage : options.perPage,
    search: params.get('search') ?? '',
    sort: parseSortParam(params.get('sort') ?? '', options),
    filters: Object.fromEntries(filters),
  };
}

function parseSortParam(text: string, options: ListOptions): Sort {
  const desc = text.startsWith('-');
  const id = desc ? text.slice(1) : text;
  return options.sortable.includes(id) ? { id, desc } : options.sort;
}

/** `params` with `state` written into it. Defaults are left out, parameters of others stay. */
export function formatListState(state: ListState, options: ListOptions, params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  const put = (name: string, value: string, unlessDefault: boolean) =>
    unlessDefault ? next.set(name, value) : next.delete(name);
  put('page', String(state.page), state.page !== 1);
  put('per_page', String(state.perPage), state.perPage !== options.perPage);
  put('search', state.search, state.search !== '');
  const sameSort = state.sort.id === options.sort.id && state.sort.desc === options.sort.desc;
  put('sort', (state.sort.desc ? '-' : '') + state.sort.id, !sameSort);
  for (const name of options.filters ?? []) {
    const value = state.filters[name];
    put(name, String(value), value !== undefined);
  }
  return next;
}

/** A new search, sort, filter or page size starts at page 1. */
export function changeListState(state: ListState, change: Partial<ListState>): ListState {
  return { ...state, page: 1, ...change };
}

/** The query of the interface for `state`. The sort is always sent, because a service's default may be another. */
export function toListQuery(state: ListState): ListQuery {
  return {
    page: state.page,
    per_page: state.perPage,
    search: state.search,
    sorting: [state.sort],
    filters: state.filters,
  };
}
