import { fetchUtils, type DataProvider } from 'react-admin';

/** Reads lists of the service that this page is served with; there is nothing else to do on a page that only lists. */
export const dataProvider = {
  async getList(resource, { pagination, sort, filter, signal }) {
    const query = new URLSearchParams({
      page: String(pagination?.page ?? 1),
      per_page: String(pagination?.perPage ?? 25),
    });
    if (sort) query.set('sorting[]', JSON.stringify({ id: sort.field, desc: sort.order === 'DESC' }));
    if (filter.q) query.set('search', filter.q);
    // The header makes the cookie of the session count.
    const headers = new Headers({ 'sendroom-console': '1' });
    const { json } = await fetchUtils.fetchJson(`/v1/${resource}?${query}`, { headers, signal });
    return { data: json.data.map((item: { uuid: string }) => ({ ...item, id: item.uuid })), total: json.meta.total };
  },
} as Pick<DataProvider, 'getList'> as DataProvider;
