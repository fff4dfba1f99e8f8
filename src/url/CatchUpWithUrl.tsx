import { useLayoutEffect, useState, type ReactNode } from 'react';

/** Around a router, which listens to the URL only after its first render: reports changes in between. */
export function CatchUpWithUrl({ children }: { children: ReactNode }) {
  const [url] = useState(() => window.location.href);
  // After the router starts to listen, and before a page navigates.
  useLayoutEffect(() => {
    if (window.location.href !== url) window.dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, [url]);
  return children;
}
