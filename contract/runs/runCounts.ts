import * as z from 'zod/mini';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { Uuid } from '#contract/values/field.ts';

// In a file of its own, so that the start page doesn't load the other operations of runs.

/** Of the runs that are kept; 0 for a role that may not continue them. */
const RunCounts = z.strictObject({
  /** That wait for approval and that the caller may approve. */
  to_approve: z.int(),
  /** That are incomplete or open, of all who started them. */
  unfinished: z.int(),
});
export type RunCounts = z.infer<typeof RunCounts>;

export const getRunCounts = {
  id: 'getRunCounts',
  method: 'GET',
  path: '/v1/run-counts',
  parameters: z.object({ without: z.optional(Uuid) }),
  ...dataOf(RunCounts, z.object(RunCounts.shape)),
} as const satisfies Operation;
