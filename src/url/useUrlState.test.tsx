import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { BrowserRouter, HashRouter, Route, Routes, useNavigate } from 'react-router';
import { expect, test } from 'vitest';
import { textParam, useUrlState } from './urlState.ts';

/** A page that writes to its URL, as a box does that searches a moment after the last key. */
function Box() {
  const [{ search }, change] = useUrlState({ search: textParam });
  const navigate = useNavigate();
  return (
    <>
      <p>Searched: {search}</p>
      <button onClick={() => change({ search: 'late' })}>Write</button>
      <button onClick={() => void navigate('/other')}>Leave</button>
    </>
  );
}

/** Shows the box; `arrive` ends the loading of the other page. */
function openBox(Router: ComponentType<{ children: ReactNode }>, url: string) {
  const { promise, resolve } = Promise.withResolvers<{ default: ComponentType }>();
  const Other = lazy(() => promise);
  window.history.pushState(null, '', url);
  render(
    <Router>
      <Suspense>
        <Routes>
          <Route path="/list" element={<Box />} />
          <Route path="/other" element={<Other />} />
        </Routes>
      </Suspense>
    </Router>,
  );
  return { user: userEvent.setup(), arrive: () => resolve({ default: () => <p>The other page</p> }) };
}

const url = () => window.location.href.slice(window.location.origin.length);

test.each([
  ['a path', BrowserRouter, '/list', '/other'],
  ['the hash', HashRouter, '/console#/list', '/console#/other'],
])('what a box writes does not lead back from a page that is on its way, in %s', async (_, Router, from, to) => {
  const { user, arrive } = openBox(Router, from);
  await user.click(screen.getByRole('button', { name: 'Leave' }));
  expect(url()).toBe(to);
  // The other page is loading, and this one is still shown.
  await user.click(screen.getByRole('button', { name: 'Write' }));
  expect(url()).toBe(to);
  await act(async () => arrive());
  expect(await screen.findByText('The other page')).toBeTruthy();
  expect(url()).toBe(to);
});
