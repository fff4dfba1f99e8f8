import { use, useEffect } from 'react';
import { UNSAFE_NavigationContext, useHref, useLocation, type Navigator } from 'react-router';

/**
 * While `isUnsaved`, asks before the page is left: for another page of the console, by closing the tab, or by signing out,
 * for which SessionMenu.tsx sends the event of a closing tab.
 */
export function useUnsavedWarning(isUnsaved: boolean): void {
  const { navigator } = use(UNSAFE_NavigationContext);
  const here = useHref(useLocation().pathname);
  useEffect(() => {
    if (!isUnsaved) return;
    const askOnClose = (event: BeforeUnloadEvent) => event.preventDefault();
    const stopAsking = askBeforeLeaving(navigator, here);
    window.addEventListener('beforeunload', askOnClose);
    return () => {
      stopAsking();
      window.removeEventListener('beforeunload', askOnClose);
    };
  }, [isUnsaved, navigator, here]);
}

/**
 * Links, keys and the palette all navigate by `push`. Another query is the same page, and the draft stays. Not
 * `useBlocker`: it needs a data router (`createBrowserRouter`), and routes here are elements (app/routes.tsx).
 */
function askBeforeLeaving(navigator: Navigator, here: string): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- the router calls it unbound too
  const { push } = navigator;
  navigator.push = (to, ...options) => {
    const isLeaving = navigator.createHref(to).split('?')[0] !== here;
    if (!isLeaving || window.confirm('Leave, and discard the unsaved changes?')) push(to, ...options);
  };
  return () => {
    navigator.push = push;
  };
}
