import { must } from '#contract/values/must.ts';
import type { Tone } from '../ui/values/StatusBadge.tsx';
import type { ApiError } from '../api/ApiError.ts';
import type { Person } from '../identity/person.ts';
import type { ParsedEntry } from '../listParser/readEntries.ts';

/** The state of a contact before the run. */
export type LookUpResult = {
  /** `exists`: the service has no operation that reads the contact. `unknown`: there is no such contact. */
  state: 'subscribed' | 'unsubscribed' | 'exists' | 'unknown';
  /** The value that found the contact; null when none did. */
  value: string | null;
  uuid: string | null;
  /** ISO 8601, by the clock of this computer. */
  at: string;
};

/** The result of the request for an entry. */
export type UnsubscribeOutcome = {
  /** `sent`: saved before the request; without a response, the request is sent again. */
  state: 'sent' | 'unsubscribed' | 'already' | 'missing' | 'refused' | 'failed';
  uuid: string | null;
  request_id: string | null;
  why: string | null;
  /** ISO 8601, by the clock of this computer; by that of the service where its log had to tell. */
  at: string;
  /** Whether a request that got no response may have done it. */
  wasLost: boolean;
};

/** The result of undoing what the run did to the contact of an entry. */
export type UndoOutcome = {
  /**
   * `sent`: saved before the request, and decided again without a response. `changed`: the last change of the
   * subscription is younger than the run, so the contact was left as it is. `unclear`: the contact was left unsubscribed,
   * because nothing proves that the run has done it.
   */
  state: 'sent' | 'resubscribed' | 'changed' | 'unclear' | 'failed';
  request_id: string | null;
  why: string | null;
  /** ISO 8601, by the clock of this computer. */
  at: string;
};

/** An entry as it was read. */
export type ReadEntry = ParsedEntry;

/** An entry with its results. */
export type DeskEntry = ReadEntry & {
  /** Whether a run processes it. */
  isTicked: boolean;
  found: LookUpResult | null;
  /** Who the contact is, as the service last said; null before. */
  person: Person | null;
  outcome: UnsubscribeOutcome | null;
  undo: UndoOutcome | null;
};

/** The entry before anything is done with it. What is left out is not ticked. */
export function createEntry(read: ReadEntry): DeskEntry {
  return { ...read, isTicked: read.leftOut === null, found: null, person: null, outcome: null, undo: null };
}

const STATUSES = {
  unchecked: { words: 'Not checked', tone: 'neutral' },
  subscribed: { words: 'Subscribed', tone: 'wait' },
  exists: { words: 'Known', tone: 'wait' },
  out: { words: 'Already unsubscribed', tone: 'good' },
  unknown: { words: 'Not found', tone: 'warn' },
  sent: { words: 'Unconfirmed', tone: 'wait' },
  unsubscribed: { words: 'Unsubscribed', tone: 'good' },
  already: { words: 'Already unsubscribed', tone: 'good' },
  missing: { words: 'Not found', tone: 'warn' },
  refused: { words: 'Refused', tone: 'bad' },
  failed: { words: 'Failed', tone: 'bad' },
  undoing: { words: 'Undo unconfirmed', tone: 'wait' },
  resubscribed: { words: 'Subscribed again', tone: 'good' },
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
  changed: 'changed',
  unclear: 'unclear',
  failed: 'undoFailed',
} as const satisfies Record<UndoOutcome['state'], EntryStatus>;

export function determineStatus({ values, repeats, found, outcome, undo }: DeskEntry): EntryStatus {
  if (values.length === 0) return 'unreadable';
  if (repeats !== null) return 'duplicate';
  if (undo !== null) return UNDO_STATUSES[undo.state];
  if (outcome !== null) return outcome.state;
  if (found === null) return 'unchecked';
  return found.state === 'unsubscribed' ? 'out' : found.state;
}

/** Whether a tick at the entry changes what a run does. */
export const isSelectable = (entry: DeskEntry): boolean => entry.values.length > 0 && entry.repeats === null;

