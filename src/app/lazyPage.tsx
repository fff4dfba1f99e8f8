import { lazy, useState, type ComponentType } from 'react';

export type LoadedPage = {
  Page: ComponentType;
  /** Loads the code of the page before it is opened. */
  preload: () => Promise<unknown>;
};

/** A page whose code is loaded when it is opened, or before. Once loaded it renders at once, without a fallback. */
export function lazyPage(load: () => Promise<ComponentType>): LoadedPage {
  let Loaded: ComponentType | undefined;
  const request = async () => (Loaded = await load());
  const Lazy = lazy(async () => ({ default: await request() }));
  return {
    Page: function Page() {
      // Kept while the page is open: another component would lose its state.
      const [Content] = useState(() => Loaded ?? Lazy);
      return <Content />;
    },
    // Without an error: opening the page loads it again, and shows what is wrong.
    preload: () => request().catch(() => undefined),
  };
}
