import * as z from 'zod/mini';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { checkedText, isStorable, Timestamp, toReadableSchema, Uuid } from '#contract/values/field.ts';
import { SUPPRESSION_REASONS } from './suppression.ts';

// Events that unsubscribe their contact, such as a complaint. In a file of its own, so that only its dialog loads it.

/** Rules of a workspace: some for each program that sends. */
export const EVENT_RULES_MAX = 20;
export const EVENT_NAME_MAX = 255;
const Name = checkedText(z.trim(), z.minLength(1), z.maxLength(EVENT_NAME_MAX), z.refine(isStorable));

const ruleFields = {
  /** As in the event, letter case included. */
  event_name: Name,
  /** Only events with this value in this attribute, whatever its letter case; null for all of them. */
  condition: z.nullable(z.strictObject({ attribute: Name, value: Name })),
  /** Of the unsubscribe. */
  reason: z.enum(SUPPRESSION_REASONS),
};

/** Events of this name unsubscribe their contact, if they happen after the rule was made. */
export const EventRule = z.strictObject({ uuid: Uuid, ...ruleFields, created_at: Timestamp });
export type EventRule = z.infer<typeof EventRule>;

/** Accepts unknown reasons. */
const ReadableEventRule = toReadableSchema(z.strictObject({ ...EventRule.shape, reason: z.string() }), ['uuid']);
export type ReadableEventRule = z.infer<typeof ReadableEventRule>;

const EventRules = dataOf(z.array(EventRule), z.array(ReadableEventRule));

/** Oldest first. */
export const listEventRules = {
  id: 'listEventRules',
  method: 'GET',
  path: '/v1/event-rules',
  ...EventRules,
} as const satisfies Operation;

/** Events that a preview of a condition looks at. */
export const EXAMINED_MAX = 5000;

/** Attributes and values that a preview names. */
export const NAMED_MAX = 20;
const Names = z.array(z.string());

/**
 * Of events until now. `contacts`: subscribed ones that have such an event. If no one has, `attributes` are the names that the events
 * looked at have, that of the condition first if it's one of them, and `values` those of this attribute, the most frequent first.
 */
const RulePreview = z.strictObject({
  contacts: z.int(),
  /** False if there are more events than were looked at. */
  is_complete: z.boolean(),
  attributes: Names,
  values: Names,
});
export type RulePreview = z.infer<typeof RulePreview>;

export const previewEventRule = {
  id: 'previewEventRule',
  method: 'POST',
  path: '/v1/event-rule-previews',
  body: z.strictObject({ event_name: ruleFields.event_name, condition: ruleFields.condition }),
  ...dataOf(
    RulePreview,
    z.object({ ...RulePreview.shape, attributes: z.catch(Names, []), values: z.catch(Names, []) }),
  ),
} as const satisfies Operation;

/** A repeat changes nothing. 409 for the same with another reason, and for more than `EVENT_RULES_MAX`. */
export const createEventRule = {
  id: 'createEventRule',
  method: 'POST',
  path: '/v1/event-rules',
  body: z.strictObject(ruleFields),
  ...EventRules,
} as const satisfies Operation;

export const removeEventRule = {
  id: 'removeEventRule',
  method: 'DELETE',
  path: '/v1/event-rules/{rule}',
  ...EventRules,
} as const satisfies Operation;
