import * as z from 'zod/mini';
import { Actor, ReadableActor } from '#contract/change.ts';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { Timestamp, toReadableSchema, Uuid } from '#contract/values/field.ts';

// Unsubscribes that were perhaps nobody's will: security scanners of an organisation follow each link of a message. In a file of its own, so
// that only the pages that show them load it.

const BurstContact = z.strictObject({
  uuid: Uuid,
  name: z.nullable(z.string()),
  address: z.string(),
  /** Names of events since by which a rule unsubscribes, or that speak of complaints, bounces or unsubscribes. */
  events_since: z.array(z.string()),
  /** When it was unsubscribed once more, after the seconds of the group. Not said by older services. */
  again_at: z.optional(z.nullable(Timestamp)),
});

/** Contacts with addresses of one organisation that were unsubscribed within seconds, and still are. */
export const UnsubscribeBurst = z.strictObject({
  /** Of their addresses. */
  domain: z.string(),
  actor: Actor,
  from: Timestamp,
  to: Timestamp,
  contacts: z.array(BurstContact),
});
export type UnsubscribeBurst = z.infer<typeof UnsubscribeBurst>;

/** Accepts unknown kinds of actors, and any text as a time. */
const ReadableBurst = toReadableSchema(
  z.strictObject({
    ...UnsubscribeBurst.shape,
    actor: ReadableActor,
    contacts: z.array(z.object({ ...BurstContact.shape, again_at: z.optional(z.nullable(z.string())) })),
  }),
  ['domain', 'contacts'],
);
export type ReadableBurst = z.infer<typeof ReadableBurst>;

/** Of the last `BURST_DAYS`, newest first. */
export const listUnsubscribeBursts = {
  id: 'listUnsubscribeBursts',
  method: 'GET',
  path: '/v1/unsubscribe-bursts',
  ...dataOf(z.array(UnsubscribeBurst), z.array(ReadableBurst)),
} as const satisfies Operation;
