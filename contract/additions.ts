import * as z from 'zod/mini';
import { Contact, ReadableContact } from './contact.ts';
import { DOMAIN_STATES } from './domains/domainState.ts';
import { dataOf, type Endpoint } from '#contract/openapi/endpoint.ts';
import { Uuid } from '#contract/values/field.ts';
import { listDomains } from './interface.ts';
import { pageOf } from './list.ts';
import { ROLES } from './role.ts';

// The operations of this service beyond the interface, which ADDITIONS=off removes. Clients may call those in `capabilities`. An
// operation of one page is in a file of its own, so that only that page loads it.

export const Workspace = z.strictObject({
  uuid: Uuid,
  name: z.string(),
  /** The attribute that is an identity besides email and phone. */
  identity_field: z.nullable(z.string()),
  role: z.enum(ROLES),
  /** Ids of the additions this service offers. */
  capabilities: z.array(z.string()),
});
export type Workspace = z.infer<typeof Workspace>;

export const getWorkspace = {
  id: 'getWorkspace',
  method: 'GET',
  path: '/v1/workspace',
  ...dataOf(Workspace, z.object({ ...Workspace.shape, role: z.catch(z.nullable(z.string()), null) })),
} as const satisfies Endpoint;

export const listContacts = {
  id: 'listContacts',
  method: 'GET',
  path: '/v1/contacts',
  list: {
    search: true,
    sortable: ['email', 'first_name', 'last_name', 'company', 'subscribed', 'created_at', 'updated_at'],
    sortsAttributes: true,
    filters: ['subscribed'],
    texts: ['filter'],
  },
  ...pageOf(Contact, ReadableContact),
} as const satisfies Endpoint;

export const getContact = {
  id: 'getContact',
  method: 'GET',
  path: '/v1/contacts/{contact}',
  ...dataOf(Contact, ReadableContact),
} as const satisfies Endpoint;

/** Providers of a summary at most. */
export const PROVIDERS_MAX = 200;

/** How many domains are in each state. */
const counts = { total: z.int(), healthy: z.int(), warning: z.int(), pending: z.int(), failing: z.int() };
const words = z.array(z.string());

/** A service that has it also accepts the filter of `filteredDomains`. */
const DomainSummary = z.strictObject({ ...counts, codes: words, providers: words.check(z.maxLength(PROVIDERS_MAX)) });
export type DomainSummary = z.infer<typeof DomainSummary>;

export const getDomainSummary = {
  id: 'getDomainSummary',
  method: 'GET',
  path: '/v1/domains/summary',
  ...dataOf(DomainSummary, z.object({ ...counts, codes: z.catch(words, []), providers: z.catch(words, []) })),
} as const satisfies Endpoint;

/** `listDomains` with additions: with a filter by state. */
export const filteredDomains = {
  ...listDomains,
  list: { ...listDomains.list, choices: { state: DOMAIN_STATES } },
} as const satisfies Endpoint;
