import { screen, waitFor, within } from '@testing-library/react';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listContactEvents } from '#contract/interface.ts';
import { createPageMeta, parseListQuery, type CheckedListQuery } from '#contract/list.ts';
import { button, holdAnswer, url } from '../../testing/testList.tsx';
import { sessionQuery } from '../../session/session.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import { Story } from './Story.tsx';

const server = setUpTestServer();

/** A contact with `total` events, e1, e2 ..., one an hour; `asked` records the queries. */
function events(
  total: number,
  asked: (query: CheckedListQuery) => Partial<CheckedListQuery> = () => ({}),
): RequestListener {
  return (request, response) => {
    const given = parseListQuery(
      new URL(request.url ?? '', 'http://x.test').searchParams,
      listContactEvents.list,
    ).query;
    if (given === null) return json({}, 422)(request, response);
    const query = { ...given, ...asked(given) };
    const data = Array.from({ length: total }, (_, index) => ({
      uuid: `id ${index}`,
      event_name: `e${index + 1}`,
      attributes: {},
      created_at: new Date(Date.UTC(2025, 0, 31) - index * 3_600_000).toISOString(),
    }));
    const page = data.slice((query.page - 1) * query.per_page, query.page * query.per_page);
    json({ data: page, meta: createPageMeta(query, total) })(request, response);
  };
}

/** Claims to send the requested page, and sends the first. */
const repeats: RequestListener = (request, response) => {
  const echo = Number(new URL(request.url ?? '', 'http://x.test').searchParams.get('page'));
  const list = Array.from({ length: 25 }, (_, index) => ({ uuid: `id ${index}`, event_name: `e${index + 1}` }));
  json({ data: list, meta: createPageMeta({ page: echo, per_page: 25 }, 60) })(request, response);
};

function open(url: string) {
  const page = openPage(null, url);
  page.client.setQueryData(sessionQuery.queryKey, sessionWith({ capabilities: [] }));
  page.show(<Story contact="c" />);
  return page;
}

const shown = () =>
  within(screen.getByRole('region', { name: 'events' }))
    .queryAllByText(/^e\d+$/)
    .map((name) => name.textContent);
const more = () => screen.queryByRole('button', { name: 'Show more' });

describe('a service that does not page events', () => {
  test('gets one page that grows, and no row ever leaves it', async () => {
    const ignoring = events(25, () => ({ page: 1 }));
    const second = holdAnswer(ignoring);
    const third = holdAnswer(ignoring);
    server.answer((request, response) => {
      const { per_page } = Object.fromEntries(new URL(request.url ?? '', 'http://x.test').searchParams);
      const listener = { 20: second.listener, 30: third.listener }[per_page ?? ''] ?? ignoring;
      listener(request, response);
    });
    const asked = (what: string) => server.received.filter(({ path }) => path.includes(what)).length;
    const { user } = open('/?per_page=10');
    await waitFor(() => expect(shown()).toHaveLength(10));

    await user.click(button('Next page'));
    await waitFor(() => expect(asked('per_page=20')).toBe(1));
    expect(shown()).toHaveLength(10);
    second.release();
    await screen.findByText(/doesn’t page events. Showing the first 20 of 25/);
    expect(new Set(shown()).size).toBe(20);

    await user.click(button('Show more'));
    await waitFor(() => expect(asked('per_page=30')).toBe(1));
    expect(shown()).toHaveLength(20);
    expect(screen.queryByRole('navigation', { name: 'Pages of events' })).toBeNull();
    third.release();
    await waitFor(() => expect(shown()).toHaveLength(25));
    expect(url()).toBe('/?per_page=10&page=3');
    expect(more()).toBeNull();
    // Pages that never arrive are no longer requested.
    expect(asked('page=3&')).toBe(0);
  });

  test('is found out by its rows where it says it sent the page', async () => {
    server.answer(repeats);
    const { user } = open('/');
    await waitFor(() => expect(shown()).toHaveLength(25));
    await user.click(button('Next page'));
    await screen.findByText(/doesn’t page events. Showing the first 25 of 60/);
  });
});
