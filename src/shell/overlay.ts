import { createStore } from '../ui/page/store.ts';

/** What is open over the page, of the frame's own. */
export type Overlay = 'palette' | 'shortcuts' | 'help' | 'news' | 'more';

export const overlay = createStore<Overlay | null>(null);

export const closeOverlay = (): void => overlay.write(null);
