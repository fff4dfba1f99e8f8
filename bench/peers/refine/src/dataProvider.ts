import type { DataProvider, HttpError } from '@refinedev/core';

/** Reads lists of the service that this page is served with; there is nothing else to do on a page that only lists. */
export const dataProvider = {
  async getList({ resource, pagination, sorters, filters, meta }) {
    const query = new URLSearchParams({
      page: String(pagination?.currentPage ?? 1),
      per_page: String(pagination?.pageSize ?? 25),
    });
    for (const { field, order } of sorters ?? [])
      query.append('sorting[]', JSON.stringify({ id: field, desc: order === 'desc' }));
    for (const filter of filters ?? []) if (filter.value) query.set('search', filter.value);
    // The header makes the cookie of the session count.
    const headers = { 'sendroom-console': '1' };
    const response = await fetch(`/v1/${resource}?${query}`, { headers, signal: meta?.queryContext?.signal });
    if (!response.ok) throw { message: response.statusText, statusCode: response.status } satisfies HttpError;
    const page = await response.json();
    return { data: page.data, total: page.meta.total };
  },
} as Pick<DataProvider, 'getList'> as DataProvider;
