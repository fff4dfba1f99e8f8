import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Something to do here, offered to the palette and to the keys. */
export type Action = { id: string; label: string; run: () => void };

type ActionRegistry = Set<RefObject<readonly Action[]>>;

const page: ActionRegistry = new Set();
const everywhere: ActionRegistry = new Set();

/** Offers what can be done in this part of the page, as long as it is there. Which key runs it is in shell/shortcuts.ts. */
export function usePageActions(actions: readonly Action[]): void {
  useRegisteredActions(page, actions);
}

/** As `usePageActions`, for what can be done on every page. */
export function useGlobalActions(actions: readonly Action[]): void {
  useRegisteredActions(everywhere, actions);
}

/** What can be done at this moment. */
export function listCurrentActions(): { page: Action[]; everywhere: Action[] } {
  return { page: actionsOf(page), everywhere: actionsOf(everywhere) };
}

const actionsOf = (offers: ActionRegistry) => [...offers].flatMap(({ current }) => current);

// Not React state: nobody shows the actions while they change, so nothing has to be drawn again when they do.
function useRegisteredActions(offers: ActionRegistry, actions: readonly Action[]) {
  const offer = useRef(actions);
  // With the page itself, not a moment later: a key means what one sees.
  useLayoutEffect(() => {
    offer.current = actions;
  });
  useLayoutEffect(() => {
    offers.add(offer);
    return () => void offers.delete(offer);
  }, [offers]);
}
