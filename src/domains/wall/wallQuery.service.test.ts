import { QueryClient } from '@tanstack/react-query';
import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { listDomainReports } from '#contract/domains/domainReport.ts';
import { createPageMeta, parseListQuery } from '#contract/list.ts';
import { firstListState } from '../../table/useList.ts';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { domainOf, reportOf, verdictOf } from '../table/rows/testRows.ts';
import { wallQuery } from './wallQuery.ts';

const server = setUpTestServer();

const STATE = firstListState({ perPage: 25, sort: { id: 'name', desc: false }, sortable: ['name'] });
const read = (filters: Record<string, string> = {}) =>
  new QueryClient().query(wallQuery({ ...STATE, page: 3, filters }, true, { isUtc: true, visit: null }));

/** A service with reports of this many domains; its pages have at most `largest`. */
function reports(total: number, largest = 100): RequestListener {
  return (request, response) => {
    const url = new URL(request.url ?? '', 'http://x.test');
    const { query } = parseListQuery(url.searchParams, listDomainReports.list);
    if (query === null || url.pathname !== listDomainReports.path)
      return json({ detail: 'No.' }, 422)(request, response);
    const per_page = Math.min(query.per_page, largest);
    const from = (query.page - 1) * per_page;
    const data = Array.from({ length: Math.max(0, Math.min(per_page, total - from)) }, (_, at) =>
      reportOf(domainOf([true], `n${from + at}.test`), [verdictOf(0, 'ok')], { state: 'healthy' }),
    );
    json({ data, meta: createPageMeta({ page: query.page, per_page }, total) })(request, response);
  };
}

test.each([
  [0, 100, 0, 1],
  [100, 100, 100, 1],
  [250, 100, 250, 3],
  [250, 40, 250, 7],
  [1234, 100, 1000, 10],
])('of %d domains on pages of %d the wall has %d', async (total, largest, shown, calls) => {
  server.answer(reports(total, largest));
  const wall = await read();
  expect(wall.total).toBe(total);
  expect(new Set(wall.rows.map(({ uuid }) => uuid)).size).toBe(shown);
  expect(server.received).toHaveLength(calls);
});

test('it has the filters of the table, the worst first, and not its page', async () => {
  server.answer(reports(1));
  await read({ code: 'SPF_WITHOUT_INCLUDE', changed: '2026-02-01' });
  const { searchParams } = new URL(server.received[0]!.path, 'http://x.test');
  expect(Object.fromEntries(searchParams)).toEqual({
    page: '1',
    per_page: '100',
    'sorting[]': '{"id":"urgency","desc":true}',
    code: 'SPF_WITHOUT_INCLUDE',
    changed_since: '2026-02-01T00:00:00.000Z',
  });
});
