import { useEffect, useSyncExternalStore, type ReactElement } from 'react';
import { createListeners } from './listeners.ts';
import classes from './ToastPlace.module.css';

// Apart from Toast.tsx: the place is in the first load, what shows there is not.

type Shown = ReactElement<{ isKept: boolean }> | null;

let shown: Shown = null;
const { notify, subscribe } = createListeners();

export const readToast = (): Shown => shown;

export function setToast(toast: Shown): void {
  shown = toast;
  notify();
}

/** Where toasts show. To be placed just before the content, so that Shift+Tab leads from there into a toast. */
export function ToastPlace() {
  const toast = useSyncExternalStore(subscribe, readToast);
  // On a sign-out: the next user must not see it.
  useEffect(() => () => setToast(null), []);
  return (
    <div className={classes.place} role="status">
      {toast}
    </div>
  );
}
