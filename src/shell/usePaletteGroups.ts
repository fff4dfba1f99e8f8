import { useState } from 'react';
import { listCurrentActions, type Action } from '../ui/actions.ts';
import type { PaletteGroup, PaletteOffer } from '../ui/actions.ts';
import { findKeys } from './shortcuts.ts';
import { areSingleKeysEnabled } from './singleKeys.ts';

/** What the palette shows for `text`: the actions of the page that match, and what the features offer. */
export function usePaletteGroups(text: string, offers: readonly PaletteOffer[]): PaletteGroup[] {
  // The actions of the moment when the palette was opened.
  const [{ page, everywhere }] = useState(listCurrentActions);
  const [keys] = useState(() => findActiveKeys([...page, ...everywhere]));
  const offered = offers.flatMap(({ groups }) => groups);
  const at = (place: PaletteGroup['place']) => offered.filter((group) => group.place === place);
  const groups = [
    ...at('first'),
    createActionGroup('On this page', page, text, keys),
    createActionGroup('Everywhere', everywhere, text, keys),
    ...at(undefined),
    ...at('last'),
  ];
  return groups.filter(({ options }) => options.length > 0);
}

/** The actions whose label contains every word of `text`. */
function createActionGroup(
  title: string,
  actions: readonly Action[],
  text: string,
  keys: ReadonlyMap<string, string | undefined>,
): PaletteGroup {
  const words = text.trim().toLowerCase().split(/\s+/);
  const options = actions
    .filter(({ id, label }) => id !== 'palette' && words.every((word) => label.toLowerCase().includes(word)))
    .map(({ id, label, run }) => {
      const key = keys.get(id);
      return { id: `${title} ${id}`, label, run, ...(key !== undefined && { keys: key }) };
    });
  return { title, options };
}

/** The first key of each action by its id; empty while single keys are turned off. */
function findActiveKeys(actions: readonly Action[]): Map<string, string | undefined> {
  return new Map(areSingleKeysEnabled() ? actions.map((action) => [action.id, findKeys(action)[0]]) : []);
}
