import * as z from 'zod/mini';
import { isStorable } from '#contract/values/field.ts';
import { NO_TIME, parseInstant } from '#contract/values/instant.ts';
import { parseJson } from '#contract/values/json.ts';
import { findMisspeltNames } from '#contract/openapi/parameterNames.ts';

/** A sort descriptor (docs/interface.md, 4.3). */
export type Sort = { id: string; desc: boolean };

export type Filters = Readonly<Record<string, boolean | string>>;

export type ListQuery = {
  page?: number;
  per_page?: number;
  search?: string;
  sorting?: readonly Sort[];
  filters?: Filters;
};

/**
 * A search is for words, all of which must match in any letter case; double quotes make a phrase. Additions also sort texts in any
 * letter case, the lists of the interface by the exact text.
 */
export type ListParameters = {
  /** operationTexts.ts says what is matched. */
  readonly search?: true;
  /** Empty if the list can't be sorted. */
  readonly sortable: readonly string[];
  /** Whether `attributes.plan` sorts by an attribute, up to `SCANNED_MAX` rows. */
  readonly sortsAttributes?: boolean;
  /** Boolean filters. */
  readonly filters?: readonly string[];
  /** The values of each filter with a fixed choice. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Filters by text. */
  readonly texts?: readonly string[];
  /** Filters by `Timestamp`. */
  readonly times?: readonly string[];
};

/** With defaults, and `per_page` clamped. Pages may still be shorter (docs/gaps.md). */
export type CheckedListQuery = {
  page: number;
  per_page: number;
  search: string;
  sorting: readonly Sort[];
  filters: Filters;
};

export type FieldError = { field: string; message: string };

export const PER_PAGE_DEFAULT = 10;
export const PER_PAGE_MAX = 100;
/** Enough for ten million events of a contact, one on each page. */
export const PAGE_MAX = 10_000_000;
export const SEARCH_MAX = 200;
export const SORTING_MAX = 3;

export const ATTRIBUTE_PREFIX = 'attributes.';
/** Contacts whose attributes a request reads at most: with 0.5 kB each that takes 60 to 90 ms of a core. */
export const SCANNED_MAX = 20_000;

export const SORTING = 'sorting[]';

export const isAttribute = (id: string) => id.startsWith(ATTRIBUTE_PREFIX) && id !== ATTRIBUTE_PREFIX;

export function formatSortDescriptor(sort: Sort): string {
  return JSON.stringify({ id: sort.id, desc: sort.desc });
}

/** Null if `text` is not exactly `{"id": string, "desc": boolean}`. */
export function parseSortDescriptor(text: string): Sort | null {
  const sort = z.safeParse(SortDescriptor, parseJson(text));
  return sort.success ? sort.data : null;
}

const SortDescriptor = z.strictObject({ id: z.string(), desc: z.boolean() });

export function formatListQuery(query: ListQuery): URLSearchParams {
  const params = new URLSearchParams();
  if (query.page !== undefined) params.set('page', String(query.page));
  if (query.per_page !== undefined) params.set('per_page', String(query.per_page));
  if (query.search) params.set('search', query.search);
  for (const sort of query.sorting ?? []) params.append(SORTING, formatSortDescriptor(sort));
  for (const [name, value] of Object.entries(query.filters ?? {})) params.set(name, String(value));
  return params;
}

export function parseListQuery(
  params: URLSearchParams,
  list: ListParameters,
): { query: CheckedListQuery; errors: [] } | { query: null; errors: FieldError[] } {
  const errors: FieldError[] = [];

  const names = ['page', 'per_page', ...(list.search ? ['search'] : []), ...filterNames(list)];
  for (const name of names) {
    if (params.getAll(name).length > 1) errors.push({ field: name, message: `Give ${name} once.` });
  }
  for (const name of new Set(params.keys())) {
    if (name !== SORTING && /^sorting\b/.test(name)) {
      errors.push({ field: name, message: `Write the parameter as ${SORTING}, once per descriptor.` });
    }
  }
  const others = [...params.keys()].filter((name) => !/^sorting\b/.test(name));
  errors.push(...findMisspeltNames(others, [...names, ...(list.sortable.length === 0 ? [] : [SORTING])]));
  const filters = parseFilters(params, list, errors);

  const page = positiveInteger(params, 'page', 1, errors);
  if (page > PAGE_MAX) errors.push({ field: 'page', message: `No list has more than ${PAGE_MAX} pages.` });
  const perPage = positiveInteger(params, 'per_page', PER_PAGE_DEFAULT, errors);
  const search = list.search === undefined ? '' : (params.get('search') ?? '');
  if (search.length > SEARCH_MAX) {
    errors.push({ field: 'search', message: `search is longer than ${SEARCH_MAX} characters.` });
  } else if (!isStorable(search)) {
    errors.push({ field: 'search', message: 'search contains a character that names can’t contain.' });
  }
  const sorting = list.sortable.length === 0 ? [] : parseSorting(params.getAll(SORTING), list, errors);

  if (errors.length > 0) return { query: null, errors };
  return { query: { page, per_page: Math.min(perPage, PER_PAGE_MAX), search, sorting, filters }, errors: [] };
}

