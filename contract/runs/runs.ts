import * as z from 'zod/mini';
import { Actor, ReadableActor } from '#contract/change.ts';
import { pageOf } from '#contract/list.ts';
import { SUPPRESSION_REASONS, Unsubscription } from '#contract/suppressions/suppression.ts';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { Timestamp, toReadableSchema, Uuid } from '#contract/values/field.ts';

// Bulk runs that the service keeps. In a file of its own, so that only the page of bulk unsubscribes loads it.

/** After so many days a run is deleted, with its contacts. What it changed stays in the log. */
export const RUN_DAYS = 30;
/** How many contacts one run may name. */
export const RUN_ENTRIES_MAX = 500_000;
/** Entries of one request. */
export const ENTRIES_AT_ONCE = 500;

/**
 * `incomplete`: entries are missing. `waiting`: more contacts than run without approval. `open`: contacts are left, of an import whose
 * undo began those to set back. `undone`: some were subscribed again, or an import was undone as a whole.
 */
export const RUN_STATES = ['incomplete', 'waiting', 'open', 'finished', 'undone'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** What else a column of an imported file may be chosen for: who is subscribed or unsubscribed, by yes and no, since when and why. */
export const CHOSEN_USES = ['subscribed', 'unsubscribed', 'since', 'reason'] as const;

/**
 * Of a run that imports contacts: counts of its rows. `file` is the name of its file, null if it had none; `source` says which export it
 * is, and `mapping` what was chosen for columns.
 */
const ImportOfRun = z.strictObject({
  file: z.nullable(z.string()),
  source: z.string(),
  mapping: z.array(
    z.strictObject({ column: z.int(), attribute: z.nullable(z.string()), to: z.optional(z.enum(CHOSEN_USES)) }),
  ),
  added: z.int(),
  /** Of those added. Not said by older services. */
  added_unsubscribed: z.optional(z.int()),
  changed: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  /** Contacts that it changed, and how many of them its undo has gone through; null before an undo. */
  undo: z.nullable(z.strictObject({ done: z.int(), contacts: z.int() })),
});
export type ImportOfRun = z.infer<typeof ImportOfRun>;

/** Counts are of contacts. What the run changed is counted in the log. Entries of an import are its rows. */
export const BulkRun = z.strictObject({
  uuid: Uuid,
  state: z.enum(RUN_STATES),
  author: Actor,
  started_at: Timestamp,
  /** SHA-256 of the input, in hexadecimal. */
  digest: z.nullable(z.string()),
  reason: z.nullable(z.enum(SUPPRESSION_REASONS)),
  ticket: z.nullable(z.string()),
  /** Entries of the list, and how many of them the service has. */
  entries: z.int(),
  received: z.int(),
  contacts: z.int(),
  /** Entries that are no contact. */
  missing: z.int(),
  unsubscribed: z.int(),
  /** Unsubscribed before; the run recorded what it says of why, also if an earlier reason stays. An undo leaves it. */
  recorded: z.int(),
  /** Unsubscribed, but not by this run. */
  already: z.int(),
  /** Also unsubscribed ones, if the run has a stronger reason than theirs. */
  left: z.int(),
  /** Subscribed again by the run's undo. */
  resubscribed: z.int(),
  approved_by: z.nullable(Actor),
  approved_at: z.nullable(Timestamp),
  /** Null for a bulk unsubscribe. */
  imported: z.nullable(ImportOfRun),
  /** When it is deleted. */
  deleted_at: Timestamp,
});
export type BulkRun = z.infer<typeof BulkRun>;

/** Accepts unknown words. */
export const ReadableBulkRun = toReadableSchema(
  z.strictObject({
    ...BulkRun.shape,
    state: z.string(),
    author: ReadableActor,
    reason: z.nullable(z.string()),
    approved_by: z.nullable(ReadableActor),
  }),
  ['uuid', 'entries', 'received'],
);
export type ReadableBulkRun = z.infer<typeof ReadableBulkRun>;

/** A repeat changes nothing. A request of the run carries its UUID in the header `sendroom-run`. */
export const startRun = {
  id: 'startRun',
  method: 'POST',
  path: '/v1/runs',
  body: z.strictObject({
    uuid: Uuid,
    entries: z.int().check(z.minimum(1), z.maximum(RUN_ENTRIES_MAX)),
    digest: z.optional(z.nullable(z.string().check(z.regex(/^[0-9a-f]{64}$/)))),
    reason: Unsubscription.shape.reason,
    ticket: Unsubscription.shape.ticket,
  }),
  ...dataOf(BulkRun, ReadableBulkRun),
} as const satisfies Operation;

const ReceivedEntries = z.strictObject({ received: z.int(), contacts: z.int(), missing: z.int() });
export type ReceivedEntries = z.infer<typeof ReceivedEntries>;

/** Each entry is the values that may name its contact, the first that does counts. They aren't stored. */
export const addRunEntries = {
  id: 'addRunEntries',
  method: 'POST',
  path: '/v1/runs/{run}/entries',
  body: z.strictObject({
    /** How many entries came before. */
    from: z.int().check(z.minimum(0), z.maximum(RUN_ENTRIES_MAX)),
    entries: z.array(z.array(z.string()).check(z.maxLength(50))).check(z.minLength(1), z.maxLength(ENTRIES_AT_ONCE)),
  }),
  ...dataOf(ReceivedEntries, z.object(ReceivedEntries.shape)),
} as const satisfies Operation;

/** Newest first. */
export const listRuns = {
  id: 'listRuns',
  method: 'GET',
  path: '/v1/runs',
  list: { sortable: [], texts: ['run', 'digest'] },
  ...pageOf(BulkRun, ReadableBulkRun),
} as const satisfies Operation;

const RUN_CONTACT_STATES = ['left', 'already', 'recorded', 'unsubscribed', 'resubscribed'] as const;

/** A contact of a run, and what the run did with it. */
const RunContact = z.strictObject({
  uuid: Uuid,
  name: z.nullable(z.string()),
  /** Email, else phone. */
  address: z.nullable(z.string()),
  state: z.enum(RUN_CONTACT_STATES),
  /** Of the run's unsubscribe, or of what it recorded. */
  request_id: z.nullable(z.string()),
  at: z.nullable(Timestamp),
  undone_at: z.nullable(Timestamp),
  /** Of the undo. */
  undo_request_id: z.nullable(z.string()),
});
export type RunContact = z.infer<typeof RunContact>;
const ReadableRunContact = toReadableSchema(z.strictObject({ ...RunContact.shape, state: z.string() }), ['uuid']);
export type ReadableRunContact = z.infer<typeof ReadableRunContact>;

/** By UUID. */
export const listRunContacts = {
  id: 'listRunContacts',
  method: 'GET',
  path: '/v1/runs/{run}/contacts',
  list: { sortable: [] },
  ...pageOf(RunContact, ReadableRunContact),
} as const satisfies Operation;

/** By another person than the one who started it. */
export const approveRun = {
  id: 'approveRun',
  method: 'POST',
  path: '/v1/runs/{run}/approval',
  ...dataOf(BulkRun, ReadableBulkRun),
} as const satisfies Operation;

/** A run of more contacts waits for approval; null if none does. */
const RunSettings = z.strictObject({ approval_above: z.nullable(z.int()) });

export const getRunSettings = {
  id: 'getRunSettings',
  method: 'GET',
  path: '/v1/run-settings',
  ...dataOf(RunSettings, z.object(RunSettings.shape)),
} as const satisfies Operation;

export const updateRunSettings = {
  id: 'updateRunSettings',
  method: 'POST',
  path: '/v1/run-settings',
  body: z.strictObject({
    approval_above: z.nullable(z.int().check(z.minimum(1), z.maximum(RUN_ENTRIES_MAX))),
  }),
  ...dataOf(RunSettings, z.object(RunSettings.shape)),
} as const satisfies Operation;
