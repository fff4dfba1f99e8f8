import type { Tone } from '../ui/StatusBadge.tsx';

/** What was known of the contact before anything was sent. */
export type Found = {
  /** `exists`: a bare interface tells that there is such a contact, and no more. */
  state: 'subscribed' | 'unsubscribed' | 'exists' | 'unknown';
  /** What it answered to; null when nobody did. */
  value: string | null;
  uuid: string | null;
  /** ISO 8601, by this computer's clock. */
  at: string;
};

/** What became of the call. */
export type Outcome = {
  /** `sent`: written down before the call; without an answer, it is sent again. */
  state: 'sent' | 'unsubscribed' | 'already' | 'missing' | 'refused' | 'failed';
  uuid: string | null;
  request_id: string | null;
  why: string | null;
  /** ISO 8601, by this computer's clock. */
  at: string;
};

/** One piece of what was pasted, and everything that became of it. */
export type Entry = {
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
  found: Found | null;
  outcome: Outcome | null;
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

export type Status = keyof typeof STATUSES;
export const statuses = Object.keys(STATUSES) as Status[];
export const statusWords = (status: Status): string => STATUSES[status].words;
export const statusTone = (status: Status): Tone => STATUSES[status].tone;

export function statusOf({ values, repeats, found, outcome }: Entry): Status {
  if (values.length === 0) return 'unreadable';
  if (repeats !== null) return 'duplicate';
  if (outcome !== null) return outcome.state;
  if (found === null) return 'unchecked';
  return found.state === 'unsubscribed' ? 'out' : found.state;
}

/** What a call is addressed to: what is known to work, else the first of the values. */
export function valueOf({ found, values }: Entry): string {
  return found?.uuid ?? found?.value ?? values[0] ?? '';
}

/** Those a run sends a call for. */
export const TO_SEND: readonly Status[] = ['unchecked', 'subscribed', 'exists', 'sent'];
/** Those an end has been written down for. */
export const ENDED: readonly Status[] = ['unsubscribed', 'already', 'missing', 'refused', 'failed'];

export type Tally = Record<Status, number>;

export function tallyOf(entries: readonly Entry[]): Tally {
  const tally = Object.fromEntries(statuses.map((status) => [status, 0])) as Tally;
  for (const entry of entries) tally[statusOf(entry)] += 1;
  return tally;
}

export const sumOf = (tally: Tally, of: readonly Status[]): number =>
  of.reduce((sum, status) => sum + tally[status], 0);
