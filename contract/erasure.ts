import * as z from 'zod/mini';
import { dataOf, type Endpoint } from '#contract/openapi/endpoint.ts';
import { Timestamp } from '#contract/values/field.ts';

/** In a file of its own, so that pages that find a contact don't load `privacy.ts`. */
export const findErasure = {
  id: 'findErasure',
  method: 'GET',
  path: '/v1/erased-identities/{identity}',
  ...dataOf(z.strictObject({ erased_at: z.nullable(Timestamp) }), z.object({ erased_at: z.nullable(z.string()) })),
} as const satisfies Endpoint;
