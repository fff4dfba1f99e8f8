import { render, screen } from '@testing-library/react';
import { useLayoutEffect } from 'react';
import { BrowserRouter, HashRouter, useLocation } from 'react-router';
import { expect, test } from 'vitest';
import { CatchUpWithUrl } from './CatchUpWithUrl.tsx';

/** Shows its URL. Before the router listens, `next` is typed. */
function Page({ next }: { next: string }) {
  const { pathname, hash } = useLocation();
  useLayoutEffect(() => window.history.replaceState(null, '', next), [next]);
  return <p>{`At ${pathname}${hash}`}</p>;
}

test.each([
  ['a hash', BrowserRouter, '/sign-in', '/sign-in#code=x', 'At /sign-in#code=x'],
  ['the path in the hash', HashRouter, '/console#/contacts', '/console#/domains', 'At /domains'],
])('%s that changed before the router listened is shown', async (_, Router, from, next, shown) => {
  window.history.pushState(null, '', from);
  render(
    <CatchUpWithUrl>
      <Router>
        <Page next={next} />
      </Router>
    </CatchUpWithUrl>,
  );
  expect(await screen.findByText(shown)).toBeTruthy();
});
