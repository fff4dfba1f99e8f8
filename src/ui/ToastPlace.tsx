import { useEffect, type ReactElement } from 'react';
import { createStore, useStore } from './page/store.ts';
import classes from './ToastPlace.module.css';

// The place is in the first load, Toast.tsx is not.

export const shownToast = createStore<ReactElement<{ isKept: boolean }> | null>(null);

/** Before the content, so that Shift+Tab leads from there into a toast. */
export function ToastPlace() {
  const toast = useStore(shownToast);
  // On a sign-out: the next user must not see it.
  useEffect(() => () => shownToast.write(null), []);
  return (
    <div className={classes.place} role="status">
      {toast}
    </div>
  );
}
