import { useEffect, useEffectEvent } from 'react';
import { isMac, listKeyBindings, areSingleKeysEnabled } from './shortcuts.ts';
/** The most milliseconds between the two keys of a pair. */
const PAIR = 1500;
/** Elements that handle keys themselves. */
const TYPING = 'input, textarea, select, [contenteditable]:not([contenteditable="false"]), [role="textbox"], dialog';

/** Runs the actions of the present page by their keys; Ctrl or ⌘ with K opens the palette. */
export function useKeys(openPalette: () => void): void {
  const open = useEffectEvent(openPalette);
  useEffect(() => {
    let before = { key: '', at: 0 };
    const listen = (event: KeyboardEvent) => {
      const { key, altKey, ctrlKey, metaKey, isComposing } = event;
      if (event.defaultPrevented || isComposing || event.repeat || document.querySelector('dialog[open]')) return;
      if (key.toLowerCase() === 'k' && !altKey && !event.shiftKey && (isMac ? metaKey : ctrlKey)) {
        event.preventDefault();
        return open();
      }
      const typing = event.target instanceof Element && event.target.closest(TYPING) !== null;
      if (altKey || ctrlKey || metaKey || typing || !areSingleKeysEnabled()) return;
      const pair = event.timeStamp - before.at < PAIR ? `${before.key} ${key}` : '';
      const keys = listKeyBindings();
      const action = keys.get(pair) ?? keys.get(key);
      before = { key: action === undefined ? key : '', at: event.timeStamp };
      if (action === undefined) return;
      // The action may focus a box, and the key must not be typed there.
      event.preventDefault();
      action.run();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
