import {
  countEntries,
  type DeskEntry,
  type EntryCounts,
  FINISHED_STATUSES,
  type ReadEntry,
  recount,
  sumCounts,
  UNDOABLE_STATUSES,
  UNDONE_STATUSES,
  UNSENT_STATUSES,
} from './entry.ts';
import type { DeskProgress } from './run/run.ts';

// The state of the bulk page as data. Nothing here has an effect.

/** Name of the file, or null for pasted text. */
type Source = { source: string | null };
/**
 * Times are ISO 8601, by the clock of this computer. `workspace`: UUID of the workspace of the contacts. `run`: what the log of the
 * service calls this run; absent where it has none.
 */
type Begun = Source & { workspace: string; began_at: string; run?: string | undefined };
/** `is_saved`: whether the receipt was downloaded. */
type Ended = Begun & { ended_at: string; is_saved: boolean };

/**
 * How a list was read: what the user should know of it, in sentences, and the heading of the column that was read of a table;
 * null where it was none.
 */
export type ListReading = Source & { notes: string[]; column: string | null };
/** A list as it was read. */
export type ReadList = ListReading & { entries: readonly ReadEntry[] };

/**
 * The workspace of a planned list is null where the service does not say it. `added`: how many of its entries were added to those
 * that were read.
 */
export type PlannedList = ListReading & { stage: 'plan'; workspace: string | null; added: number };
export type RunningList = Begun & { stage: 'run' };
/** A list whose run has ended and is being undone. */
export type UndoneList = Ended & { stage: 'undo'; undo: { reason: string; began_at: string } };
export type EndedList = Ended & {
  stage: 'ended';
  undo: { reason: string; began_at: string; ended_at: string } | null;
};

/** What the journal keeps of a list besides its entries. */
export type DeskList = PlannedList | RunningList | UndoneList | EndedList;

type Loaded<List extends DeskList> = { list: List; entries: readonly DeskEntry[]; counts: EntryCounts };

/**
 * `opening`: the journal is being read. `elsewhere`: another tab has the desk. `foreign`: the list in the journal belongs
 * to another workspace. `gone`: a sign-out in this browser has deleted the list. `broken`: this browser keeps no journal.
 * `unreadable`: the journal has a list that this version cannot read. `error`: why the check or run stopped by itself.
 */
export type DeskState =
  | { phase: 'opening' | 'elsewhere' | 'foreign' | 'gone' | 'empty' }
  | { phase: 'broken'; error: string }
  | { phase: 'unreadable'; contents: unknown }
  | ({ phase: 'plan'; error: string | null } & Loaded<PlannedList>)
  | ({ phase: 'checking'; error: string | null; progress: DeskProgress } & Loaded<PlannedList>)
  | ({ phase: 'running'; progress: DeskProgress } & Loaded<RunningList | UndoneList>)
  | ({ phase: 'paused'; error: string | null } & Loaded<RunningList | UndoneList>)
  | ({ phase: 'ended' } & Loaded<EndedList>);

/** A state of one phase. */
export type DeskStateIn<Phase extends DeskState['phase']> = Extract<DeskState, { phase: Phase }>;
/** A state that has a list. */
export type LoadedState = Extract<DeskState, { entries: readonly DeskEntry[] }>;

/** The state of a list of the journal. `workspace`: that of the session; null when the service does not say it. */
export function openList(list: DeskList, entries: readonly DeskEntry[], workspace: string | null): DeskState {
  if (workspace !== null && list.workspace !== null && list.workspace !== workspace) return { phase: 'foreign' };
  const counts = countEntries(entries);
  if (list.stage === 'plan') return { phase: 'plan', error: null, list, entries, counts };
  if (list.stage === 'ended') return { phase: 'ended', list, entries, counts };
  // A tab that is opened again must not unsubscribe people by itself.
  return { phase: 'paused', error: null, list, entries, counts };
}

/** With these entries instead of those of the same indexes. Entries of other indexes are ignored: requests may end after the list is replaced. */
export function changeEntries(state: LoadedState, changed: readonly DeskEntry[]): LoadedState {
  const entries = [...state.entries];
  const present = changed.filter(({ index }) => index < entries.length);
  const before = present.flatMap(({ index }) => entries[index] ?? []);
  for (const entry of present) entries[entry.index] = entry;
  return { ...state, entries, counts: recount(state.counts, before, present) };
}

/** With entries behind those of the list, which have the indexes that follow. */
export function addEntries(state: DeskStateIn<'plan'>, entries: readonly DeskEntry[]): DeskStateIn<'plan'> {
  return {
    ...state,
    list: { ...state.list, added: state.list.added + entries.length },
    entries: [...state.entries, ...entries],
    counts: recount(state.counts, [], entries),
  };
}

/** A check or run that was paused, or has stopped by itself because of `error`. */
export function stop(state: DeskState, error: string | null): DeskState {
  if (state.phase !== 'checking' && state.phase !== 'running') return state;
  const { entries, counts } = state;
  if (state.phase === 'checking') return { phase: 'plan', error, list: state.list, entries, counts };
  return { phase: 'paused', error, list: state.list, entries, counts };
}

export type Work = { list: DeskList; counts: EntryCounts };

/** How many entries a run or an undo has still to process, and how many it has. */
export function countWork({ list, counts }: Work): { left: number; done: number } {
  if (list.stage === 'undo') {
    return {
      left: sumCounts(counts.all, UNDOABLE_STATUSES),
      done: sumCounts(counts.all, UNDONE_STATUSES),
    };
  }
  return { left: sumCounts(counts.ticked, UNSENT_STATUSES), done: sumCounts(counts.all, FINISHED_STATUSES) };
}
