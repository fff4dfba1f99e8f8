import type { LoadedState } from './deskState.ts';
import { type DeskEntry, determineStatus, entryStatuses, formatStatus, isSelectable } from './entry.ts';

/**
 * Which entries are shown: those in a state, as it is called, those found in a part of the input, and those that are not
 * ticked. Null: all.
 */
export type EntryFilter = { state: string | null; source: string | null; isLeftOut: true | null };

export const NO_FILTER: EntryFilter = { state: null, source: null, isLeftOut: null };
export const LEFT_OUT = 'Left out';
/** The name of a source that has none. */
const TEXT_SOURCE = 'Text';

/** Whether nothing was done with the entry because nobody ticked it. */
export const isLeftOut = (entry: DeskEntry): boolean =>
  isSelectable(entry) && !entry.isTicked && entry.outcome === null;

/**
 * The state of an entry in words, by which the list is filtered. Where entries can be ticked, a box says whether it is left
 * out; afterwards that is its state.
 */
export const describeState = (entry: DeskEntry, isTickable: boolean): string =>
  !isTickable && isLeftOut(entry) ? LEFT_OUT : formatStatus(determineStatus(entry));

/** Whether somebody may still tick entries of the list. */
export const isTickable = ({ phase }: LoadedState): boolean => phase === 'plan' || phase === 'checking';

type Choice = { value: string; label: string; count: number };

/** The states of the list with their counts, which add up to its length; different states that are called the same are one. */
export function listStates(state: LoadedState): Choice[] {
  const { all } = state.counts;
  const counts: Record<string, number> = {};
  const add = (label: string, count: number) => (counts[label] = (counts[label] ?? 0) + count);
  for (const status of entryStatuses) add(formatStatus(status), all[status]);
  if (!isTickable(state)) {
    const leftOut = listLeftOut(state);
    for (const entry of leftOut) add(describeState(entry, true), -1);
    add(LEFT_OUT, leftOut.length);
  }
  return Object.entries(counts).flatMap(([label, count]) => (count > 0 ? [{ value: label, label, count }] : []));
}

/** The entries that are not ticked, and for which nothing was done. */
export function listLeftOut({ counts: { all, ticked }, entries }: LoadedState): DeskEntry[] {
  return entryStatuses.some((status) => all[status] > ticked[status]) ? entries.filter(isLeftOut) : [];
}

/** What the entries were found in, with counts. Empty where all were found in the same. */
export function listSources(entries: readonly DeskEntry[]): Choice[] {
  const found = new Map<string, number>();
  for (const { source } of entries) found.set(source ?? TEXT_SOURCE, (found.get(source ?? TEXT_SOURCE) ?? 0) + 1);
  return found.size < 2 ? [] : [...found].map(([label, count]) => ({ value: label, label, count }));
}

/** Whether the filter shows the entry. */
export function matches(entry: DeskEntry, filter: EntryFilter, isPlan: boolean): boolean {
  if (filter.source !== null && (entry.source ?? TEXT_SOURCE) !== filter.source) return false;
  if (filter.isLeftOut !== null && !isLeftOut(entry)) return false;
  return filter.state === null || describeState(entry, isPlan) === filter.state;
}
