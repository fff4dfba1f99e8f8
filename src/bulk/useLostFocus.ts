import { useEffect, useRef, type RefObject } from 'react';

/**
 * The element of the returned ref takes the focus when it appears, if what had it has gone away: a button or a text of the stage
 * before. On a page that is just opened the heading has it.
 */
export function useLostFocus<Focused extends HTMLElement>(): RefObject<Focused | null> {
  const element = useRef<Focused>(null);
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}
