import * as z from 'zod/mini';
import { dataOf, type Endpoint } from '#contract/openapi/endpoint.ts';
import { isStorable, Timestamp } from '#contract/values/field.ts';
import { listContactEvents } from './interface.ts';
import { SEARCH_MAX } from './list.ts';

// The activity of a contact: how many of its events there are in each part of a range of time. An addition in a file of its
// own, so that only the page of a contact loads it.

export const STEPS = ['hour', 'day', 'week', 'month', 'year'] as const;
export type Step = (typeof STEPS)[number];

/** A request for more buckets is a 422. */
export const BUCKETS_MAX = 400;
/** So many event names are counted one by one: the most frequent. The others are counted together. */
export const NAMES_MAX = 20;

/** Query parameters; all may be absent. `zone` is where days, weeks, months and years begin. */
export const ActivityParameters = z.object({
  from: z.optional(Timestamp),
  to: z.optional(Timestamp),
  step: z.optional(z.enum(STEPS)),
  zone: z.optional(z.string().check(z.maxLength(64))),
  search: z.optional(z.string().check(z.maxLength(SEARCH_MAX), z.refine(isStorable))),
  event_name: z.optional(z.string().check(z.refine(isStorable))),
});
export type ActivityParameters = z.infer<typeof ActivityParameters>;

/** An event name that matches the search, with its events of all time. */
const CountedName = z.strictObject({ event_name: z.string(), count: z.number(), last_at: Timestamp });

/** The events from a time to that of the next bucket. */
const Bucket = z.strictObject({
  from: Timestamp,
  /** For each of `names`, in the same order. */
  counts: z.array(z.number()),
  /** Events of all other names that match. */
  others: z.number(),
  /** How many matching events are after this bucket: its newest event has this offset in the list, newest first. */
  newer: z.number(),
});

export const ContactActivity = z.strictObject({
  /** The first and the last of all events of the contact, whatever the search; null when it has none. */
  first_at: z.nullable(Timestamp),
  last_at: z.nullable(Timestamp),
  /** Events and event names that match the search, in all time. */
  total: z.number(),
  name_count: z.number(),
  /** The most frequent names that match. */
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

/**
 * How many events a contact has in each part of a range of time, by name. A service that has it also takes the filter of
 * `filteredEvents`.
 */
export const getContactActivity = {
  id: 'getContactActivity',
  method: 'GET',
  path: '/v1/contacts/{contact}/activity',
  parameters: ActivityParameters,
  ...dataOf(ContactActivity, ReadableActivity),
} as const satisfies Endpoint;

/** `listContactEvents` as a service with additions serves it: with a filter by exactly one name. */
export const filteredEvents = {
  ...listContactEvents,
  list: { ...listContactEvents.list, texts: ['event_name'] },
} as const satisfies Endpoint;
