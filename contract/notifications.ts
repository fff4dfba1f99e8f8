import * as z from 'zod/mini';
import { ResponsibleParty } from './domains/responsibleParty.ts';
import { INCIDENT_KINDS } from './domains/domainHistory.ts';
import { SEVERITIES } from './domains/domainReport.ts';
import { pageOf } from './list.ts';
import { CONTROL_CHARACTERS } from '#contract/values/invisibleCharacters.ts';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { checkedText, isStorable, Timestamp, toReadableSchema, Uuid } from '#contract/values/field.ts';

// Who is told what: destinations with rules, and what was delivered to them.

export const DESTINATION_KINDS = ['webhook', 'mail'] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

export const MESSAGE_KINDS = [
  'incident_opened',
  'incident_closed',
  'incident_unstable',
  'digest',
  'heartbeat',
  'contact_unsubscribed',
  'contact_subscribed',
  'contact_erased',
  'test',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** `joined`: told with another message. `dropped`: over or accepted before it was told, or a week in which nothing happened. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'failed', 'joined', 'dropped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Which incidents. Each condition that's given must hold. */
export const Rule = z.strictObject({
  turns: z.optional(z.array(ResponsibleParty)),
  /** Domains, or all below one: `*.example.com`. */
  domains: z.optional(z.array(z.string())),
  kinds: z.optional(z.array(z.enum(INCIDENT_KINDS))),
  severities: z.optional(z.array(z.enum(SEVERITIES))),
});
export type Rule = z.infer<typeof Rule>;

/** What a destination gets. Of incidents, those for which one of `incidents` holds. */
export const Rules = z.strictObject({
  incidents: z.array(Rule),
  contact_changes: z.boolean(),
  /** A week's summary, unless nothing happened. */
  digest: z.boolean(),
  /** A message a day, also if nothing happened. */
  heartbeat: z.boolean(),
});
export type Rules = z.infer<typeof Rules>;

const Destination = z.strictObject({
  uuid: Uuid,
  kind: z.enum(DESTINATION_KINDS),
  name: z.string(),
  address: z.string(),
  rules: Rules,
  fallback: z.nullable(Uuid),
  /** Since when it gets nothing, and why; null while it does. */
  disabled_at: z.nullable(Timestamp),
  disabled_reason: z.nullable(z.string()),
  /** When the last of the older secrets ends; null without. */
  rotation_ends_at: z.nullable(Timestamp),
  /** Deliveries that wait, and that failed in the last seven days. */
  waiting: z.int(),
  failed: z.int(),
  last_delivered_at: z.nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Destination = z.infer<typeof Destination>;
/** Accepts any text as ID or timestamp. */
const ReadableDestination = toReadableSchema(Destination, fieldsOf(Destination));

export const DESTINATION_NAME_MAX = 100;
const Name = checkedText(
  z.trim(),
  z.minLength(1),
  z.maxLength(DESTINATION_NAME_MAX),
  z.refine((name) => !CONTROL_CHARACTERS.test(name), { params: { sentence: 'contains invisible characters.' } }),
);
const Address = checkedText(z.trim(), z.minLength(1), z.maxLength(2000), z.refine(isStorable));

export const listDestinations = {
  id: 'listDestinations',
  method: 'GET',
  path: '/v1/destinations',
  list: { sortable: [] },
  ...pageOf(Destination, ReadableDestination),
} as const satisfies Operation;

const WithSecret = z.strictObject({
  destination: Destination,
  /** Of a webhook: shown only now. */
  secret: z.nullable(z.string()),
});

/** 422 for an address that isn't public, or below a watched domain. */
export const createDestination = {
  id: 'createDestination',
  method: 'POST',
  path: '/v1/destinations',
  body: z.strictObject({
    kind: z.enum(DESTINATION_KINDS),
    name: Name,
    address: Address,
    rules: Rules,
    fallback: z.optional(z.nullable(Uuid)),
  }),
  ...dataOf(WithSecret, z.object({ destination: ReadableDestination, secret: z.nullable(z.string()) })),
} as const satisfies Operation;

/** Also switches it off, or on again. */
export const updateDestination = {
  id: 'updateDestination',
  method: 'POST',
  path: '/v1/destinations/{destination}',
  body: z.strictObject({
    name: z.optional(Name),
    rules: z.optional(Rules),
    fallback: z.optional(z.nullable(Uuid)),
    enabled: z.optional(z.boolean()),
  }),
  ...dataOf(Destination, ReadableDestination),
} as const satisfies Operation;

export const removeDestination = {
  id: 'removeDestination',
  method: 'DELETE',
  path: '/v1/destinations/{destination}',
  ...dataOf(Destination, ReadableDestination),
} as const satisfies Operation;

/** Makes another secret. The one before signs for another day, so messages are signed with both. 429 while three sign. */
export const rotateSecret = {
  id: 'rotateSecret',
  method: 'POST',
  path: '/v1/destinations/{destination}/secret',
  ...createDestinationResult(),
} as const satisfies Operation;

/** Sends a test message now, and says what came of it. 429 beyond ten a minute in a workspace. */
export const testDestination = {
  id: 'testDestination',
  method: 'POST',
  path: '/v1/destinations/{destination}/test',
  isSlow: true,
  ...dataOf(
    z.strictObject({ delivered: z.boolean(), detail: z.string() }),
    z.object({ delivered: z.boolean(), detail: z.string() }),
  ),
} as const satisfies Operation;

/** A message to a destination. */
const Delivery = z.strictObject({
  message: Uuid,
  destination: Uuid,
  kind: z.enum(MESSAGE_KINDS),
  /** What it's about, in a sentence without personal data. */
  title: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  created_at: Timestamp,
  /** The next attempt; null when it is over. */
  next_at: z.nullable(Timestamp),
  ended_at: z.nullable(Timestamp),
  error: z.nullable(z.string()),
});
export type Delivery = z.infer<typeof Delivery>;
const ReadableDelivery = toReadableSchema(Delivery, fieldsOf(Delivery));

/** Newest first. */
export const listDeliveries = {
  id: 'listDeliveries',
  method: 'GET',
  path: '/v1/destinations/{destination}/deliveries',
  list: { sortable: [], choices: { state: DELIVERY_STATES } },
  ...pageOf(Delivery, ReadableDelivery),
} as const satisfies Operation;

/** Delivers a message once more, under the same ID. 429 beyond ten a minute in a workspace. */
export const replayDelivery = {
  id: 'replayDelivery',
  method: 'POST',
  path: '/v1/destinations/{destination}/deliveries/{message}/replay',
  ...dataOf(Delivery, ReadableDelivery),
} as const satisfies Operation;

function createDestinationResult() {
  return dataOf(WithSecret, z.object({ destination: ReadableDestination, secret: z.nullable(z.string()) }));
}

function fieldsOf<Shape extends z.core.$ZodShape>({ shape }: z.ZodMiniObject<Shape, z.core.$strict>) {
  return Object.keys(shape) as (keyof Shape & string)[];
}