const filterNames = ({ filters = [], choices = {}, texts = [], times = [] }: ListParameters): string[] => [
  ...filters,
  ...Object.keys(choices),
  ...texts,
  ...times,
];

function parseFilters(params: URLSearchParams, list: ListParameters, errors: FieldError[]): Filters {
  const filters: Record<string, boolean | string> = {};
  for (const name of list.filters ?? []) {
    const text = params.get(name);
    if (text === 'true' || text === 'false') filters[name] = text === 'true';
    else if (text !== null) errors.push({ field: name, message: `${name} must be true or false.` });
  }
  for (const [name, words] of Object.entries(list.choices ?? {})) {
    const text = params.get(name);
    if (text !== null && words.includes(text)) filters[name] = text;
    else if (text !== null) errors.push({ field: name, message: `${name} must be one of ${words.join(', ')}.` });
  }
  for (const name of list.texts ?? []) {
    const text = params.get(name);
    if (text === null) continue;
    const error = findTextError(text);
    if (error === null) filters[name] = text;
    else errors.push({ field: name, message: `${name} ${error}` });
  }
  for (const name of list.times ?? []) {
    const text = params.get(name);
    if (text === null) continue;
    const instant = parseInstant(text);
    if (instant !== null) filters[name] = new Date(instant).toISOString();
    else errors.push({ field: name, message: `${name} ${NO_TIME}` });
  }
  return filters;
}

/** Characters, as many as an identity has. */
const TEXT_MAX = 300;

function findTextError(text: string): string | null {
  if (text.length > TEXT_MAX) return `is longer than ${TEXT_MAX} characters.`;
  return isStorable(text) ? null : 'contains a character that names can’t contain.';
}

function positiveInteger(params: URLSearchParams, name: string, fallback: number, errors: FieldError[]): number {
  const text = params.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  // Numbers have 12 digits exactly.
  if (/^\d{1,12}$/.test(text) && value >= 1) return value;
  errors.push({ field: name, message: `${name} must be a whole number from 1.` });
  return fallback;
}

function parseSorting(
  texts: string[],
  { sortable, sortsAttributes = false }: ListParameters,
  errors: FieldError[],
): Sort[] {
  if (texts.length > SORTING_MAX) {
    errors.push({ field: SORTING, message: `Give at most ${SORTING_MAX} sort descriptors.` });
    return [];
  }
  const sorting: Sort[] = [];
  for (const text of texts) {
    const sort = parseSortDescriptor(text);
    if (sort === null) {
      errors.push({
        field: SORTING,
        message: 'Each sort descriptor must be JSON like {"id":"created_at","desc":true}.',
      });
    } else if (sortsAttributes && isAttribute(sort.id)) {
      if (texts.length > 1) errors.push({ field: SORTING, message: 'An attribute is sorted by alone.' });
      else sorting.push(sort);
    } else if (!sortable.includes(sort.id)) {
      const columns = sortsAttributes ? [...sortable, `${ATTRIBUTE_PREFIX}NAME`] : sortable;
      errors.push({ field: SORTING, message: `This list sorts by ${columns.join(', ')}.` });
    } else if (sorting.some((earlier) => earlier.id === sort.id)) {
      errors.push({ field: SORTING, message: `${sort.id} is named twice.` });
    } else {
      sorting.push(sort);
    }
  }
  return sorting;
}

/** Pagination (docs/interface.md, 2). `last_page` is 1 if the list is empty. */
export const Meta = z.strictObject({
  current_page: z.number(),
  per_page: z.number(),
  total: z.number(),
  last_page: z.number(),
  has_next: z.boolean(),
});
export type Meta = z.infer<typeof Meta>;

/** `total` counts the rows of the whole list. */
export function createPageMeta(query: { page: number; per_page: number }, total: number): Meta {
  const lastPage = Math.max(1, Math.ceil(total / query.per_page));
  return {
    current_page: query.page,
    per_page: query.per_page,
    total,
    last_page: lastPage,
    has_next: query.page < lastPage,
  };
}

/** A page as a client reads it: unknown keys are dropped. `meta` is required. */
export function readablePageSchema<Item extends z.ZodMiniType>(item: Item) {
  return z.object({ data: z.array(item), meta: z.object(Meta.shape) });
}

/** The result and reading of a list of `item`, which clients read as `readable`. */
export const pageOf = <Item extends z.ZodMiniType, Readable extends z.ZodMiniType>(item: Item, readable: Readable) => ({
  result: z.strictObject({ data: z.array(item), meta: Meta }),
  reading: readablePageSchema(readable),
});

export type Page<Item> = { data: Item[]; meta: Meta };
