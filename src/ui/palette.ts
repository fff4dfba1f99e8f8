import type { Action } from './actions.ts';

export type PaletteOption = Action & { detail?: string; keys?: string };

export type PaletteGroup = {
  title: string;
  options: readonly PaletteOption[];
  /** Where it stands among all groups; by default after the actions, in the order of the features. */
  place?: 'first' | 'last';
};

/** What a feature offers in the palette for a text, besides actions. `error` is of its requests. */
export type PaletteOffer = { groups: readonly PaletteGroup[]; isSearching: boolean; error: Error | null };
