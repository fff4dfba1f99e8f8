import { useLayoutEffect, useState, type ReactNode } from 'react';

/**
 * Around a router, which reads the URL when it renders and listens to it only once it is shown: tells it of a change
 * in between, as of a hash that somebody typed while the page was loading.
 */
export function CatchUpWithUrl({ children }: { children: ReactNode }) {
  const [url] = useState(() => window.location.href);
  // After the effect by which the router begins to listen, and before those by which a page goes elsewhere.
  useLayoutEffect(() => {
    if (window.location.href !== url) window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, [url]);
  return children;
}
