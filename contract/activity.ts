import * as z from 'zod/mini';
import { dataOf, type Endpoint } from '#contract/openapi/endpoint.ts';
import { isStorable, Timestamp } from '#contract/values/field.ts';
import { listContactEvents } from './interface.ts';
import { SEARCH_MAX } from './list.ts';

// In a file of its own, so that only the page of a contact loads it.

export const STEPS = ['hour', 'day', 'week', 'month', 'year'] as const;
export type Step = (typeof STEPS)[number];

/** More is a 422. */
export const BUCKETS_MAX = 400;
/** The most frequent event names are counted one by one, the others together. */
export const NAMES_MAX = 20;

/** The service parses it: the console needs no more. */
const TimeText = z.string().check(z.meta({ format: 'date-time' }));

export const ActivityParameters = z.object({
  from: z.optional(TimeText),
  to: z.optional(TimeText),
  step: z.optional(z.enum(STEPS)),
  zone: z.optional(z.string().check(z.maxLength(64))),
  search: z.optional(z.string().check(z.maxLength(SEARCH_MAX), z.refine(isStorable))),
  event_name: z.optional(z.string().check(z.refine(isStorable))),
});
export type ActivityParameters = z.infer<typeof ActivityParameters>;

/** A matching event name with its events of all time. */
const CountedName = z.strictObject({ event_name: z.string(), count: z.number(), last_at: Timestamp });

const Bucket = z.strictObject({
  from: Timestamp,
  /** In the order of `names`. */
  counts: z.array(z.number()),
  /** Events of all other matching names. */
  others: z.number(),
  /** Matching events after this bucket: the offset of its newest event in the list. */
  newer: z.number(),
});

export const ContactActivity = z.strictObject({
  /** Of all events, whatever the search; null if there are none. */
  first_at: z.nullable(Timestamp),
  last_at: z.nullable(Timestamp),
  /** Matching the search, in all time. */
  total: z.number(),
  name_count: z.number(),
  names: z.array(CountedName),
  step: z.enum(STEPS),
  /** The end of the last bucket. */
  to: Timestamp,
  /** Without gaps, oldest first. */
  buckets: z.array(Bucket),
});
export type ContactActivity = z.infer<typeof ContactActivity>;

/** As read from any service. */
export const ReadableActivity = z.object({
  ...ContactActivity.shape,
  names: z.array(z.object(CountedName.shape)),
  buckets: z.array(z.object(Bucket.shape)),
});
export type ReadableActivity = z.infer<typeof ReadableActivity>;

/** A service that has it also accepts the filter of `filteredEvents`. */
export const getContactActivity = {
  id: 'getContactActivity',
  method: 'GET',
  path: '/v1/contacts/{contact}/activity',
  parameters: ActivityParameters,
  ...dataOf(ContactActivity, ReadableActivity),
} as const satisfies Endpoint;

/** `listContactEvents` with additions: with a filter by name. */
export const filteredEvents = {
  ...listContactEvents,
  list: { ...listContactEvents.list, texts: ['event_name'] },
} as const satisfies Endpoint;
