import { useEffect } from 'react';

/** While `isUnsaved`, asks before the page is left: by a link of the console, or by closing the tab. */
export function useUnsavedWarning(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const askOnClose = (event: BeforeUnloadEvent) => event.preventDefault();
    const askOnLink = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (link === null || window.confirm('Leave, and discard the unsaved changes?')) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('beforeunload', askOnClose);
    document.addEventListener('click', askOnLink, { capture: true });
    return () => {
      window.removeEventListener('beforeunload', askOnClose);
      document.removeEventListener('click', askOnLink, { capture: true });
    };
  }, [isUnsaved]);
}
