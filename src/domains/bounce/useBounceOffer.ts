import { looksLikeBounce } from '#contract/receivers/bounces/looksLikeBounce.ts';
import type { PaletteOffer } from '../../ui/page/actions.ts';
import { openBounceReader } from '../../ui/page/bounceReader.ts';

/** A pasted SMTP reply can be read at once. */
export function useBounceOffer(text: string): PaletteOffer {
  const options = looksLikeBounce(text)
    ? [{ id: 'read this bounce', label: 'Read this bounce', run: () => openBounceReader({ text }) }]
    : [];
  return { groups: [{ title: 'Bounce', options, place: 'first' }], isSearching: false, error: null };
}
