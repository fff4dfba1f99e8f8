import * as z from 'zod/mini';
import { Attributes, toReadableSchema, Timestamp, Uuid } from '#contract/values/field.ts';

export const Event = z.strictObject({
  uuid: Uuid,
  event_name: z.string(),
  attributes: Attributes,
  created_at: Timestamp,
});
export type Event = z.infer<typeof Event>;

export const ReadableEvent = toReadableSchema(Event, ['uuid']);
export type ReadableEvent = z.infer<typeof ReadableEvent>;
