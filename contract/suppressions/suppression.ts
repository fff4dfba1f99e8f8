import * as z from 'zod/mini';
import { unsubscribeContact } from '#contract/interface.ts';
import { checkedText, isStorable, Timestamp } from '#contract/values/field.ts';
import type { Endpoint } from '#contract/openapi/endpoint.ts';

// Why contacts are unsubscribed.

/** `request`: somebody asked, as in a ticket. `complaint`: marked as spam. `bounce`: a hard one. `list`: a list of the sender. */
export const SUPPRESSION_REASONS = ['request', 'complaint', 'bounce', 'legal', 'list', 'other'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/**
 * The stronger reasons, weakest first; the others are weaker than these, and equal. A later unsubscribe for a stronger reason than the one
 * recorded replaces it. Only an admin subscribes again who is unsubscribed for one of these.
 */
export const STRONG_REASONS = ['complaint', 'legal'] as const satisfies readonly SuppressionReason[];
export type StrongReason = (typeof STRONG_REASONS)[number];

const strengthOf = (reason: unknown) => STRONG_REASONS.findIndex((strong) => strong === reason);
export const isStrongReason = (reason: unknown): reason is StrongReason => strengthOf(reason) >= 0;
export const isStrongerReason = (reason: unknown, than: unknown): reason is StrongReason =>
  strengthOf(reason) > strengthOf(than);

/** Where an unsubscribe comes from. */
export const SUPPRESSION_ORIGINS = ['recipient', 'support', 'program', 'import'] as const;
export type SuppressionOrigin = (typeof SUPPRESSION_ORIGINS)[number];

export const TICKET_MAX = 100;

const Ticket = checkedText(z.trim(), z.minLength(1), z.maxLength(TICKET_MAX), z.refine(isStorable));

/** Without `origin`, a session of the console is `support`, and a token is `program`. */
export const Unsubscription = z.strictObject({
  reason: z.optional(z.nullable(z.enum(SUPPRESSION_REASONS))),
  ticket: z.optional(z.nullable(Ticket)),
  origin: z.optional(z.enum(SUPPRESSION_ORIGINS)),
});
export type Unsubscription = z.infer<typeof Unsubscription>;

/** What is known of an unsubscribe; null is what nobody said. */
export const Suppression = z.strictObject({
  reason: z.nullable(z.enum(SUPPRESSION_REASONS)),
  ticket: z.nullable(z.string()),
  origin: z.nullable(z.enum(SUPPRESSION_ORIGINS)),
  /** When it happened elsewhere, if an import said it. */
  since: z.optional(Timestamp),
});
export type Suppression = z.infer<typeof Suppression>;

/** Accepts unknown words. */
export const ReadableSuppression = z.object({
  reason: z.nullable(z.string()),
  ticket: z.nullable(z.string()),
  origin: z.nullable(z.string()),
  since: z.optional(z.nullable(z.string())),
});
export type ReadableSuppression = z.infer<typeof ReadableSuppression>;

/** `unsubscribeContact` of a service that has `unsubscribeOwnContact`: it may say why. A repeat changes nothing of that, but a stronger reason replaces a weaker one. */
export const explainedUnsubscribe = {
  ...unsubscribeContact,
  body: z.optional(z.nullable(Unsubscription)),
} as const satisfies Endpoint;
