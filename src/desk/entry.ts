import type { Tone } from '../ui/StatusBadge.tsx';

/** What was known of the contact before anything was sent. */
export type LookUpResult = {
  /** `exists`: a bare interface tells that there is such a contact, and no more. */
  state: 'subscribed' | 'unsubscribed' | 'exists' | 'unknown';
  /** What it answered to; null when nobody did. */
  value: string | null;
  uuid: string | null;
  /** ISO 8601, by this computer's clock. */
  at: string;
};

/** What became of the call. */
export type UnsubscribeOutcome = {
  /** `sent`: written down before the call; without an answer, it is sent again. */
  state: 'sent' | 'unsubscribed' | 'already' | 'missing' | 'refused' | 'failed';
  uuid: string | null;
  request_id: string | null;
  why: string | null;
  /** ISO 8601, by this computer's clock. */
  at: string;
};

/** One piece of what was pasted, and everything that became of it. */
export type DeskEntry = {
  /** Its place in the list, from 0. */
  index: number;
  /** The line of the text or the row of the table it stands in, from 1. */
  line: number;
  text: string;
  /** How it was read, or why it could not be. */
  as: string;
  /** What to find the contact by, tried in turn; none when it could not be read. */
  values: string[];
  /** The line that names the same contact first. */
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

/** What a call is addressed to: what is known to work, else the first of the values. */
export function pickContactIdentifier({ found, values }: DeskEntry): string {
  return found?.uuid ?? found?.value ?? values[0] ?? '';
}

/** Those a run sends a call for. */
export const UNSENT_STATUSES: readonly EntryStatus[] = ['unchecked', 'subscribed', 'exists', 'sent'];
/** Those an end has been written down for. */
export const FINISHED_STATUSES: readonly EntryStatus[] = ['unsubscribed', 'already', 'missing', 'refused', 'failed'];

export type StatusCounts = Record<EntryStatus, number>;

export function countByStatus(entries: readonly DeskEntry[]): StatusCounts {
  const tally = Object.fromEntries(entryStatuses.map((status) => [status, 0])) as StatusCounts;
  for (const entry of entries) tally[determineStatus(entry)] += 1;
  return tally;
}

export const sumCounts = (tally: StatusCounts, of: readonly EntryStatus[]): number =>
  of.reduce((sum, status) => sum + tally[status], 0);
