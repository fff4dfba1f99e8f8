import * as z from 'zod/mini';
import { CheckLine, ReadableCheckLine } from './dnsCheck.ts';
import { pageOf } from './list.ts';
import { DnsRecord } from './domain.ts';
import { dataOf, type Endpoint } from '#contract/openapi/endpoint.ts';
import { Timestamp, Uuid } from '#contract/values/field.ts';

// Pages without sign-in for the person who can change the DNS of a domain.

/** Days for which a link works. */
export const SHARED_LINK_DAYS = 7;

const SharedLink = z.strictObject({
  uuid: Uuid,
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: z.nullable(Timestamp),
  opened_at: z.nullable(Timestamp),
  /** Who made it. */
  by: z.nullable(z.string()),
});
export type SharedLink = z.infer<typeof SharedLink>;

export const listSharedLinks = {
  id: 'listSharedLinks',
  method: 'GET',
  path: '/v1/domains/{domain}/shared-links',
  list: { sortable: [] },
  ...pageOf(SharedLink, z.object(SharedLink.shape)),
} as const satisfies Endpoint;

/** The secret is the end of the link, and shown only now. */
export const createSharedLink = {
  id: 'createSharedLink',
  method: 'POST',
  path: '/v1/domains/{domain}/shared-links',
  ...dataOf(
    z.strictObject({ link: SharedLink, secret: z.string() }),
    z.object({ link: z.object(SharedLink.shape), secret: z.string() }),
  ),
} as const satisfies Endpoint;

export const revokeSharedLink = {
  id: 'revokeSharedLink',
  method: 'DELETE',
  path: '/v1/domains/{domain}/shared-links/{link}',
  ...dataOf(SharedLink, z.object(SharedLink.shape)),
} as const satisfies Endpoint;

/** What the page shows before its first check. */
const SharedDomain = z.strictObject({ name: z.string(), dns: z.array(DnsRecord), expires_at: Timestamp });

/** 404 for a link that is unknown, revoked or over. */
export const getSharedDomain = {
  id: 'getSharedDomain',
  method: 'GET',
  path: '/v1/shared/{secret}',
  isAnonymous: true,
  ...dataOf(SharedDomain, z.object(SharedDomain.shape)),
} as const satisfies Endpoint;

/** Checks the DNS as `checkDomain` does, without the domain in the last line. */
export const checkSharedDomain = {
  id: 'checkSharedDomain',
  method: 'POST',
  path: '/v1/shared/{secret}/check',
  isAnonymous: true,
  isStream: true,
  result: CheckLine,
  reading: ReadableCheckLine,
} as const satisfies Endpoint;
