import { must } from '#contract/values/must.ts';
import type { Unsubscription } from '#contract/suppressions/suppression.ts';
import type { Tone } from '../ui/values/StatusBadge.tsx';
import type { ApiError } from '../api/ApiError.ts';
import type { Person } from '../identity/person.ts';
import type { ParsedEntry } from '../listParser/readEntries.ts';
import type { Question } from './reading/question.ts';

/** The state of a contact before the run. */
export type LookUpResult = {
  /** `exists`: the service can't return the contact. `unknown`: there is no such contact. */
  state: 'subscribed' | 'unsubscribed' | 'exists' | 'unknown';
  /** The value that found the contact, if any. */
  value: string | null;
  uuid: string | null;
  at: string;
};

export type UnsubscribeOutcome = {
  /**
   * `sent`: saved before the request, which is sent again if no response comes. `recorded`: unsubscribed already, for a weaker reason than
   * the run has.
   */
  state: 'sent' | 'unsubscribed' | 'recorded' | 'already' | 'missing' | 'refused' | 'failed';
  uuid: string | null;
  request_id: string | null;
  why: string | null;
  /** ISO 8601, by this computer's clock, or by the service's if the audit log provided it. */
  at: string;
  /** Whether a request with a lost response may have done it. */
  wasLost: boolean;
};

export type UndoOutcome = {
  /** `already`: another undo of the run has done it. `changed`: the subscription was changed after the run. `unclear`: nothing proves that the run unsubscribed the contact. */
  state: 'sent' | 'resubscribed' | 'already' | 'changed' | 'unclear' | 'failed';
  request_id: string | null;
  why: string | null;
  at: string;
};

/** An entry of the list with its results. */
export type BulkEntry = ParsedEntry & {
  /** Whether a run processes it. */
  isSelected: boolean;
  found: LookUpResult | null;
  /** As the service last returned the contact. */
  person: Person | null;
  outcome: UnsubscribeOutcome | null;
  undo: UndoOutcome | null;
};

/** The entry before anything is done with it. */
export function createEntry(read: ParsedEntry): BulkEntry {
  return { ...read, isSelected: read.leftOut === null, found: null, person: null, outcome: null, undo: null };
}

const STATUSES = {
  unchecked: { words: 'Not checked', tone: 'neutral' },
  subscribed: { words: 'Subscribed', tone: 'good' },
  exists: { words: 'Known', tone: 'wait' },
  out: { words: 'Already unsubscribed', tone: 'neutral' },
  unknown: { words: 'Not found', tone: 'warn' },
  sent: { words: 'Unconfirmed', tone: 'wait' },
  unsubscribed: { words: 'Unsubscribed', tone: 'neutral' },
  recorded: { words: 'Reason recorded', tone: 'good' },
  already: { words: 'Already unsubscribed', tone: 'neutral' },
  missing: { words: 'Not found', tone: 'warn' },
  refused: { words: 'Refused', tone: 'bad' },
  failed: { words: 'Failed', tone: 'bad' },
  undoing: { words: 'Undo unconfirmed', tone: 'wait' },
  resubscribed: { words: 'Subscribed again', tone: 'good' },
  undone: { words: 'Already subscribed again', tone: 'neutral' },
  changed: { words: 'Changed since', tone: 'warn' },
  unclear: { words: 'Still unsubscribed', tone: 'warn' },
  undoFailed: { words: 'Undo failed', tone: 'bad' },
  duplicate: { words: 'Duplicate', tone: 'neutral' },
  unreadable: { words: 'Unreadable', tone: 'warn' },
} as const satisfies Record<string, { words: string; tone: Tone }>;

export type EntryStatus = keyof typeof STATUSES;
export const entryStatuses = Object.keys(STATUSES) as EntryStatus[];
export const formatStatus = (status: EntryStatus): string => STATUSES[status].words;
export const statusTone = (status: EntryStatus): Tone => STATUSES[status].tone;

