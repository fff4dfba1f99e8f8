import * as z from 'zod/mini';
import { toReadableSchema, Timestamp, Uuid } from './field.ts';

// What the log of changes says of a contact, and the one write that needs a reason.

/** What one field was and became: `subscribed`, or `attributes.` and the key. Null where the key was or is not there. */
export const FieldChange = z.strictObject({ field: z.string(), before: z.unknown(), after: z.unknown() });
export type FieldChange = z.infer<typeof FieldChange>;

/** A change of a contact. An import has neither token nor request; a reason is given where subscribing demands one. */
export const Change = z.strictObject({
  uuid: Uuid,
  action: z.enum(['update', 'unsubscribe', 'subscribe', 'import']),
  created_at: Timestamp,
  token_name: z.nullable(z.string()),
  request_id: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  changes: z.array(FieldChange),
});
export type Change = z.infer<typeof Change>;

const ReadableFieldChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() });

/** A change as read from any service: another word for an action stays as it is. */
export const ReadableChange = toReadableSchema(
  z.strictObject({ ...Change.shape, action: z.string(), changes: z.array(ReadableFieldChange) }),
  ['uuid'],
);
export type ReadableChange = z.infer<typeof ReadableChange>;

export const REASON_MAX = 500;

/** Body of the call that subscribes somebody again. The reason is stored, so it holds only what a database can. */
export const Resubscription = z.strictObject({
  reason: z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(REASON_MAX),
    z.refine((text) => text.isWellFormed() && !text.includes('\u0000')),
  ),
});
