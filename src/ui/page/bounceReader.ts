import { createStore, useStore } from './store.ts';

/** A bounce to read: its text, and when the message was refused (ISO 8601) if that's known. */
type ReadBounce = { text: string; at: string | null; domain: string | null };

const opened = createStore<ReadBounce | null>(null);

/** Opens the bounce reader, on any page. */
export const openBounceReader = (bounce: Partial<ReadBounce> = {}): void =>
  opened.write({ text: '', at: null, domain: null, ...bounce });

export const closeBounceReader = (): void => opened.write(null);
export const useBounceReader = (): ReadBounce | null => useStore(opened);