const UNDO_STATUSES = {
  sent: 'undoing',
  resubscribed: 'resubscribed',
  already: 'undone',
  changed: 'changed',
  unclear: 'unclear',
  failed: 'undoFailed',
} as const satisfies Record<UndoOutcome['state'], EntryStatus>;

export function determineStatus({ values, repeats, found, outcome, undo }: BulkEntry): EntryStatus {
  if (values.length === 0) return 'unreadable';
  if (repeats !== null) return 'duplicate';
  if (undo !== null) return UNDO_STATUSES[undo.state];
  if (outcome !== null) return outcome.state;
  if (found === null) return 'unchecked';
  return found.state === 'unsubscribed' ? 'out' : found.state;
}

export const NOT_FOUND = 'Not found. Did you mean';

export const isOfSimilar = (leftOut: string | null): boolean => leftOut?.startsWith(NOT_FOUND) === true;

/** Whether selecting the entry changes what a run does. Of several similar contacts it stands for none. */
export const isSelectable = ({ values, repeats, found, leftOut }: BulkEntry): boolean =>
  values.length > 0 && repeats === null && !(found?.state === 'unknown' && isOfSimilar(leftOut));

export function pickContactIdentifier({ found, values }: BulkEntry): string {
  return found?.uuid ?? found?.value ?? must(values[0]);
}

/** A run sends a request. */
export const UNSENT_STATUSES: readonly EntryStatus[] = ['unchecked', 'subscribed', 'exists', 'sent'];
/** Whether a run sends a request for the entry. */
export const isToSend = (entry: BulkEntry): boolean =>
  entry.isSelected && UNSENT_STATUSES.includes(determineStatus(entry));
/** Whether a run also sends contacts that are unsubscribed already: an undo of what unsubscribed them would lose what is said now. */
export const saysWhy = (said: Unsubscription | undefined): boolean => Boolean(said?.reason ?? said?.ticket);
export const unsentStatuses = (said: Unsubscription | undefined): readonly EntryStatus[] =>
  saysWhy(said) ? [...UNSENT_STATUSES, 'out'] : UNSENT_STATUSES;
/** A run looks them up again, and sends a request only if they have changed. */
export const RECHECKED_STATUSES: readonly EntryStatus[] = ['out', 'unknown'];
export const OPEN_STATUSES: readonly EntryStatus[] = [...UNSENT_STATUSES, ...RECHECKED_STATUSES];
const FINISHED_STATUSES: readonly EntryStatus[] = [
  'unsubscribed',
  'recorded',
  'already',
  'missing',
  'refused',
  'failed',
];
export const UNDOABLE_STATUSES: readonly EntryStatus[] = ['unsubscribed', 'undoing'];
const UNDONE_STATUSES: readonly EntryStatus[] = ['resubscribed', 'undone', 'changed', 'unclear', 'undoFailed'];
type StatusCounts = Readonly<Record<EntryStatus, number>>;

/** Entries by status. */
type EntryCounts = { all: StatusCounts; selected: StatusCounts };

/** `counts` without the entries `before`, and with `after`. */
function recount(counts: EntryCounts, before: Iterable<BulkEntry>, after: Iterable<BulkEntry>): EntryCounts {
  const [all, selected] = [{ ...counts.all }, { ...counts.selected }];
  const add = (entry: BulkEntry, number: 1 | -1) => {
    const status = determineStatus(entry);
    all[status] += number;
    if (entry.isSelected) selected[status] += number;
  };
  for (const entry of before) add(entry, -1);
  for (const entry of after) add(entry, 1);
  return { all, selected };
}

const NONE = Object.fromEntries(entryStatuses.map((status) => [status, 0])) as StatusCounts;

export function countEntries(entries: Iterable<BulkEntry>): EntryCounts {
  return recount({ all: NONE, selected: NONE }, [], entries);
}

