import { useSyncExternalStore } from 'react';
import { createListeners } from './listeners.ts';

/** What is going on at a section of the rail. `isRunning`: in this tab, now. */
type RailMark = { text: string; isRunning: boolean };

const marks = new Map<string, RailMark>();
const { notify, subscribe } = createListeners();

/** Shows a mark at the section of `path` on every page, or removes it. */
export function setRailMark(path: string, mark: RailMark | null): void {
  const before = marks.get(path);
  if (before?.text === mark?.text && before?.isRunning === mark?.isRunning) return;
  if (mark === null) marks.delete(path);
  else marks.set(path, mark);
  notify();
}

export const readRailMark = (path: string): RailMark | null => marks.get(path) ?? null;

export function useRailMark(path: string): RailMark | null {
  return useSyncExternalStore(subscribe, () => readRailMark(path));
}
