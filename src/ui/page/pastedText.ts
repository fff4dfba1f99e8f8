import { useEffectEvent, useLayoutEffect } from 'react';

/** Elements that handle keys and pasted text themselves. */
export const TYPING =
  'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], dialog';

/** Takes text that is pasted outside of fields. A page listens on `document`, before the frame on `window`. */
export function usePastedText(target: Document | Window, take: (text: string) => void): void {
  const onPaste = useEffectEvent(take);
  // A layout effect, so that nothing is lost after the first paint.
  useLayoutEffect(() => {
    const listen = (event: Event) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null;
      const text = (event as ClipboardEvent).clipboardData?.getData('text/plain').trim();
      if (event.defaultPrevented || isTyping || !text || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      onPaste(text);
    };
    target.addEventListener('paste', listen);
    return () => target.removeEventListener('paste', listen);
  }, [target]);
}
