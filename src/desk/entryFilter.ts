import type { LoadedState } from './deskState.ts';
import { type DeskEntry, determineStatus, entryStatuses, formatStatus, isSelectable } from './entry.ts';
import type { EntryList } from './entryList.ts';

/** Which entries are shown: those in a state, as it is called, and those found in a part of the input. Null: all. */
export type EntryFilter = { state: string | null; source: string | null };

export const NO_FILTER: EntryFilter = { state: null, source: null };
export const LEFT_OUT = 'Left out';
/** The name of a source that has none. */
const TEXT_SOURCE = 'Text';

/** Whether nothing was done with the entry because nobody ticked it. */
export const isLeftOut = (entry: DeskEntry): boolean =>
  isSelectable(entry) && !entry.isTicked && entry.outcome === null;

/** The state of an entry in words, by which the list is filtered. */
export const describeState = (entry: DeskEntry): string => formatStatus(determineStatus(entry));

type Choice = { value: string; label: string; count: number };

/** The states of the list with their counts; different states that are called the same are one. */
export function listStates({ counts: { all, ticked }, entries }: LoadedState): Choice[] {
  const found = new Map<string, number>();
  for (const status of entryStatuses) {
    const label = formatStatus(status);
    if (all[status] > 0) found.set(label, (found.get(label) ?? 0) + all[status]);
  }
  const isUnticked = entryStatuses.some((status) => all[status] > ticked[status]);
  const leftOut = isUnticked ? entries.filter(isLeftOut).length : 0;
  return [
    ...[...found].map(([label, count]) => ({ value: label, label, count })),
    ...(leftOut > 0 ? [{ value: LEFT_OUT, label: LEFT_OUT, count: leftOut }] : []),
  ];
}

/** What the entries were found in, with counts. Empty where all were found in the same. */
export function listSources(entries: EntryList): Choice[] {
  const found = new Map<string, number>();
  for (const { source } of entries) found.set(source ?? TEXT_SOURCE, (found.get(source ?? TEXT_SOURCE) ?? 0) + 1);
  return found.size < 2 ? [] : [...found].map(([label, count]) => ({ value: label, label, count }));
}

/** Whether the filter shows the entry. */
export function matches(entry: DeskEntry, { state, source }: EntryFilter): boolean {
  if (source !== null && (entry.source ?? TEXT_SOURCE) !== source) return false;
  if (state === null) return true;
  return state === LEFT_OUT ? isLeftOut(entry) : describeState(entry) === state;
}
