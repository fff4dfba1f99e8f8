import { use, useEffect } from 'react';
import { UNSAFE_NavigationContext, useHref, useLocation, type Navigator } from 'react-router';

/** Drafts of the page that are not saved. */
let unsavedDrafts = 0;

/** Asks whether to do `action` in spite of unsaved drafts; true without a question where there are none. */
export function confirmDiscard(action: 'Leave' | 'Sign out'): boolean {
  return unsavedDrafts === 0 || window.confirm(`${action}, and discard the unsaved changes?`);
}

/**
 * While `isUnsaved`, asks before the page is left: for another page of the console, by closing the tab, or by signing out
 * (shell/SessionMenu.tsx).
 */
export function useUnsavedWarning(isUnsaved: boolean): void {
  const { navigator } = use(UNSAFE_NavigationContext);
  const here = useHref(useLocation().pathname);
  useEffect(() => {
    if (!isUnsaved) return;
    const askOnClose = (event: BeforeUnloadEvent) => event.preventDefault();
    const stopAsking = askBeforeLeaving(navigator, here);
    window.addEventListener('beforeunload', askOnClose);
    unsavedDrafts += 1;
    return () => {
      unsavedDrafts -= 1;
      stopAsking();
      window.removeEventListener('beforeunload', askOnClose);
    };
  }, [isUnsaved, navigator, here]);
}

/**
 * Links, keys and the palette all navigate by `push`. Another query is the same page, and the draft stays. Not
 * `useBlocker`: it needs a data router, which would add XX kB to the first load.
 */
function askBeforeLeaving(navigator: Navigator, here: string): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- the router calls it unbound too
  const { push } = navigator;
  navigator.push = (to, ...options) => {
    const isLeaving = navigator.createHref(to).split('?')[0] !== here;
    if (!isLeaving || confirmDiscard('Leave')) push(to, ...options);
  };
  return () => {
    navigator.push = push;
  };
}
