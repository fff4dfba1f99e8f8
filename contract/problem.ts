import * as z from 'zod/mini';

/** Error body of our service: RFC 9457, with the faults of single fields. Another service may send anything. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  request_id: z.string(),
  errors: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
});
export type Problem = z.infer<typeof Problem>;

/** What `type` begins with where not the service speaks, but the gateway in front of it, which has no answer of the service. */
export const GATEWAY_PROBLEM = 'urn:sendroom:gateway:';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';
