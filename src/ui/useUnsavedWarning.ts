import { useEffect } from 'react';

/**
 * While `isUnsaved`, asks before the tab is closed or the user signs out, for which unfinishedList.ts sends the event of a
 * closing tab. For what is typed in a dialog: nothing else can be reached from there.
 */
export function useUnsavedWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
}
