import { looksLikeBounce } from '#contract/receivers/bounces/looksLikeBounce.ts';
import type { PaletteOffer } from '../../ui/page/actions.ts';
import { openBounceReader } from '../../ui/page/bounceReader.ts';

/** A pasted SMTP reply can be read at once; who types the word may have one. */
export function useBounceOffer(text: string): PaletteOffer {
  const options = looksLikeBounce(text)
    ? [{ id: 'read this bounce', label: 'Read this bounce', run: () => openBounceReader({ text }) }]
    : /\bbounce/i.test(text)
      ? [{ id: 'read a bounce', label: 'Read a bounce', run: () => openBounceReader() }]
      : [];
  return { groups: [{ title: 'Bounce', options, place: 'first' }], isSearching: false, error: null };
}
