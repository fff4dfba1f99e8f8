import * as z from 'zod/mini';

/** The error body (RFC 9457). Another service may send anything. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  request_id: z.string(),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
});
export type Problem = z.infer<typeof Problem>;

/** The prefix of `type` in errors of a gateway without a usable response. */
export const GATEWAY_PROBLEM = 'urn:sendroom:gateway:';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
