import { screen, waitFor, within } from '@testing-library/react';
import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { listContactEvents } from '#contract/interface.ts';
import { createPageMeta, parseListQuery, type CheckedListQuery } from '#contract/list.ts';
import { button, holdAnswer, url } from '../testing/testList.tsx';
import { openPage } from '../testing/testPage.tsx';
import { json, setUpTestServer } from '../testing/testServer.ts';
import { localDay } from '../ui/sentenceTime.ts';
import { Timeline } from './Timeline.tsx';

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
    const { user } = openPage(<Timeline contact="c" />, '/?per_page=10');
    await waitFor(() => expect(shown()).toHaveLength(10));

    await user.click(button('Next page'));
    await waitFor(() => expect(asked('per_page=20')).toBe(1));
    expect(shown()).toHaveLength(10);
    second.release();
    await screen.findByText(/does not page events. Showing the first 20 of 25/);
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
    const { user } = openPage(<Timeline contact="c" />, '/');
    await waitFor(() => expect(shown()).toHaveLength(25));
    await user.click(button('Next page'));
    await screen.findByText(/does not page events. Showing the first 25 of 60/);
  });

  test('and has a largest page is not asked for more than that', async () => {
    server.answer(events(60, ({ per_page }) => ({ page: 1, per_page: Math.min(per_page, 30) })));
    openPage(<Timeline contact="c" />, '/?page=2');
    await screen.findByText(/Showing the first 30 of 60, which is all it sends at once/);
    expect(more()).toBeNull();
  });
});

test('a service that pages is turned page by page', async () => {
  server.answer(events(200));
  const { user } = openPage(<Timeline contact="c" />, '/');
  await waitFor(() => expect(shown()).toHaveLength(25));
  await user.click(button('Next page'));
  await waitFor(() => expect(shown()[0]).toBe('e26'));
  await user.type(screen.getByRole('textbox', { name: 'Go to page' }), '{Backspace}7{Enter}');
  await waitFor(() => expect(shown()[0]).toBe('e151'));
  expect(screen.queryByText(/does not page events/)).toBeNull();
});

test('events stand under their days, and without a readable time under none', async () => {
  const times = ['2025-01-31T10:30:00.000Z', '2025-01-31T10:00:00.000Z', '2025-01-29T10:00:00Z', 'soon', null];
  const data = times.map((created_at, index) => ({ uuid: `id ${index}`, event_name: `e${index + 1}`, created_at }));
  server.answer(json({ data, meta: createPageMeta({ page: 1, per_page: 25 }, 5) }));
  openPage(<Timeline contact="c" />, '/');
  await waitFor(() => expect(shown()).toHaveLength(5));
  expect(screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)).toEqual([
    localDay(new Date(times[0] ?? '')),
    localDay(new Date(times[2] ?? '')),
    'Without a readable time',
  ]);
  expect(screen.getAllByText('soon')).not.toHaveLength(0);
});
