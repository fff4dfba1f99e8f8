import * as z from 'zod/mini';
import { Actor, Change, REASON_MAX } from './change.ts';
import { Contact } from './contact.ts';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { Event } from './event.ts';
import { checkedText, isStorable, Timestamp, Uuid } from '#contract/values/field.ts';

// Export and erasure of personal data (GDPR articles 15 and 17). In a file of its own, so that only the page of a contact loads it.

export const PERSON_FORMATS = ['json', 'html'] as const;
export type PersonFormat = (typeof PERSON_FORMATS)[number];

/** For example a ticket number. */
export const REFERENCE_MAX = 100;
const IDENTITY_MAX = 1024;

/** Without email addresses and IDs of staff. */
const PersonChange = z.strictObject({
  uuid: Uuid,
  action: Change.shape.action,
  created_at: Timestamp,
  actor: z.strictObject({ kind: Actor.shape.kind, name: z.nullable(z.string()) }),
  reason: Change.shape.reason,
  suppression: Change.shape.suppression,
  changes: Change.shape.changes,
});
export type PersonChange = z.infer<typeof PersonChange>;

/** Changes and events are oldest first. Events recorded while it is written may be included. */
const PersonFile = z.strictObject({
  workspace: z.strictObject({ uuid: Uuid, name: z.string() }),
  written_at: Timestamp,
  contact: Contact,
  change_count: z.int(),
  event_count: z.int(),
  /** Older ones were deleted because of their age; null where none were. */
  deleted_before: z.strictObject({ changes: z.nullable(Timestamp), events: z.nullable(Timestamp) }),
  changes: z.array(PersonChange),
  events: z.array(Event),
});

export const exportPerson = {
  id: 'exportPerson',
  method: 'GET',
  path: '/v1/contacts/{contact}/person',
  parameters: z.object({ format: z.optional(z.enum(PERSON_FORMATS)) }),
  isFile: true,
  result: PersonFile,
  // The console saves it unread.
  reading: z.object({}),
} as const satisfies Operation;

/** Audit log entries about others with an identity of the person: the contact had it, or a text mentions it. */
const UnclearLines = z.strictObject({
  kind: z.enum(['email', 'phone', 'custom']),
  value: z.string(),
  how: z.enum(['had', 'mentions']),
  log_lines: z.int(),
});
export type UnclearLines = z.infer<typeof UnclearLines>;

/**
 * `other_log_lines`: those of `log_lines` about others that the request lists. `unclear`: the rest of these, which stay.
 * `has_more_identities`: only the last identities are searched and refused.
 */
const ErasureCounts = {
  identities: z.int(),
  has_more_identities: z.boolean(),
  events: z.int(),
  changes: z.int(),
  log_lines: z.int(),
  other_log_lines: z.int(),
  unclear: z.array(UnclearLines),
};
const ErasurePreview = z.strictObject(ErasureCounts);
export type ErasurePreview = z.infer<typeof ErasurePreview>;

export const previewErasure = {
  id: 'previewErasure',
  method: 'GET',
  path: '/v1/contacts/{contact}/erasure',
  ...dataOf(ErasurePreview, z.object(ErasurePreview.shape)),
} as const satisfies Operation;

const text = (max: number) => checkedText(z.trim(), z.minLength(1), z.maxLength(max), z.refine(isStorable));

const UNCLEAR_MAX = 100;

/** `identity` is one of the contact's, or its UUID if it has none. `also`: identities whose unclear entries are erased too. */
export const ErasureRequest = z.strictObject({
  identity: text(IDENTITY_MAX),
  reference: z.optional(text(REFERENCE_MAX)),
  reason: z.optional(text(REASON_MAX)),
  also: z.optional(z.array(text(IDENTITY_MAX)).check(z.maxLength(UNCLEAR_MAX))),
});
export type ErasureRequest = z.infer<typeof ErasureRequest>;

/** `is_complete` is false while events, already inaccessible, are being deleted. */
const Erasure = z.strictObject({ ...ErasureCounts, erased_at: Timestamp, is_complete: z.boolean() });
const ReadableErasure = z.object({ ...ErasureCounts, is_complete: z.boolean() });
export type ReadableErasure = z.infer<typeof ReadableErasure>;

export const eraseContact = {
  id: 'eraseContact',
  method: 'POST',
  path: '/v1/contacts/{contact}/erasure',
  body: ErasureRequest,
  ...dataOf(Erasure, ReadableErasure),
} as const satisfies Operation;

const LiftRequest = z.strictObject({ identity: text(IDENTITY_MAX), reason: text(REASON_MAX) });

const Lift = z.strictObject({ lifted: z.boolean() });

export const liftErasure = {
  id: 'liftErasure',
  method: 'POST',
  path: '/v1/erasures/lift',
  body: LiftRequest,
  ...dataOf(Lift, z.object(Lift.shape)),
} as const satisfies Operation;
