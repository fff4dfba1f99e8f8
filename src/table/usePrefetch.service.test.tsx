import { useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { domains, domainsQuery, holdAnswer } from '../testing/testList.tsx';
import { openPage } from '../testing/testPage.tsx';
import { json, setUpTestServer } from '../testing/testServer.ts';
import type { ListState } from './listState.ts';
import { usePrefetch } from './usePrefetch.ts';

const server = setUpTestServer();

const stateOf = (page: number): ListState => ({
  page,
  perPage: 10,
  search: '',
  sort: { id: 'name', desc: false },
  filters: {},
});

function Names({ page }: { page: number }) {
  const query = useQuery(domainsQuery(stateOf(page)));
  usePrefetch(query, domainsQuery(stateOf(page + 1)));
  return <p>{query.isError ? 'failed' : query.data?.data.map(({ name }) => name).join(' ')}</p>;
}

const pagesAsked = () =>
  server.received.map(({ path }) => Number(new URL(path, 'http://x.test').searchParams.get('page')));

test('the next page is at hand before anybody asks for it', async () => {
  server.answer(domains(25));
  const { client } = openPage(<Names page={1} />);
  await waitFor(() => expect(client.getQueryData(domainsQuery(stateOf(2)).queryKey)?.data).toHaveLength(10));
  expect(pagesAsked()).toEqual([1, 2]);
});

test('nothing is read beyond the last page', async () => {
  server.answer(domains(20));
  const { show } = openPage(<Names page={1} />);
  await screen.findByText(/^n1.test/);
  await waitFor(() => expect(pagesAsked()).toEqual([1, 2]));
  show(<Names page={2} />);
  await screen.findByText(/^n11.test/);
  expect(pagesAsked()).toEqual([1, 2]);
});

test('rows that stand in for others lead to no page of theirs', async () => {
  server.answer(domains(100));
  const { show } = openPage(<Names page={1} />);
  await waitFor(() => expect(pagesAsked()).toEqual([1, 2]));
  const { listener, release } = holdAnswer(domains(100));
  server.answer(listener);
  show(<Names page={7} />);
  await waitFor(() => expect(pagesAsked()).toEqual([7]));
  expect(screen.getByText(/^n1.test/)).toBeTruthy();
  expect(pagesAsked()).toEqual([7]);
  release();
  await screen.findByText(/^n61.test/);
  await waitFor(() => expect(pagesAsked()).toEqual([7, 8]));
});

test('a page that could not be read ahead is no failure yet', async () => {
  server.answer((request, response) =>
    (request.url?.includes('page=2&') ? json({}, 503) : domains(25))(request, response),
  );
  const { client } = openPage(<Names page={1} />);
  await waitFor(() => expect(client.getQueryState(domainsQuery(stateOf(2)).queryKey)?.status).toBe('error'));
  expect(screen.getByText(/^n1.test/)).toBeTruthy();
  expect(pagesAsked()).toEqual([1, 2]);
});
