import * as z from 'zod/mini';
import { Attributes, toReadableSchema, Timestamp, Uuid } from '#contract/values/field.ts';

const fields = {
  uuid: Uuid,
  subscribed: z.boolean(),
  attributes: Attributes,
  created_at: Timestamp,
  updated_at: Timestamp,
};

/** Contact (docs/interface.md, 2). */
export const Contact = z.strictObject(fields);
export type Contact = z.infer<typeof Contact>;

/** The result of unsubscribe also has `provider` (docs/interface.md, 4.2), which is text always. */
export const ContactWithProvider = z.strictObject({ ...fields, provider: z.string() });
export type ContactWithProvider = z.infer<typeof ContactWithProvider>;

/** A contact as read from any service: only `uuid` and `subscribed` are required. */
export const ReadableContact = toReadableSchema(ContactWithProvider, ['uuid', 'subscribed']);
export type ReadableContact = z.infer<typeof ReadableContact>;

/** Body of the update (docs/interface.md, 4.1): the keys to change. `null` removes a key (our choice, docs/gaps.md). */
export const ContactChange = z.strictObject({ attributes: Attributes });
export type ContactChange = z.infer<typeof ContactChange>;
