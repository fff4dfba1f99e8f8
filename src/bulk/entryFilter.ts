import {
  determineStatus,
  entryStatuses,
  formatStatus,
  isSelectable,
  type BulkEntry,
  type LoadedState,
} from './bulkState.ts';

/** Null shows all. `state` is its label or `LEFT_OUT`, `source` the part of the input. */
export type EntryFilter = { state: string | null; source: string | null };

export const NO_FILTER: EntryFilter = { state: null, source: null };
export const LEFT_OUT = 'Left out';
const TEXT_SOURCE = 'Text';

export const isLeftOut = (entry: BulkEntry): boolean =>
  isSelectable(entry) && !entry.isSelected && entry.outcome === null;

/** The label of an entry's state. While entries can be selected, a checkbox shows which are left out. */
export const describeState = (entry: BulkEntry, canSelect: boolean): string =>
  !canSelect && isLeftOut(entry) ? LEFT_OUT : formatStatus(determineStatus(entry));

export const canSelect = ({ phase }: LoadedState): boolean => phase === 'plan' || phase === 'checking';

type Choice = { value: string; label: string; count: number };

/** The states with their counts, which add up to the length of the list; those left out are one. States with the same label are one. */
export function listStates({ counts: { all, selected }, entries }: LoadedState): Choice[] {
  const counts: Record<string, number> = {};
  const add = (label: string, count: number) => (counts[label] = (counts[label] ?? 0) + count);
  for (const status of entryStatuses) add(formatStatus(status), all[status]);
  const leftOut = entryStatuses.some((status) => all[status] > selected[status]) ? entries.filter(isLeftOut) : [];
  for (const entry of leftOut) add(describeState(entry, true), -1);
  add(LEFT_OUT, leftOut.length);
  return Object.entries(counts).flatMap(([label, count]) => (count > 0 ? [{ value: label, label, count }] : []));
}

/** The parts of the input with counts; empty if there is only one. */
export function listSources(entries: readonly BulkEntry[]): Choice[] {
  const found = new Map<string, number>();
  for (const { source } of entries) found.set(source ?? TEXT_SOURCE, (found.get(source ?? TEXT_SOURCE) ?? 0) + 1);
  return found.size < 2 ? [] : [...found].map(([label, count]) => ({ value: label, label, count }));
}

export function matches(entry: BulkEntry, filter: EntryFilter): boolean {
  if (filter.source !== null && (entry.source ?? TEXT_SOURCE) !== filter.source) return false;
  return filter.state === null || describeState(entry, false) === filter.state;
}
