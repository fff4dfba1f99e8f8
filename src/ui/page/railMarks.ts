import { createStore, useStore } from './store.ts';

/** Next to a section of the navigation. `isRunning`: in this tab, now. `run`: the UUID of a list's run, which the service may count. */
type RailMark = { text: string; isRunning: boolean; run?: string | undefined };

const marks = createStore<Readonly<Record<string, RailMark | null>>>({});

export function setRailMark(path: string, mark: RailMark | null): void {
  marks.write({ ...marks.read(), [path]: mark });
}

export const readRailMark = (path: string): RailMark | null => marks.read()[path] ?? null;

export function useRailMark(path: string): RailMark | null {
  return useStore(marks)[path] ?? null;
}
