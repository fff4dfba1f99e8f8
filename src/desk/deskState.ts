import { EntryList } from './entryList.ts';
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
import type { DeskProgress } from './runProgress.ts';

// The state of the bulk page as data, and how each event changes it. Nothing here has an effect.

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

type Loaded<List extends DeskList> = { list: List; entries: EntryList; counts: EntryCounts };

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
export type LoadedState = Extract<DeskState, { entries: EntryList }>;

export type DeskEvent =
  | { type: 'waited' | 'closed' | 'gone' | 'discarded' }
  | { type: 'failed'; error: string }
  | { type: 'unreadable'; contents: unknown }
  /** The journal was read. `workspace`: that of the session; null when the service does not say it. */
  | { type: 'opened'; list: DeskList | null; entries: readonly DeskEntry[]; workspace: string | null }
  | { type: 'read'; list: PlannedList; entries: readonly DeskEntry[] }
  | { type: 'changed'; entries: readonly DeskEntry[] }
  /** Entries behind those of the list, with the indexes that follow. */
  | { type: 'added'; entries: readonly DeskEntry[] }
  | { type: 'checking' | 'progressed'; progress: DeskProgress }
  /** An error of one entry; the check goes on. */
  | { type: 'unchecked'; error: string }
  | { type: 'began'; list: RunningList | UndoneList; progress: DeskProgress }
  /** A check or run was paused, or has stopped by itself because of `error`. */
  | { type: 'stopped'; error: string | null }
  /** The check has reached the end of the list. */
  | { type: 'checked' }
  | { type: 'ended'; list: EndedList };

/** The state after `event`. An event about a list that is no longer there changes nothing: requests may end late. */
export function reduceDesk(state: DeskState, event: DeskEvent): DeskState {
  switch (event.type) {
    case 'waited':
      return { phase: 'elsewhere' };
    case 'closed':
      return { phase: 'opening' };
    case 'gone':
      return { phase: 'gone' };
    case 'discarded':
      return { phase: 'empty' };
    case 'failed':
      return { phase: 'broken', error: event.error };
    case 'unreadable':
      return { phase: 'unreadable', contents: event.contents };
    case 'opened':
      return open(event);
    case 'read':
      return { phase: 'plan', error: null, ...load(event.list, event.entries) };
    case 'changed':
    case 'added':
    case 'checking':
    case 'progressed':
    case 'unchecked':
    case 'began':
    case 'stopped':
    case 'checked':
    case 'ended':
      return 'entries' in state ? reduceList(state, event) : state;
  }
}

type OpenedEvent = Extract<DeskEvent, { type: 'opened' }>;

function open({ list, entries, workspace }: OpenedEvent): DeskState {
  if (list === null) return { phase: 'empty' };
  if (workspace !== null && list.workspace !== null && list.workspace !== workspace) return { phase: 'foreign' };
  if (list.stage === 'plan') return { phase: 'plan', error: null, ...load(list, entries) };
  if (list.stage === 'ended') return { phase: 'ended', ...load(list, entries) };
  // A tab that is opened again must not unsubscribe people by itself.
  return { phase: 'paused', error: null, ...load(list, entries) };
}

function load<List extends DeskList>(list: List, entries: readonly DeskEntry[]): Loaded<List> {
  return { list, entries: EntryList.of(entries), counts: countEntries(entries) };
}

type ListEvent = Extract<
  DeskEvent,
  { type: 'changed' | 'added' | 'checking' | 'progressed' | 'unchecked' | 'began' | 'stopped' | 'checked' | 'ended' }
>;

function reduceList(state: LoadedState, event: ListEvent): DeskState {
  const { entries, counts } = state;
  switch (event.type) {
    case 'changed':
      return change(state, event.entries);
    case 'added':
      return state.phase === 'plan' || state.phase === 'checking' ? add(state, event.entries) : state;
    case 'checking':
      return state.phase === 'plan' ? { ...state, phase: 'checking', error: null, progress: event.progress } : state;
    case 'progressed':
      return 'progress' in state ? { ...state, progress: event.progress } : state;
    case 'unchecked':
      return state.phase === 'checking' ? { ...state, error: state.error ?? event.error } : state;
    case 'began':
      return { phase: 'running', list: event.list, entries, counts, progress: event.progress };
    case 'checked':
      return state.phase === 'checking'
        ? { phase: 'plan', list: state.list, entries, counts, error: state.error }
        : state;
    case 'stopped':
      return stop(state, event.error);
    case 'ended':
      return { phase: 'ended', list: event.list, entries, counts };
  }
}

function change(state: LoadedState, entries: readonly DeskEntry[]): LoadedState {
  const present = entries.filter(({ index }) => state.entries.at(index) !== undefined);
  const before = present.flatMap(({ index }) => state.entries.at(index) ?? []);
  return { ...state, entries: state.entries.with(present), counts: recount(state.counts, before, present) };
}

function add(state: DeskStateIn<'plan' | 'checking'>, entries: readonly DeskEntry[]): LoadedState {
  return {
    ...state,
    list: { ...state.list, added: state.list.added + entries.length },
    entries: EntryList.of([...state.entries, ...entries]),
    counts: recount(state.counts, [], entries),
  };
}

function stop(state: LoadedState, error: string | null): LoadedState {
  const { entries, counts } = state;
  if (state.phase === 'checking') {
    return { phase: 'plan', list: state.list, entries, counts, error: state.error ?? error };
  }
  return state.phase === 'running' ? { phase: 'paused', list: state.list, entries, counts, error } : state;
}

/** How many entries a run or an undo has still to process, and how many it has. */
export function countWork({ list, counts }: LoadedState): { left: number; done: number } {
  if (list.stage === 'undo') {
    return {
      left: sumCounts(counts.all, UNDOABLE_STATUSES),
      done: sumCounts(counts.all, UNDONE_STATUSES),
    };
  }
  return { left: sumCounts(counts.ticked, UNSENT_STATUSES), done: sumCounts(counts.all, FINISHED_STATUSES) };
}
