import type { ParsedEntry } from '../listParser/readEntries.ts';
import {
  countEntries,
  type BulkEntry,
  type EntryCounts,
  FINISHED_STATUSES,
  recount,
  sumCounts,
  UNDOABLE_STATUSES,
  UNDONE_STATUSES,
  UNSENT_STATUSES,
} from './entry.ts';

export type RunProgress = {
  done: number;
  total: number;
  /** Entries per second. */
  rate: number;
  /** Milliseconds until requests are sent again, after the service asked to wait. */
  waitMs: number;
  /** Whether the last request failed. */
  isFailing: boolean;
};

/** Name of the file, or null for pasted text. */
type Source = { source: string | null };
/** Times are ISO 8601, by this computer's clock. `run`: its name in the audit log, if the service logs runs. */
type Begun = Source & { workspace: string; began_at: string; run?: string | undefined };
/** `is_saved`: whether the receipt was downloaded. */
type Ended = Begun & { ended_at: string; is_saved: boolean };

/** How a list was read. `notes`: sentences for the user. `column`: the heading of the table's column that was read. */
export type ListReading = Source & { notes: string[]; column: string | null };
export type ReadList = ListReading & { entries: readonly ParsedEntry[] };

/** `workspace` is null if the service doesn't return it. `added`: entries added after reading. */
export type PlannedList = ListReading & { stage: 'plan'; workspace: string | null; added: number };
export type RunningList = Begun & { stage: 'run' };
export type UndoneList = Ended & { stage: 'undo'; undo: { reason: string; began_at: string } };
export type EndedList = Ended & {
  stage: 'ended';
  undo: { reason: string; began_at: string; ended_at: string } | null;
};

/** What the journal stores besides the entries. */
export type BulkList = PlannedList | RunningList | UndoneList | EndedList;

type Loaded<List extends BulkList> = { list: List; entries: readonly BulkEntry[]; counts: EntryCounts };

/**
 * `opening`: the journal is being read. `elsewhere`: another tab has the list. `foreign`: the list is from another workspace.
 * `gone`: a sign-out deleted the list. `broken`: this browser can't store one. `unreadable`: another version wrote it. `error`: why
 * the check or run stopped by itself.
 */
export type BulkState =
  | { phase: 'opening' | 'elsewhere' | 'foreign' | 'gone' | 'empty' }
  | { phase: 'broken'; error: string }
  | { phase: 'unreadable'; contents: unknown }
  | ({ phase: 'plan'; error: string | null } & Loaded<PlannedList>)
  | ({ phase: 'checking'; error: string | null; progress: RunProgress } & Loaded<PlannedList>)
  | ({ phase: 'running'; progress: RunProgress } & Loaded<RunningList | UndoneList>)
  | ({ phase: 'paused'; error: string | null } & Loaded<RunningList | UndoneList>)
  | ({ phase: 'ended' } & Loaded<EndedList>);

export type BulkStateIn<Phase extends BulkState['phase']> = Extract<BulkState, { phase: Phase }>;
export type LoadedState = Extract<BulkState, { entries: readonly BulkEntry[] }>;

/** The state of a list from the journal. `workspace`: the session's; null if the service doesn't return it. */
export function openList(list: BulkList, entries: readonly BulkEntry[], workspace: string | null): BulkState {
  if (workspace !== null && list.workspace !== null && list.workspace !== workspace) return { phase: 'foreign' };
  const counts = countEntries(entries);
  if (list.stage === 'plan') return { phase: 'plan', error: null, list, entries, counts };
  if (list.stage === 'ended') return { phase: 'ended', list, entries, counts };
  // A tab that is opened again must not unsubscribe people by itself.
  return { phase: 'paused', error: null, list, entries, counts };
}

/** Replaces entries by index. Unknown indexes are ignored: requests may end after the list is replaced. */
export function changeEntries(state: LoadedState, changed: readonly BulkEntry[]): LoadedState {
  const entries = [...state.entries];
  const present = changed.filter(({ index }) => index < entries.length);
  const before = present.flatMap(({ index }) => entries[index] ?? []);
  for (const entry of present) entries[entry.index] = entry;
  return { ...state, entries, counts: recount(state.counts, before, present) };
}

export function addEntries(state: BulkStateIn<'plan'>, entries: readonly BulkEntry[]): BulkStateIn<'plan'> {
  return {
    ...state,
    list: { ...state.list, added: state.list.added + entries.length },
    entries: [...state.entries, ...entries],
    counts: recount(state.counts, [], entries),
  };
}

/** Leaves a check or run, which was paused or stopped by itself because of `error`. */
export function stop(state: BulkState, error: string | null): BulkState {
  if (state.phase !== 'checking' && state.phase !== 'running') return state;
  const { entries, counts } = state;
  if (state.phase === 'checking') return { phase: 'plan', error, list: state.list, entries, counts };
  return { phase: 'paused', error, list: state.list, entries, counts };
}

export type Work = { list: BulkList; counts: EntryCounts };

/** How many entries a run or an undo still has to process, and how many it has processed. */
export function countWork({ list, counts }: Work): { left: number; done: number } {
  if (list.stage === 'undo') {
    return {
      left: sumCounts(counts.all, UNDOABLE_STATUSES),
      done: sumCounts(counts.all, UNDONE_STATUSES),
    };
  }
  return { left: sumCounts(counts.selected, UNSENT_STATUSES), done: sumCounts(counts.all, FINISHED_STATUSES) };
}
