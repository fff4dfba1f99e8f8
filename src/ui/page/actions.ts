import { useLayoutEffect, useRef, type RefObject } from 'react';

export type Action = { id: string; label: string; run: () => void };

/** `exact`: what of it was typed exactly, such as its email. */
export type PaletteOption = Action & { detail?: string; keys?: string; exact?: string | undefined };

export type PaletteGroup = {
  title: string;
  options: readonly PaletteOption[];
  /** By default after the actions. */
  place?: 'first' | 'last';
};

/** What a feature offers in the palette for a text. */
export type PaletteOffer = { groups: readonly PaletteGroup[]; isSearching: boolean; error: Error | null };

type ActionRegistry = Set<RefObject<readonly Action[]>>;

const page: ActionRegistry = new Set();
const everywhere: ActionRegistry = new Set();

/** Registers actions of the current page. shell/shortcuts.ts assigns keys. */
export function usePageActions(actions: readonly Action[]): void {
  useRegisteredActions(page, actions);
}

export function useGlobalActions(actions: readonly Action[]): void {
  useRegisteredActions(everywhere, actions);
}

export function listCurrentActions(): { page: Action[]; everywhere: Action[] } {
  return { page: actionsOf(page), everywhere: actionsOf(everywhere) };
}

export const runAction = (id: string): void =>
  actionsOf(everywhere)
    .find((action) => action.id === id)
    ?.run();

const actionsOf = (registry: ActionRegistry) => [...registry].flatMap(({ current }) => current);

// Not React state: no component shows the actions while they change.
function useRegisteredActions(registry: ActionRegistry, actions: readonly Action[]) {
  const entry = useRef(actions);
  // A layout effect, so that a key never runs an action of the previous page.
  useLayoutEffect(() => {
    entry.current = actions;
  });
  useLayoutEffect(() => {
    registry.add(entry);
    return () => void registry.delete(entry);
  }, [registry]);
}
