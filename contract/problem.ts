import * as z from 'zod/mini';

/**
 * The error body of this service: RFC 9457, with an error for each invalid field. Another service may send anything.
 */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  request_id: z.string(),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
});
export type Problem = z.infer<typeof Problem>;

/** The prefix of `type` in errors of the gateway itself, which got no usable response from the service behind it. */
export const GATEWAY_PROBLEM = 'urn:sendroom:gateway:';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
