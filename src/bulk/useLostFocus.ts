import { useEffect, useRef, type RefObject } from 'react';

/** Focuses the element when it appears if the focus was lost with the previous stage. On a new page the heading has it. */
export function useLostFocus<Focused extends HTMLElement>(): RefObject<Focused | null> {
  const element = useRef<Focused>(null);
  useEffect(() => {
    if (document.activeElement === document.body) element.current?.focus({ preventScroll: true });
  }, []);
  return element;
}
