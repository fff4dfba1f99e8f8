import * as z from 'zod/mini';
import type { DeskList } from './deskState.ts';
import type { DeskEntry } from './entry.ts';

// A list as the journal keeps it.

const text = z.nullable(z.string());
// The notes, the column and the number of added entries are younger than the journal.
const plan = {
  source: text,
  workspace: text,
  notes: z.prefault(z.array(z.string()), []),
  column: z.prefault(text, null),
  added: z.prefault(z.number(), 0),
};
const begun = { source: text, workspace: z.string(), began_at: z.string(), run: z.optional(z.string()) };
const ended = { ...begun, ended_at: z.string(), is_saved: z.boolean() };
const undo = { reason: z.string(), began_at: z.string() };

const StoredList = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('plan'), ...plan }),
  z.object({ stage: z.literal('run'), ...begun }),
  z.object({ stage: z.literal('undo'), ...ended, undo: z.object(undo) }),
  z.object({
    stage: z.literal('ended'),
    ...ended,
    undo: z.nullable(z.object({ ...undo, ended_at: z.string() })),
  }),
]);

const StoredEntry = z.object({
  index: z.number(),
  line: z.number(),
  text: z.string(),
  source: text,
  leftOut: text,
  isTicked: z.boolean(),
  as: z.string(),
  values: z.array(z.string()),
  repeats: z.nullable(z.number()),
  found: z.nullable(
    z.object({
      state: z.enum(['subscribed', 'unsubscribed', 'exists', 'unknown']),
      value: text,
      uuid: text,
      at: z.string(),
    }),
  ),
  person: z.nullable(z.object({ name: z.string(), email: z.string(), company: z.string() })),
  outcome: z.nullable(
    z.object({
      state: z.enum(['sent', 'unsubscribed', 'already', 'missing', 'refused', 'failed']),
      uuid: text,
      request_id: text,
      why: text,
      at: z.string(),
      // Younger than the journal.
      sent_at: z.prefault(z.array(z.string()), []),
    }),
  ),
  // Younger than the journal.
  tries: z.optional(z.object({ sent: z.number(), errors: z.number() })),
  undo: z.nullable(
    z.object({
      state: z.enum(['sent', 'resubscribed', 'changed', 'unclear', 'failed']),
      request_id: text,
      why: text,
      at: z.string(),
    }),
  ),
});

/** Fields that are younger than the journal: a list from before an update is read as it was meant then. */
const LIST_BEFORE = { undo: null };
const ENTRY_BEFORE = { source: null, leftOut: null, isTicked: true, person: null, undo: null };

const StoredEntries = z.array(StoredEntry).check(z.refine((entries) => entries.every(({ index }, at) => index === at)));

/** The list and entries of a journal; null where this version cannot read them. */
export function readStoredList(contents: {
  list: unknown;
  entries: readonly unknown[];
}): { list: DeskList; entries: DeskEntry[] } | null {
  const list = StoredList.safeParse(spread(LIST_BEFORE, contents.list));
  const entries = StoredEntries.safeParse(contents.entries.map((entry) => spread(ENTRY_BEFORE, entry)));
  return list.success && entries.success ? { list: list.data, entries: entries.data } : null;
}

const spread = (before: object, stored: unknown): unknown =>
  typeof stored === 'object' && stored !== null ? { ...before, ...stored } : stored;
