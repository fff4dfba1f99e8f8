import * as z from 'zod/mini';
import { Finding } from './dnsCheck.ts';
import { DnsRecord } from './domain.ts';
import { pageOf } from '#contract/list.ts';
import { dataOf, type Endpoint, type Operation } from '#contract/openapi/endpoint.ts';
import { Timestamp, toReadableSchema, Uuid } from '#contract/values/field.ts';

// A page without sign-in for the person who can change the DNS of a domain (docs/decisions/0043-shared-links.md).

/** Days for which a link works. */
export const SHARED_LINK_DAYS = 7;

/** Links of a domain that work. */
export const SHARED_LINKS_MAX = 20;

/** The page. The secret is in its fragment, which browsers don't send. */
export const SHARED_PAGE_PATH = '/shared';

export const SharedLink = z.strictObject({
  uuid: Uuid,
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: z.nullable(Timestamp),
  /** When it was first opened. */
  opened_at: z.nullable(Timestamp),
  /** Who created it: the name of a token, or the name or email of a person. */
  created_by: z.nullable(z.string()),
});
export type SharedLink = z.infer<typeof SharedLink>;

const ReadableSharedLink = toReadableSchema(SharedLink, ['uuid']);
export type ReadableSharedLink = z.infer<typeof ReadableSharedLink>;

export const listSharedLinks = {
  id: 'listSharedLinks',
  method: 'GET',
  path: '/v1/domains/{domain}/shared-links',
  list: { sortable: [] },
  ...pageOf(SharedLink, ReadableSharedLink),
} as const satisfies Operation;

/** The secret is in this response only. The link is `SHARED_PAGE_PATH`, `#` and the secret. */
export const createSharedLink = {
  id: 'createSharedLink',
  method: 'POST',
  path: '/v1/domains/{domain}/shared-links',
  ...dataOf(
    z.strictObject({ link: SharedLink, secret: z.string() }),
    z.object({ link: ReadableSharedLink, secret: z.string() }),
  ),
} as const satisfies Operation;

export const revokeSharedLink = {
  id: 'revokeSharedLink',
  method: 'DELETE',
  path: '/v1/domains/{domain}/shared-links/{link}',
  ...dataOf(SharedLink, ReadableSharedLink),
} as const satisfies Operation;

// What the page calls, with the secret as a bearer token: unlike paths, this header isn't logged by proxies. Neither is an operation of the
// API. An unknown, revoked or expired link is 404.

const SharedRecord = z.omit(DnsRecord, { is_valid: true });
export type SharedRecord = z.infer<typeof SharedRecord>;

/** Only what the page shows. */
const SharedFinding = z.pick(Finding, {
  result: true,
  found: true,
  diagnosis: true,
  turn: true,
  fix: true,
  until: true,
});
export type SharedFinding = z.infer<typeof SharedFinding>;

const SharedDomain = z.strictObject({ name: z.string(), records: z.array(SharedRecord), expires_at: Timestamp });
export type SharedDomain = z.infer<typeof SharedDomain>;

export const getSharedDomain = {
  id: 'getSharedDomain',
  method: 'GET',
  path: '/shared/domain',
  isAnonymous: true,
  ...dataOf(SharedDomain, SharedDomain),
} as const satisfies Endpoint;

const SharedCheckLine = z.discriminatedUnion('kind', [
  /** `index`: among the records of the domain at the start of the check. */
  z.strictObject({ kind: z.literal('record'), index: z.int(), record: SharedRecord, finding: SharedFinding }),
  /** The last line. `checked_at`: when the check began. */
  z.strictObject({ kind: z.literal('end'), checked_at: Timestamp }),
]);
export type SharedCheckLine = z.infer<typeof SharedCheckLine>;

/** Checks the DNS as `checkDomain` does. */
export const checkSharedDomain = {
  id: 'checkSharedDomain',
  method: 'POST',
  path: '/shared/domain/check',
  isAnonymous: true,
  isStream: true,
  result: SharedCheckLine,
  reading: SharedCheckLine,
} as const satisfies Endpoint;
