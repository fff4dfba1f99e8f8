import * as z from 'zod/mini';
import { Contact } from './contact.ts';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { Attributes, Uuid } from '#contract/values/field.ts';

// What programs write. The results say nothing that is stored to the role `ingest`, which reads nothing.

/** Events of one request. */
export const EVENTS_MAX = 1000;

/** An identity in `attributes` or a `uuid` is required. */
export const NewContact = z.strictObject({
  uuid: z.optional(Uuid),
  attributes: Attributes,
  /** True if not given. Never subscribes a contact that exists. */
  subscribed: z.optional(z.boolean()),
});
export type NewContact = z.infer<typeof NewContact>;

const ContactReceipt = z.strictObject({ uuid: Uuid, created: z.boolean() });
/** For a role that reads contacts. */
const CreatedContact = z.strictObject({ ...Contact.shape, created: z.boolean() });

/** Creates a contact; with `upsert` merges into the one that has its UUID or one of its identities. */
export const createContact = {
  id: 'createContact',
  method: 'POST',
  path: '/v1/contacts',
  parameters: z.object({ upsert: z.optional(z.enum(['', 'true', 'false'])) }),
  body: NewContact,
  ...dataOf(z.union([ContactReceipt, CreatedContact]), z.object(ContactReceipt.shape)),
} as const satisfies Operation;

const eventFields = {
  /** By this a repeat is recognized. */
  uuid: z.optional(Uuid),
  event_name: z.string(),
  /** An object, or the text of one in JSON, as other clients send it. */
  attributes: z.optional(z.union([Attributes, z.string()])),
  /** ISO 8601 with its zone; now if not given. */
  created_at: z.optional(z.string()),
};
export const NewEvent = z.strictObject(eventFields);

/** One of several; `contact` is a UUID or an identity. */
export const NewEventOfContact = z.strictObject({ ...eventFields, contact: z.string() });

const EventReceipt = z.strictObject({ recorded: z.boolean() });

/** Records one event. False is for an event that is recorded already. */
export const recordEvent = {
  id: 'recordEvent',
  method: 'POST',
  path: '/v1/contacts/{contact}/events',
  body: NewEvent,
  ...dataOf(EventReceipt, z.object(EventReceipt.shape)),
} as const satisfies Operation;

const FieldError = z.strictObject({ field: z.string(), message: z.string() });

/** What became of one event: `unchanged` is recorded already, `refused` is not and has errors. */
export const EventOutcome = z.strictObject({
  outcome: z.enum(['recorded', 'unchanged', 'refused']),
  /** The number of its line among all of the body, empty ones too, from 1; only where lines were sent. */
  line: z.optional(z.int()),
  errors: z.optional(z.array(FieldError)),
});
export type EventOutcome = z.infer<typeof EventOutcome>;

const EventCounts = z.strictObject({ recorded: z.int(), unchanged: z.int(), refused: z.int() });

/** Records up to `EVENTS_MAX` events, and gives an outcome for each, in their order. */
export const recordEvents = {
  id: 'recordEvents',
  method: 'POST',
  path: '/v1/events',
  body: z.array(z.unknown()),
  linesMax: EVENTS_MAX,
  result: z.strictObject({ data: z.array(EventOutcome), meta: EventCounts }),
  reading: z.object({ data: z.array(z.object(EventOutcome.shape)), meta: z.object(EventCounts.shape) }),
} as const satisfies Operation;