/**
 * The identifier for a request: what has found the contact, or else the first of its values. Throws when it has none.
 */
export function pickContactIdentifier({ found, values }: DeskEntry): string {
  return found?.uuid ?? found?.value ?? must(values[0]);
}

/** Statuses of entries for which a run sends a request. */
export const UNSENT_STATUSES: readonly EntryStatus[] = ['unchecked', 'subscribed', 'exists', 'sent'];
/** Whether a run sends a request for the entry. */
export const isToSend = (entry: DeskEntry): boolean =>
  entry.isTicked && UNSENT_STATUSES.includes(determineStatus(entry));
/** Statuses of entries that are looked up again: a run sends a request only where they have changed since. */
export const RECHECKED_STATUSES: readonly EntryStatus[] = ['out', 'unknown'];
/** Statuses of entries that a run processes. */
export const OPEN_STATUSES: readonly EntryStatus[] = [...UNSENT_STATUSES, ...RECHECKED_STATUSES];
/** Statuses of entries that a run has finished. */
export const FINISHED_STATUSES: readonly EntryStatus[] = ['unsubscribed', 'already', 'missing', 'refused', 'failed'];
/** Statuses of entries that an undo still has to process. */
export const UNDOABLE_STATUSES: readonly EntryStatus[] = ['unsubscribed', 'undoing'];
/** Statuses of entries that an undo has finished. */
export const UNDONE_STATUSES: readonly EntryStatus[] = ['resubscribed', 'changed', 'unclear', 'undoFailed'];
export type StatusCounts = Readonly<Record<EntryStatus, number>>;

/** Entries by status: all, and those that are ticked. */
export type EntryCounts = { all: StatusCounts; ticked: StatusCounts };

/** `counts` without the entries `before`, and with `after`. */
export function recount(counts: EntryCounts, before: Iterable<DeskEntry>, after: Iterable<DeskEntry>): EntryCounts {
  const [all, ticked] = [{ ...counts.all }, { ...counts.ticked }];
  const add = (entry: DeskEntry, number: 1 | -1) => {
    const status = determineStatus(entry);
    all[status] += number;
    if (entry.isTicked) ticked[status] += number;
  };
  for (const entry of before) add(entry, -1);
  for (const entry of after) add(entry, 1);
  return { all, ticked };
}

const NONE = Object.fromEntries(entryStatuses.map((status) => [status, 0])) as StatusCounts;

export function countEntries(entries: Iterable<DeskEntry>): EntryCounts {
  return recount({ all: NONE, ticked: NONE }, [], entries);
}

/** Statuses of entries that a check looks up: those not checked yet or, where a run would send nothing, those that may have changed. */
export const statusesToCheck = ({ ticked }: EntryCounts): readonly EntryStatus[] =>
  sumCounts(ticked, UNSENT_STATUSES) > 0 ? ['unchecked'] : RECHECKED_STATUSES;

export const sumCounts = (counts: StatusCounts, statuses: readonly EntryStatus[]): number =>
  statuses.reduce((sum, status) => sum + counts[status], 0);

/** An outcome without a contact, a request or a reason. `at` is ISO 8601. */
export function createOutcome(state: UnsubscribeOutcome['state'], at = new Date().toISOString()): UnsubscribeOutcome {
  return { state, uuid: null, request_id: null, why: null, at, wasLost: false };
}

/** `at` is now. */
export function createUndo(
  state: UndoOutcome['state'],
  request_id: string | null = null,
  why: string | null = null,
): UndoOutcome {
  return { state, request_id, why, at: new Date().toISOString() };
}

/** `refused` where the same request would be answered the same way again, else `failed`. */
export function toErrorOutcome(error: ApiError): UnsubscribeOutcome {
  const isRefusal = error.kind === 'input' || (error.kind === 'status' && !error.isTransient);
  return {
    ...createOutcome(isRefusal ? 'refused' : 'failed'),
    request_id: error.requestId ?? null,
    why: error.message,
  };
}
