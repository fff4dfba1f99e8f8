import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { button, domains, holdAnswer, openList, shown, url } from '../testing/testList.tsx';
import { setUpTestServer } from '../testing/testServer.ts';

const server = setUpTestServer();
afterEach(() => void vi.useRealTimers());

const box = () => screen.getByRole('searchbox', { name: 'Search domains' });

test('a search waits for a pause, starts at page 1, and leaves the box to who types', async () => {
  const { user } = await openList(server, 30, '/domains?page=2&sort=name');
  await user.type(box(), ' n12 ');
  await waitFor(() => expect(shown()).toEqual(['n12.test']));
  expect(url()).toBe('/domains?sort=name&search=n12');
  expect(box()).toHaveProperty('value', ' n12 ');
});

test('a search is one step of the history, however often it is refined', async () => {
  const { user } = await openList(server, 30);
  const steps = window.history.length;
  await user.type(box(), 'n{Enter}1{Enter}2{Enter}{Enter}');
  expect(url()).toBe('/domains?search=n12');
  expect(window.history.length).toBe(steps + 1);
});

test.each([
  ['Escape', (press: (keys: string) => Promise<void>) => press('{Escape}')],
  ['its button', () => button('Clear the search').click()],
])('%s clears it at once', async (_, clear) => {
  const { user } = await openList(server, 30, '/domains?search=n12');
  expect(box()).toHaveProperty('value', 'n12');
  box().focus();
  await clear((keys) => user.keyboard(keys));
  await waitFor(() => expect(box()).toHaveProperty('value', ''));
  expect(url()).toBe('/domains');
  await waitFor(() => expect(shown()).toHaveLength(10));
});

test('what is typed stays while the answers are late', async () => {
  const { user } = await openList(server, 30);
  const { listener, release } = holdAnswer(domains(30));
  server.answer(listener);
  await user.type(box(), 'n1{Enter}');
  await waitFor(() => expect(server.received).toHaveLength(1));
  await user.type(box(), '2');
  expect(box()).toHaveProperty('value', 'n12');
  release();
  await waitFor(() => expect(shown()).toEqual(['n12.test']));
  expect(box()).toHaveProperty('value', 'n12');
});

test('Back within the pause discards what was typed since', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  const { user } = await openList(server, 30);
  await user.type(box(), 'n1{Enter}2');
  act(() => window.history.back());
  await waitFor(() => expect(box()).toHaveProperty('value', ''));
  // Longer than the pause.
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(url()).toBe('/domains');
  expect(box()).toHaveProperty('value', '');
});
