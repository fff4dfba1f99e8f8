import { useDeferredValue, useEffect } from 'react';
import { createStore } from '../ui/page/store.ts';

/** In pixels: about that of a row as a card. */
export const CARD_HEIGHT = 100;

/** Only the first table since the page was loaded: where one is shown again, by Back, its page has to be as high as it was. */
const isFirst = createStore(true);

/**
 * How many rows a table begins with. On a phone rows are cards, of which a window has few: those below it are rendered after
 * the first paint, which they would delay (docs/decisions/0037-first-page.md).
 */
export function useFirstRows(): number {
  const isPainted = useDeferredValue(true, !isFirst.read());
  useEffect(() => {
    isFirst.write(false);
  }, []);
  // As in DataTable.module.css.
  const hasCards = window.matchMedia('(max-width: 600px)').matches;
  return isPainted || !hasCards ? Infinity : Math.ceil(window.innerHeight / CARD_HEIGHT);
}
