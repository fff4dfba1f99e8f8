import { useQuery, type QueryKey, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query';
import type { Page, Filters, ListQuery, Sort } from '#contract/list.ts';
import {
  useUrlQuery,
  listInvalid,
  type Step,
  pageParam,
  readQuery,
  textParam,
  writeQuery,
  type Param,
  type Query,
} from '../url/urlState.ts';

/** In the URL: `?page=2&per_page=50&search=acme&sort=-created_at&subscribed=true`. */
export type ListState = {
  page: number;
  perPage: number;
  search: string;
  sort: Sort;
  filters: Filters;
};

export type ListOptions = {
  perPage: number;
  sort: Sort;
  sortable: readonly string[];
  filters?: readonly string[];
  choices?: Readonly<Record<string, readonly string[]>>;
  texts?: readonly string[];
  /** Other filters. */
  params?: Readonly<Record<string, FilterParam>>;
};

export type FilterParam = Param<boolean | string>;

export const firstListState = ({ perPage, sort }: ListOptions): ListState => ({
  page: 1,
  perPage,
  search: '',
  sort,
  filters: {},
});

export const PER_PAGE_CHOICES = [10, 25, 50, 100] as const;

const filterParam: FilterParam = {
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  format: String,
};

const listParams = ({ perPage, sort, sortable }: ListOptions) => ({
  page: pageParam,
  perPage: {
    name: 'per_page',
    initial: perPage,
    parse: (text: string) => PER_PAGE_CHOICES.find((choice) => choice === Number(text)),
    format: String,
  },
  search: textParam,
  sort: {
    initial: sort,
    parse: (text: string) => {
      const { id, desc } = parseSort(text);
      return sortable.includes(id) ? { id, desc } : undefined;
    },
    format: formatSort,
  },
});

const wordParam = (words: readonly string[]): FilterParam => ({
  parse: (text) => words.find((word) => word === text),
  format: String,
});

export const textFilter: FilterParam = { parse: (text) => text || undefined, format: String };

const filterParams = ({
  filters = [],
  choices = {},
  texts = [],
  params = {},
}: ListOptions): Readonly<Record<string, FilterParam>> =>
  Object.fromEntries([
    ...Object.entries(params),
    ...texts.map((name) => [name, textFilter] as const),
    ...filters.map((name) => [name, filterParam] as const),
    ...Object.entries(choices).map(([name, words]) => [name, wordParam(words)] as const),
  ]);

/** `-created_at` is descending. */
export function parseSort(text: string): Sort {
  return { id: text.replace(/^-/, ''), desc: text.startsWith('-') };
}

export const formatSort = ({ id, desc }: Sort) => (desc ? '-' : '') + id;

/** Those with an invalid text, as `name=text`. */
export const listIgnored = (query: Query, options: ListOptions): string[] =>
  listInvalid({ ...listParams(options), ...filterParams(options) }, query);

/** An invalid parameter has its default. */
export function parseListState(query: Query, options: ListOptions): ListState {
  return { ...readQuery(listParams(options), query), filters: readQuery(filterParams(options), query) };
}

/** `query` with `state`, without defaults; other parameters stay. */
export function formatListState(state: ListState, options: ListOptions, query: Query): Query {
  return writeQuery(filterParams(options), state.filters, writeQuery(listParams(options), state, query));
}

export function changeListState(state: ListState, change: Partial<ListState>): ListState {
  return { ...state, page: 1, ...change };
}

/** The sort is always sent: a service may have another default. */
export function toListQuery(state: ListState): ListQuery {
  return {
    page: state.page,
    per_page: state.perPage,
    search: state.search,
    sorting: [state.sort],
    filters: state.filters,
  };
}

export type ListControl = {
  state: ListState;
  options: ListOptions;
  /** What the user typed, if the list is searched for something else. */
  typed?: string;
  change: (change: Partial<ListState>, how?: Step) => void;
  /** Sets these filters, or removes those that are null. The others are those of the URL, which may be newer than `state`. */
  filter: (changes: Readonly<Record<string, boolean | string | null>>, how?: Step) => void;
  /** Parameters of the URL that can't be read, so that they have their default. */
  ignored: readonly string[];
};

export function useListState(options: ListOptions): ListControl {
  const [query, replace] = useUrlQuery();
  const update = (change: (state: ListState) => Partial<ListState>, how?: Step) =>
    replace((now) => {
      const state = parseListState(now, options);
      return formatListState(changeListState(state, change(state)), options, now);
    }, how);
  return {
    state: parseListState(query, options),
    options,
    ignored: listIgnored(query, options),
    change: (change, how) => update(() => change, how),
    filter: (changes, how) =>
      update(({ filters }) => {
        const changed = Object.entries({ ...filters, ...changes });
        return {
          filters: Object.fromEntries(
            changed.filter((entry): entry is [string, boolean | string] => entry[1] !== null),
          ),
        };
      }, how),
  };
}

/** `Data` is what the service sends, if the rows are made of it. */
type PageQuery<Row, Key extends QueryKey, Data> = UseQueryOptions<Data, Error, Page<Row>, Key>;

export function useList<Row, Key extends QueryKey, Data = Page<Row>>(
  options: ListOptions,
  pageQuery: (state: ListState) => PageQuery<Row, Key, Data>,
) {
  const list = useListState(options);
  return { list, query: useListPage(list, pageQuery) };
}

export function useListPage<Row, Key extends QueryKey, Data = Page<Row>>(
  { state }: ListControl,
  pageQuery: (state: ListState) => PageQuery<Row, Key, Data>,
) {
  const query = useQuery(pageQuery(state));
  usePrefetch(query, pageQuery({ ...state, page: state.page + 1 }));
  return query;
}

/** Reads the next page into the cache. Opening it retries and shows errors. */
function usePrefetch<Row, Key extends QueryKey, Data = Page<Row>>(
  { data, isPlaceholderData }: UseQueryResult<Page<unknown>>,
  next: PageQuery<Row, Key, Data>,
): void {
  const enabled = data?.meta.has_next === true && !isPlaceholderData;
  useQuery({ ...next, enabled, retry: false, notifyOnChangeProps: [] });
}
