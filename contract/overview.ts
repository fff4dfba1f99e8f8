import * as z from 'zod/mini';
import { Actor, Change, ReadableActor } from './change.ts';
import { SUPPRESSION_REASONS } from './suppressions/suppression.ts';
import { dataOf, type Endpoint } from '#contract/openapi/endpoint.ts';
import { Timestamp, Uuid } from '#contract/values/field.ts';

// In a file of its own, so that only the start page loads it.

/** Today included. */
export const OVERVIEW_DAYS = 30;
/** The actors with the most unsubscribes are counted one by one, the others together. */
export const UNSUBSCRIBERS_MAX = 5;
export const CHANGE_GROUPS_MAX = 12;
/** Of each kind of change, this many of the newest are read and grouped. */
export const GROUPED_CHANGES_MAX = 500;
/** Earlier days with the same name that today is compared with. */
export const COMPARED_WEEKS = 4;

/** The service parses it: the console needs no more. */
const TimeText = z.string().check(z.meta({ format: 'date-time' }));

export const OverviewParameters = z.object({
  zone: z.optional(z.string().check(z.maxLength(64))),
  /** Changes before it are left out. */
  since: z.optional(TimeText),
});
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

/** Until the same time of the day: today, and on the days one to four weeks before. */
const Compared = z.strictObject({ today: z.int(), before: z.array(z.int()) });

const Today = z.strictObject({
  unsubscribed: Compared,
  /** By the reason they have now; null is no reason. They add up to `unsubscribed`. */
  reasons: z.array(z.strictObject({ reason: z.nullable(z.enum(SUPPRESSION_REASONS)), ...Compared.shape })),
});

/** Changes of the same kind, actor, list and day. Without values. */
const ChangeGroup = z.strictObject({
  action: Change.shape.action,
  actor: Actor,
  run: z.nullable(z.string()),
  changes: z.int(),
  /** How many contacts. */
  contacts: z.int(),
  /** The first of the changed fields. */
  fields: z.array(z.string()),
  /** The newest and the oldest of them. */
  last_at: Timestamp,
  first_at: Timestamp,
  /** Of one contact only: who it is. */
  contact: z.nullable(
    z.strictObject({
      uuid: Uuid,
      /** First and last name. */
      name: z.nullable(z.string()),
      /** Email, else phone. */
      address: z.nullable(z.string()),
    }),
  ),
});
export type ChangeGroup = z.infer<typeof ChangeGroup>;

export const Overview = z.strictObject({
  contacts: ContactCounts,
  /** Contacts that are unsubscribed now, by `since`: an import may say a day before it. */
  unsubscribes: Unsubscribes,
  today: Today,
  /** Newest first. If there are more, what people and their lists did before what programs did. */
  changes: z.array(ChangeGroup),
  /** Whether there are changes besides these. */
  has_more_changes: z.boolean(),
});
export type Overview = z.infer<typeof Overview>;

const ReadableOverview = z.object({
  contacts: z.object(ContactCounts.shape),
  unsubscribes: z.object({
    ...Unsubscribes.shape,
    by: z.array(z.object({ ...Unsubscriber.shape, actor: ReadableActor })),
    days: z.array(z.object(UnsubscribeDay.shape)),
  }),
  today: z.object({
    unsubscribed: z.object(Compared.shape),
    reasons: z.array(z.object({ ...Compared.shape, reason: z.nullable(z.string()) })),
  }),
  changes: z.array(
    z.object({
      ...ChangeGroup.shape,
      action: z.string(),
      actor: ReadableActor,
      contact: z.nullable(
        z.object({ uuid: z.string(), name: z.nullable(z.string()), address: z.nullable(z.string()) }),
      ),
    }),
  ),
  has_more_changes: z.boolean(),
});
export type ReadableOverview = z.infer<typeof ReadableOverview>;

export const getOverview = {
  id: 'getOverview',
  method: 'GET',
  path: '/v1/overview',
  parameters: OverviewParameters,
  ...dataOf(Overview, ReadableOverview),
} as const satisfies Endpoint;
