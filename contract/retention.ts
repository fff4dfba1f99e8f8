import * as z from 'zod/mini';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { Timestamp } from '#contract/values/field.ts';

// What was deleted because of its age. In a file of its own, so that only the pages that say it load it.

/** `days`: after how many it's deleted, null where it's kept. `deleted_before`: what is older was or is being deleted, null for nothing. */
const part = { days: z.nullable(z.int()), deleted_before: z.nullable(Timestamp) };

export const Retention = z.strictObject({
  events: z.strictObject(part),
  /** `kept`: older entries that are still needed. */
  log: z.strictObject({ ...part, kept: z.int() }),
});
export type Retention = z.infer<typeof Retention>;

/** Every field may be missing. */
const ReadablePart = z.object({
  days: z.catch(z.nullable(z.number()), null),
  deleted_before: z.catch(z.nullable(z.string()), null),
});
const ReadableRetention = z.object({
  events: z.catch(z.nullable(ReadablePart), null),
  log: z.catch(z.nullable(z.object({ ...ReadablePart.shape, kept: z.catch(z.nullable(z.number()), null) })), null),
});

export const getRetention = {
  id: 'getRetention',
  method: 'GET',
  path: '/v1/retention',
  ...dataOf(Retention, ReadableRetention),
} as const satisfies Operation;
