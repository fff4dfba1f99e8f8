import * as z from 'zod/mini';
import { Contact } from './contact.ts';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { Attributes, Uuid } from '#contract/values/field.ts';

// What programs write. Results contain no stored data for the role `ingest`.

/** Events of one request. */
export const EVENTS_MAX = 1000;

/** Requires an identity in `attributes`, or a `uuid`. */
export const NewContact = z.strictObject({
  uuid: z.optional(Uuid),
  attributes: Attributes,
  /** Default: true. Never subscribes an existing contact. */
  subscribed: z.optional(z.boolean()),
});
export type NewContact = z.infer<typeof NewContact>;

const ContactReceipt = z.strictObject({ uuid: Uuid, created: z.boolean() });
/** For roles that read contacts. */
const CreatedContact = z.strictObject({ ...Contact.shape, created: z.boolean() });

/** `upsert` merges into the contact with the UUID or an identity. */
export const createContact = {
  id: 'createContact',
  method: 'POST',
  path: '/v1/contacts',
  parameters: z.object({ upsert: z.optional(z.enum(['', 'true', 'false'])) }),
  body: NewContact,
  ...dataOf(z.union([ContactReceipt, CreatedContact]), z.object(ContactReceipt.shape)),
} as const satisfies Operation;

const eventFields = {
  /** Identifies a repeat. */
  uuid: z.optional(Uuid),
  event_name: z.string(),
  /** Other clients send an object as JSON text. */
  attributes: z.optional(z.union([Attributes, z.string()])),
  /** ISO 8601 with its zone. Default: now. */
  created_at: z.optional(z.string()),
};
export const NewEvent = z.strictObject(eventFields);

/** `contact` is a UUID or an identity. */
export const NewEventOfContact = z.strictObject({ ...eventFields, contact: z.string() });

const EventReceipt = z.strictObject({ recorded: z.boolean() });

export const recordEvent = {
  id: 'recordEvent',
  method: 'POST',
  path: '/v1/contacts/{contact}/events',
  body: NewEvent,
  ...dataOf(EventReceipt, z.object(EventReceipt.shape)),
} as const satisfies Operation;

const FieldError = z.strictObject({ field: z.string(), message: z.string() });

/** `unchanged`: already recorded. `refused`: has errors. */
export const EventOutcome = z.strictObject({
  outcome: z.enum(['recorded', 'unchanged', 'refused']),
  /** The number of its line in the body, empty ones included, from 1; only for JSON lines. */
  line: z.optional(z.int()),
  errors: z.optional(z.array(FieldError)),
});
export type EventOutcome = z.infer<typeof EventOutcome>;

const EventCounts = z.strictObject({ recorded: z.int(), unchanged: z.int(), refused: z.int() });

export const recordEvents = {
  id: 'recordEvents',
  method: 'POST',
  path: '/v1/events',
  body: z.array(z.unknown()),
  linesMax: EVENTS_MAX,
  result: z.strictObject({ data: z.array(EventOutcome), meta: EventCounts }),
  reading: z.object({ data: z.array(z.object(EventOutcome.shape)), meta: z.object(EventCounts.shape) }),
} as const satisfies Operation;
