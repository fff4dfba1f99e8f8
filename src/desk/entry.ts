import { must } from '#contract/must.ts';
import type { Tone } from '../ui/StatusBadge.tsx';
import type { ApiError } from '../api/ApiError.ts';

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
  /** ISO 8601, by the clock of this computer. */
  at: string;
};

/** One contact named in the list, with its results. */
export type DeskEntry = {
  /** From 0. */
  index: number;
  /** Line of the text or row of the table, from 1. */
  line: number;
  text: string;
  /** The identity in words, or why there is none. */
  as: string;
  /** Identities to find the contact by, tried in turn; empty when the text has none. */
  values: string[];
  /** The line that names the same contact first; null when it is this one. */
  repeats: number | null;
  found: LookUpResult | null;
  outcome: UnsubscribeOutcome | null;
};

const STATUSES = {
  unchecked: { words: 'Not checked', tone: 'neutral' },
  subscribed: { words: 'Will unsubscribe', tone: 'wait' },
  exists: { words: 'Known', tone: 'wait' },
  out: { words: 'Already unsubscribed', tone: 'good' },
  unknown: { words: 'Unknown', tone: 'warn' },
  sent: { words: 'Under way', tone: 'wait' },
  unsubscribed: { words: 'Unsubscribed', tone: 'good' },
  already: { words: 'Was already', tone: 'good' },
  missing: { words: 'Not found', tone: 'warn' },
  refused: { words: 'Refused', tone: 'bad' },
  failed: { words: 'Failed', tone: 'bad' },
  duplicate: { words: 'Duplicate', tone: 'neutral' },
  unreadable: { words: 'Unreadable', tone: 'warn' },
} as const satisfies Record<string, { words: string; tone: Tone }>;

export type EntryStatus = keyof typeof STATUSES;
export const entryStatuses = Object.keys(STATUSES) as EntryStatus[];
export const formatStatus = (status: EntryStatus): string => STATUSES[status].words;
export const statusTone = (status: EntryStatus): Tone => STATUSES[status].tone;

export function determineStatus({ values, repeats, found, outcome }: DeskEntry): EntryStatus {
  if (values.length === 0) return 'unreadable';
  if (repeats !== null) return 'duplicate';
  if (outcome !== null) return outcome.state;
  if (found === null) return 'unchecked';
  return found.state === 'unsubscribed' ? 'out' : found.state;
}

/**
 * The identifier for a request: what has found the contact, or else the first of its values. Throws when it has none.
 */
export function pickContactIdentifier({ found, values }: DeskEntry): string {
  return found?.uuid ?? found?.value ?? must(values[0]);
}

/** Statuses of entries for which a run sends a request. */
export const UNSENT_STATUSES: readonly EntryStatus[] = ['unchecked', 'subscribed', 'exists', 'sent'];
/** Statuses of entries that a run has finished. */
export const FINISHED_STATUSES: readonly EntryStatus[] = ['unsubscribed', 'already', 'missing', 'refused', 'failed'];

export type StatusCounts = Record<EntryStatus, number>;

export function countByStatus(entries: readonly DeskEntry[]): StatusCounts {
  const counts = Object.fromEntries(entryStatuses.map((status) => [status, 0])) as StatusCounts;
  for (const entry of entries) counts[determineStatus(entry)] += 1;
  return counts;
}

export const sumCounts = (counts: StatusCounts, statuses: readonly EntryStatus[]): number =>
  statuses.reduce((sum, status) => sum + counts[status], 0);

/** An outcome without a contact, a request or a reason. `at` is ISO 8601. */
export function createOutcome(state: UnsubscribeOutcome['state'], at = new Date().toISOString()): UnsubscribeOutcome {
  return { state, uuid: null, request_id: null, why: null, at };
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
