import * as z from 'zod/mini';
import { ContactWithProvider, ReadableContact } from './contact.ts';
import type { Endpoint } from './endpoint.ts';
import { checkedText, isStorable, toReadableSchema, Timestamp, Uuid } from './field.ts';
import { pageSchema, readablePageSchema } from './list.ts';

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

/** Who changed a contact, when and how, newest first. */
export const listContactChanges = {
  id: 'listContactChanges',
  method: 'GET',
  path: '/v1/contacts/{contact}/changes',
  list: { sortable: [] },
  result: pageSchema(Change),
  reading: readablePageSchema(ReadableChange),
} as const satisfies Endpoint;

/** Subscribes an unsubscribed contact again. Idempotent. */
export const subscribeContact = {
  id: 'subscribeContact',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/contacts/{contact}/subscribe',
  body: Resubscription,
  result: z.strictObject({ data: ContactWithProvider }),
  reading: z.object({ data: ReadableContact }),
} as const satisfies Endpoint;
