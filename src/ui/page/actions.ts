import { useLayoutEffect, useRef, type RefObject } from 'react';

/** What the palette lists and keys run. */
export type Action = { id: string; label: string; run: () => void };

export type PaletteOption = Action & { detail?: string; keys?: string };

export type PaletteGroup = {
  title: string;
  options: readonly PaletteOption[];
  /** Where it stands among all groups; by default after the actions, in the order of the features. */
  place?: 'first' | 'last';
};

/** What a feature offers in the palette for a text, besides actions. `error` is of its requests. */
export type PaletteOffer = { groups: readonly PaletteGroup[]; isSearching: boolean; error: Error | null };

type ActionRegistry = Set<RefObject<readonly Action[]>>;

const page: ActionRegistry = new Set();
const everywhere: ActionRegistry = new Set();

/** Registers actions of the present page while the component is mounted. shell/shortcuts.ts assigns the keys. */
export function usePageActions(actions: readonly Action[]): void {
  useRegisteredActions(page, actions);
}

/** As `usePageActions`, for actions of every page. */
export function useGlobalActions(actions: readonly Action[]): void {
  useRegisteredActions(everywhere, actions);
}

export function listCurrentActions(): { page: Action[]; everywhere: Action[] } {
  return { page: actionsOf(page), everywhere: actionsOf(everywhere) };
}

const actionsOf = (registry: ActionRegistry) => [...registry].flatMap(({ current }) => current);

// Not React state: no component shows the actions while they change, so none has to render again.
function useRegisteredActions(registry: ActionRegistry, actions: readonly Action[]) {
  const entry = useRef(actions);
  // A layout effect, so that a key never runs an action of the page before.
  useLayoutEffect(() => {
    entry.current = actions;
  });
  useLayoutEffect(() => {
    registry.add(entry);
    return () => void registry.delete(entry);
  }, [registry]);
}
