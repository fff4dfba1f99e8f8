import * as z from 'zod/mini';
import { SenderAddress } from './domains/domain.ts';
import { DOMAIN_STATES } from './domains/domainState.ts';
import { pageOf } from './list.ts';
import type { Operation } from '#contract/openapi/endpoint.ts';
import { toReadableSchema } from '#contract/values/field.ts';

/** A sender address with its domain. */
export const AddressOfDomain = z.strictObject({
  ...SenderAddress.shape,
  domain_name: z.string(),
  domain_state: z.enum(DOMAIN_STATES),
});
export type AddressOfDomain = z.infer<typeof AddressOfDomain>;

const ReadableAddressOfDomain = toReadableSchema(AddressOfDomain, ['uuid', 'domain_name']);
export type ReadableAddressOfDomain = z.infer<typeof ReadableAddressOfDomain>;

/** All sender addresses of the workspace. */
export const listAddresses = {
  id: 'listAddresses',
  method: 'GET',
  path: '/v1/addresses',
  list: {
    search: true,
    sortable: ['full_address', 'domain_name', 'verification', 'created_at'],
    texts: ['verification'],
  },
  ...pageOf(AddressOfDomain, ReadableAddressOfDomain),
} as const satisfies Operation;
