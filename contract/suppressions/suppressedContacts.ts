import * as z from 'zod/mini';
import { Actor, ReadableActor } from '#contract/change.ts';
import { Contact, ReadableContact } from '#contract/contact.ts';
import type { Operation } from '#contract/openapi/endpoint.ts';
import { Timestamp, toReadableSchema } from '#contract/values/field.ts';
import { pageOf } from '#contract/list.ts';
import { ReadableSuppression, Suppression, SUPPRESSION_ORIGINS, SUPPRESSION_REASONS } from './suppression.ts';

// In a file of its own, so that only its page loads it.

/** An unsubscribed contact, since when, by whom and why. */
export const SuppressedContact = z.strictObject({
  contact: Contact,
  ...Suppression.shape,
  actor: Actor,
  /** Of a contact that was imported unsubscribed, when it was created. */
  since: Timestamp,
  /**
   * When actor, origin and ticket were recorded: later than `since` if a reason replaced another, or an import said the day. Null of a contact
   * that was imported unsubscribed without a reason. Not said by older services.
   */
  recorded_at: z.nullable(Timestamp),
});
export type SuppressedContact = z.infer<typeof SuppressedContact>;

/** Accepts unknown words. */
const ReadableSuppressedContact = toReadableSchema(
  z.strictObject({
    ...SuppressedContact.shape,
    ...ReadableSuppression.shape,
    since: SuppressedContact.shape.since,
    contact: ReadableContact,
    actor: ReadableActor,
  }),
  ['contact'],
);

/** In filters, for what nobody said. */
export const UNKNOWN = 'unknown';

/** Newest first unless sorted. `actor` is a UUID, or the kind of an actor without one. */
export const listSuppressions = {
  id: 'listSuppressions',
  method: 'GET',
  path: '/v1/suppressions',
  list: {
    sortable: ['since'],
    choices: { reason: [...SUPPRESSION_REASONS, UNKNOWN], origin: [...SUPPRESSION_ORIGINS, UNKNOWN] },
    texts: ['actor'],
    times: ['from', 'to'],
  },
  ...pageOf(SuppressedContact, ReadableSuppressedContact),
} as const satisfies Operation;