/** Entries that are not selected, and for which nothing was done. */
export const countLeftOut = ({ all, selected }: EntryCounts): number =>
  sumCounts(all, OPEN_STATUSES) - sumCounts(selected, OPEN_STATUSES);

/** What a check looks up: entries that were not checked yet or, if a run would send nothing, those that may have changed. */
export const statusesToCheck = ({ selected }: EntryCounts): readonly EntryStatus[] =>
  sumCounts(selected, UNSENT_STATUSES) > 0 ? ['unchecked'] : RECHECKED_STATUSES;

export const sumCounts = (counts: StatusCounts, statuses: readonly EntryStatus[]): number =>
  statuses.reduce((sum, status) => sum + counts[status], 0);

export function createOutcome(state: UnsubscribeOutcome['state'], at = new Date().toISOString()): UnsubscribeOutcome {
  return { state, uuid: null, request_id: null, why: null, at, wasLost: false };
}

export function createUndo(
  state: UndoOutcome['state'],
  request_id: string | null = null,
  why: string | null = null,
): UndoOutcome {
  return { state, request_id, why, at: new Date().toISOString() };
}

/** `refused` if the same request would get the same response again, else `failed`. */
export function toErrorOutcome(error: ApiError): UnsubscribeOutcome {
  const isRefusal = error.kind === 'input' || (error.kind === 'status' && !error.isTransient);
  return {
    ...createOutcome(isRefusal ? 'refused' : 'failed'),
    request_id: error.requestId ?? null,
    why: error.message,
  };
}

export type RunProgress = {
  done: number;
  total: number;
  /** Entries per second. */
  rate: number;
  /** Milliseconds until requests are sent again, after the service asked to wait. */
  waitMs: number;
  /** Whether the last request failed. */
  isFailing: boolean;
  /** Entries that the service keeps already, while the list is sent to it before the first request; else null. */
  kept: number | null;
};

/** Name of the file, or null for pasted text. */
type Source = { source: string | null };
/**
 * Of a run that was taken from the service, which lists only its contacts: how many entries it began with, and those that aren't listed.
 * `erased`: contacts that were erased since.
 */
export type KeptCounts = { entries: number; missing: number; duplicate: number; erased: number };

/**
 * Times are ISO 8601, by this computer's clock. `author`: who began it, if known. `run`: its name in the audit log, if the service logs runs.
 * `said`: why, and in which ticket, if anybody said.
 */
type Begun = Source & {
  kept?: KeptCounts | undefined;
  workspace: string;
  author?: string | null | undefined;
  began_at: string;
  run?: string | undefined;
  said?: Unsubscription | undefined;
  digest?: string | null | undefined;
};
/** `is_saved`: whether the receipt was downloaded. */
type Ended = Begun & { ended_at: string; is_saved: boolean };

/**
 * How a list was read. `notes`: sentences for the user. `column`: the heading of the table's column that was read. `digest`: SHA-256 of the
 * input, where the browser computes it.
 */
export type ListReading = Source & {
  notes: string[];
  column: string | null;
  digest?: string | null;
  question?: Question | undefined;
};
export type ReadList = ListReading & { entries: readonly ParsedEntry[] };

/** `workspace` is null if the service doesn't return it. `added`: entries added after reading. */
export type PlannedList = ListReading & { stage: 'plan'; workspace: string | null; added: number };
export type RunningList = Begun & { stage: 'run' };
type Undo = { reason: string; author?: string | null; began_at: string };
export type UndoneList = Ended & { stage: 'undo'; undo: Undo };
export type EndedList = Ended & {
  stage: 'ended';
  undo: (Undo & { ended_at: string }) | null;
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
  const said = list.stage === 'plan' ? undefined : list.said;
  return { left: sumCounts(counts.selected, unsentStatuses(said)), done: sumCounts(counts.all, FINISHED_STATUSES) };
}
