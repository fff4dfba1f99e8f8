import { useEffectEvent, useLayoutEffect } from 'react';
import { paths } from '../url/paths.ts';
import { listCurrentActions, type Action } from '../ui/page/actions.ts';
import { TYPING } from '../ui/page/pastedText.ts';
import { areSingleKeysEnabled } from '../ui/page/singleKeys.ts';
import { createStore } from '../ui/page/store.ts';

/** `Mod` is ⌘ on a Mac, else Ctrl. It also works while typing, and can't be turned off. */
export const PALETTE_KEYS = 'Mod k';

/** Keys by the id of their action (`usePageActions`). If two registered actions have the same key, the first one here gets it. */
const SHORTCUTS: readonly { action: string; keys: readonly string[] }[] = [
  { action: 'shortcuts', keys: ['?'] },
  { action: paths.overview, keys: ['g o'] },
  { action: paths.contacts, keys: ['g c'] },
  { action: paths.bulk, keys: ['g u'] },
  { action: paths.domains, keys: ['g d'] },
  { action: paths.activity, keys: ['g a'] },
  { action: paths.people, keys: ['g p'] },
  { action: paths.tokens, keys: ['g t'] },
  { action: paths.sessions, keys: ['g s'] },
  { action: paths.notifications, keys: ['g n'] },
  { action: 'switch-workspace', keys: ['g w'] },
  { action: 'help', keys: ['g h'] },
  { action: 'look-up', keys: ['/'] },
  { action: 'search', keys: ['/', 's'] },
  { action: 'next-page', keys: ['n', ']'] },
  { action: 'previous-page', keys: ['p', '['] },
  { action: 'refresh', keys: ['r'] },
  { action: 'check-dns', keys: ['c'] },
  { action: 'check-shown', keys: ['c'] },
  { action: 'findings', keys: ['v'] },
  { action: 'watch-dns', keys: ['w'] },
  { action: 'unsubscribe', keys: ['u'] },
  { action: 'bulk-unsubscribe', keys: ['u'] },
  { action: 'copy-proof', keys: ['t'] },
  { action: 'edit', keys: ['e'] },
];

/** The actions of the current page by their keys. */
function listKeyBindings(): Map<string, Action> {
  const { page, everywhere } = listCurrentActions();
  const bound = new Map<string, Action>();
  for (const { action: id, keys } of SHORTCUTS) {
    const action = [...page, ...everywhere].find((registered) => registered.id === id);
    for (const key of keys) if (action !== undefined && !bound.has(key)) bound.set(key, action);
  }
  return bound;
}

export function findKeys(action: Action): string[] {
  if (action.id === 'palette') return [PALETTE_KEYS];
  return [...listKeyBindings()].flatMap(([key, { id }]) => (id === action.id ? [key] : []));
}

export const isMac = /Mac|iP(hone|ad|od)/.test(navigator.userAgent);

/** Milliseconds between the two keys of a pair. */
const PAIR = 1500;
/** The first key of a pair, and those of palette/Commands.tsx. */
const MEANINGFUL = 'gjkx';
/** Milliseconds for which single keys pause after one without meaning: someone types while no input has the focus. */
const TYPED_TEXT = 1000;
const textUntil = createStore(0);

/** Whether a key is part of text typed outside an input. */
export const isTypedText = ({ timeStamp }: KeyboardEvent): boolean => timeStamp < textUntil.read();

export function useKeys(openPalette: () => void): void {
  const open = useEffectEvent(openPalette);
  // A layout effect, so that no key is lost after the first paint.
  useLayoutEffect(() => {
    let before = { key: '', at: 0 };
    textUntil.write(0);
    const listen = (event: Event) => {
      // Chromium sends an event without a key when it fills in a form.
      if (!(event instanceof KeyboardEvent)) return;
      const { key, altKey, ctrlKey, metaKey, isComposing } = event;
      if (event.defaultPrevented || isComposing || event.repeat || document.querySelector('dialog[open]')) return;
      if (key.toLowerCase() === 'k' && !altKey && !event.shiftKey && (isMac ? metaKey : ctrlKey)) {
        event.preventDefault();
        return open();
      }
      const typing = event.target instanceof Element && event.target.closest(TYPING) !== null;
      if (altKey || ctrlKey || metaKey || typing || !areSingleKeysEnabled()) return;
      const isText = isTypedText(event);
      // It would open the focused row.
      if (isText && key === 'Enter') event.preventDefault();
      const pair = event.timeStamp - before.at < PAIR ? `${before.key} ${key}` : '';
      const keys = listKeyBindings();
      const action = isText ? undefined : (keys.get(pair) ?? keys.get(key));
      before = { key: action === undefined ? key : '', at: event.timeStamp };
      if (action === undefined) {
        if (key.length === 1 && (isText || !MEANINGFUL.includes(key))) textUntil.write(event.timeStamp + TYPED_TEXT);
        return;
      }
      // The action may focus an input, where the key would be typed.
      event.preventDefault();
      action.run();
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
