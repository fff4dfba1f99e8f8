import * as z from 'zod/mini';
import { Attributes, toReadableSchema, Timestamp, Uuid } from '#contract/values/field.ts';

const fields = {
  uuid: Uuid,
  subscribed: z.boolean(),
  attributes: Attributes,
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const Contact = z.strictObject(fields);
export type Contact = z.infer<typeof Contact>;

/** The result of an unsubscribe (docs/interface.md, 4.2). */
export const ContactWithProvider = z.strictObject({ ...fields, provider: z.string() });
export type ContactWithProvider = z.infer<typeof ContactWithProvider>;

export const ReadableContact = toReadableSchema(ContactWithProvider, ['uuid', 'subscribed']);
export type ReadableContact = z.infer<typeof ReadableContact>;

/** The keys to change. `null` removes a key (docs/gaps.md). */
export const ContactChange = z.strictObject({ attributes: Attributes });
export type ContactChange = z.infer<typeof ContactChange>;
