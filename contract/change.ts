import * as z from 'zod/mini';
import { checkedText, isStorable, toReadableSchema, Timestamp, Uuid } from './field.ts';

// The change log of a contact, and the body of the only write that requires a reason.

/**
 * The change of one field: `subscribed`, or `attributes.` and the key. A value is null where the key does not exist.
 */
export const FieldChange = z.strictObject({ field: z.string(), before: z.unknown(), after: z.unknown() });
export type FieldChange = z.infer<typeof FieldChange>;

/**
 * A change of a contact. `token_name` and `request_id` are null for an import, `reason` where none was given: only a subscribe
 * requires one.
 */
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

/** A change as read from any service. Unknown actions are accepted. */
export const ReadableChange = toReadableSchema(
  z.strictObject({ ...Change.shape, action: z.string(), changes: z.array(ReadableFieldChange) }),
  ['uuid'],
);
export type ReadableChange = z.infer<typeof ReadableChange>;

export const REASON_MAX = 500;

/** Body of `subscribeContact`. The reason may contain only characters that a database can store. */
export const Resubscription = z.strictObject({
  reason: checkedText(z.trim(), z.minLength(1), z.maxLength(REASON_MAX), z.refine(isStorable)),
});
