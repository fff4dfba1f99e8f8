import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { sessionQuery } from '../../session/session.ts';
import { useListState } from '../../table/useList.ts';
import { openPage } from '../../testing/testPage.tsx';
import { json, setUpTestServer } from '../../testing/testServer.ts';
import { sessionWith } from '../../testing/testSession.ts';
import { Activity } from './Activity.tsx';

const server = setUpTestServer();

/** A thousand events, one a day, at noon (UTC); the newest is of 1 September. None is of 15 May. */
const NEWEST = Date.UTC(2026, 8, 1, 12);
const TIMES = Array.from({ length: 1000 }, (_, at) => NEWEST - at * 86_400_000).filter(
  (time) => !new Date(time).toISOString().startsWith('2026-05-15'),
);

function Page() {
  const list = useListState({ perPage: 25, sort: { id: 'created_at', desc: true }, sortable: ['created_at'] });
  return <Activity contact="c" list={list} perPage={25} shown={null} />;
}

function open() {
  server.answer((request, response) => {
    const query = new URL(request.url ?? '', 'http://x.test').searchParams;
    const [from, to] = ['from', 'to'].map((name) => query.get(name) ?? '2026-09-02T00:00:00.000Z');
    const within = TIMES.filter((time) => time >= Date.parse(from ?? '') && time < Date.parse(to ?? ''));
    const newer = TIMES.filter((time) => time >= Date.parse(to ?? '')).length;
    const bucket = { from, counts: [], others: within.length, newer };
    json({
      data: {
        first_at: null,
        last_at: null,
        total: TIMES.length,
        name_count: 1,
        names: [],
        step: 'day',
        to,
        buckets: [bucket],
      },
    })(request, response);
  });
  const { client, user, show } = openPage(null);
  client.setQueryData(sessionQuery.queryKey, sessionWith());
  show(<Page />);
  return user;
}

test.each([
  ['2026-08-01', 2, null],
  ['2024-01-02', 39, null],
  ['2026-05-15', 5, 'No events on 15 May 2026. Showing those before it.'],
  ['2020-01-01', 40, 'No events on 1 Jan 2020. Showing those after it.'],
])('a date leads to the page of its events, also one before the chart: %s', async (day, page, words) => {
  const user = open();
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Date').disabled).toBe(false));
  await user.type(screen.getByLabelText('Date'), day);
  await user.click(screen.getByRole('button', { name: 'Go to date' }));
  await waitFor(() => expect(location.hash).toBe(`#${day}`));
  expect(new URLSearchParams(location.search).get('page')).toBe(String(page));
  if (words === null) expect(screen.queryByText(/^No events on/)).toBeNull();
  else await screen.findByText(words);
});
