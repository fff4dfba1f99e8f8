import * as z from 'zod/mini';
import { Actor, Change, ReadableActor } from './change.ts';
import { dataOf, type Endpoint } from '#contract/openapi/endpoint.ts';
import { Timestamp, Uuid } from '#contract/values/field.ts';

// In a file of its own, so that only the start page loads it.

/** Today included. */
export const OVERVIEW_DAYS = 30;
/** The actors with the most unsubscribes are counted one by one, the others together. */
export const UNSUBSCRIBERS_MAX = 5;
export const LAST_CHANGES_MAX = 10;

export const OverviewParameters = z.object({ zone: z.optional(z.string().check(z.maxLength(64))) });
export type OverviewParameters = z.infer<typeof OverviewParameters>;

const ContactCounts = z.strictObject({ total: z.int(), subscribed: z.int() });

const Unsubscriber = z.strictObject({ actor: Actor, count: z.int() });

const UnsubscribeDay = z.strictObject({
  from: Timestamp,
  total: z.int(),
  /** In the order of `by`. */
  counts: z.array(z.int()),
});

const Unsubscribes = z.strictObject({
  total: z.int(),
  by: z.array(Unsubscriber),
  /** Without gaps, oldest first; the last is today. */
  days: z.array(UnsubscribeDay),
});

/** Without values. */
const LastChange = z.strictObject({
  uuid: Uuid,
  action: Change.shape.action,
  created_at: Timestamp,
  actor: Actor,
  fields: z.array(z.string()),
  contact: z.strictObject({
    uuid: Uuid,
    /** First and last name. */
    name: z.nullable(z.string()),
    /** Email, else phone. */
    address: z.nullable(z.string()),
  }),
});

export const Overview = z.strictObject({
  contacts: ContactCounts,
  /** Every change to unsubscribed, also if it was undone since. */
  unsubscribes: Unsubscribes,
  changes: z.array(LastChange),
});
export type Overview = z.infer<typeof Overview>;

const ReadableOverview = z.object({
  contacts: z.object(ContactCounts.shape),
  unsubscribes: z.object({
    ...Unsubscribes.shape,
    by: z.array(z.object({ ...Unsubscriber.shape, actor: ReadableActor })),
    days: z.array(z.object(UnsubscribeDay.shape)),
  }),
  changes: z.array(
    z.object({
      ...LastChange.shape,
      action: z.string(),
      actor: ReadableActor,
      contact: z.object(LastChange.shape.contact.shape),
    }),
  ),
});
export type ReadableOverview = z.infer<typeof ReadableOverview>;

export const getOverview = {
  id: 'getOverview',
  method: 'GET',
  path: '/v1/overview',
  parameters: OverviewParameters,
  ...dataOf(Overview, ReadableOverview),
} as const satisfies Endpoint;
