import * as z from 'zod/mini';
import { Actor, Change, REASON_MAX } from './change.ts';
import { Contact } from './contact.ts';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { Event } from './event.ts';
import { checkedText, isStorable, Timestamp, Uuid } from '#contract/values/field.ts';

// The rights of a person who is a contact: to have all that is kept about them, and to have it erased (GDPR articles 15 and 17). An
// addition in a file of its own, so that only the page of a contact loads it.

export const PERSON_FORMATS = ['json', 'html'] as const;
export type PersonFormat = (typeof PERSON_FORMATS)[number];

/** The number of a request, as in a ticket. */
export const REFERENCE_MAX = 100;
const IDENTITY_MAX = 1024;

/** Who made a change, without what is of no concern to the person: email addresses and IDs of staff. */
const PersonChange = z.strictObject({
  uuid: Uuid,
  action: Change.shape.action,
  created_at: Timestamp,
  actor: z.strictObject({ kind: Actor.shape.kind, name: z.nullable(z.string()) }),
  reason: Change.shape.reason,
  changes: Change.shape.changes,
});
export type PersonChange = z.infer<typeof PersonChange>;

/** Everything about a contact; changes and events oldest first. Events that were recorded while it was written may be among them. */
const PersonFile = z.strictObject({
  workspace: z.strictObject({ uuid: Uuid, name: z.string() }),
  written_at: Timestamp,
  contact: Contact,
  change_count: z.int(),
  event_count: z.int(),
  changes: z.array(PersonChange),
  events: z.array(Event),
});

/** Everything about a contact as one file: JSON, or a page that anybody can read. */
export const exportPerson = {
  id: 'exportPerson',
  method: 'GET',
  path: '/v1/contacts/{contact}/person',
  parameters: z.object({ format: z.optional(z.enum(PERSON_FORMATS)) }),
  isFile: true,
  result: PersonFile,
  // The console saves it as it comes.
  reading: z.object({}),
} as const satisfies Operation;

/** Lines of the log about others that name the person, or may: they had the identity, or a text mentions it. */
const UnclearLines = z.strictObject({
  kind: z.enum(['email', 'phone', 'custom']),
  value: z.string(),
  how: z.enum(['had', 'mentions']),
  log_lines: z.int(),
});
export type UnclearLines = z.infer<typeof UnclearLines>;

/**
 * What an erasure removes. `log_lines` are those that say something of the contact, `other_log_lines` those among them that are about
 * others and that the request names. `unclear` are the others of these, which stay. `has_more_identities` where it had so many that only the last
 * ones are looked for and refused.
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

/** What an erasure would remove. Nothing is changed. */
export const previewErasure = {
  id: 'previewErasure',
  method: 'GET',
  path: '/v1/contacts/{contact}/erasure',
  ...dataOf(ErasurePreview, z.object(ErasurePreview.shape)),
} as const satisfies Operation;

const text = (max: number) => checkedText(z.trim(), z.minLength(1), z.maxLength(max), z.refine(isStorable));

/** Values of `unclear` that a request names. */
const UNCLEAR_MAX = 100;

/**
 * `identity` is one of the contact's, or its UUID where it has none: so that nobody erases another contact than they mean. `also` are
 * identities of it whose unclear lines are emptied too.
 */
export const ErasureRequest = z.strictObject({
  identity: text(IDENTITY_MAX),
  reference: z.optional(text(REFERENCE_MAX)),
  reason: z.optional(text(REASON_MAX)),
  also: z.optional(z.array(text(IDENTITY_MAX)).check(z.maxLength(UNCLEAR_MAX))),
});
export type ErasureRequest = z.infer<typeof ErasureRequest>;

/** `is_complete` is false while events are still being deleted. Nobody sees them any more. */
const Erasure = z.strictObject({ ...ErasureCounts, erased_at: Timestamp, is_complete: z.boolean() });
const ReadableErasure = z.object({ ...ErasureCounts, is_complete: z.boolean() });
export type ReadableErasure = z.infer<typeof ReadableErasure>;

/** Erases a contact, and refuses its identities from then on. */
export const eraseContact = {
  id: 'eraseContact',
  method: 'POST',
  path: '/v1/contacts/{contact}/erasure',
  body: ErasureRequest,
  ...dataOf(Erasure, ReadableErasure),
} as const satisfies Operation;

const LiftRequest = z.strictObject({ identity: text(IDENTITY_MAX), reason: text(REASON_MAX) });

const Lift = z.strictObject({ lifted: z.boolean() });

/** Accepts the identities of an erased person again. False where nobody with this identity is refused. */
export const liftErasure = {
  id: 'liftErasure',
  method: 'POST',
  path: '/v1/erasures/lift',
  body: LiftRequest,
  ...dataOf(Lift, z.object(Lift.shape)),
} as const satisfies Operation;
