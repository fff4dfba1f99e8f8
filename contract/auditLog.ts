import * as z from 'zod/mini';
import { Actor, ACTIONS, ReadableActor } from './change.ts';
import { dataOf, type Endpoint, type Operation } from '#contract/openapi/endpoint.ts';
import { Timestamp, toReadableSchema, Uuid } from '#contract/values/field.ts';
import { pageOf } from './list.ts';
import type { OperationId } from './roles.ts';
import { ReadableSuppression, Suppression } from './suppressions/suppression.ts';

// The audit log. In a file of its own, so that only its page loads it.

/** Changed fields that an entry lists. */
export const FIELDS_MAX = 20;

/** Without a name once the contact is erased. */
const LoggedContact = z.strictObject({
  uuid: Uuid,
  /** First and last name. */
  name: z.nullable(z.string()),
  /** Email, else phone. */
  address: z.nullable(z.string()),
});

/** An entry, without the values of changed fields, which are at the contact. */
export const LogLine = z.strictObject({
  uuid: Uuid,
  /** From 1 in each workspace, without gaps. */
  number: z.int(),
  action: z.enum(ACTIONS),
  created_at: Timestamp,
  actor: Actor,
  contact: z.nullable(LoggedContact),
  request_id: z.nullable(z.string()),
  run: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  suppression: z.nullable(Suppression),
  /** The first changed fields, and how many there are. */
  fields: z.array(z.string()),
  field_count: z.int(),
  /** Further facts by name: the counts of an import, the name of a token. */
  details: z.nullable(z.record(z.string(), z.union([z.string(), z.number()]))),
});
export type LogLine = z.infer<typeof LogLine>;

/** Accepts unknown actions. */
export const ReadableLogLine = toReadableSchema(
  z.strictObject({
    ...LogLine.shape,
    action: z.string(),
    actor: ReadableActor,
    contact: z.nullable(z.object({ ...LoggedContact.shape, uuid: z.string() })),
    suppression: z.nullable(ReadableSuppression),
    details: z.nullable(z.record(z.string(), z.unknown())),
  }),
  ['uuid'],
);
export type ReadableLogLine = z.infer<typeof ReadableLogLine>;

/** In filters: an unsubscribe that changed nothing but recorded a reason: a stronger one, such as a complaint, or any where none was known. */
export const RECORD_REASON = 'record_reason';
export const LOG_FILTERS: readonly string[] = ACTIONS.flatMap((action) =>
  action === 'unsubscribe' ? [action, RECORD_REASON] : action,
);

export const listChanges = {
  id: 'listChanges',
  method: 'GET',
  path: '/v1/changes',
  list: {
    search: true,
    sortable: ['created_at'],
    choices: { action: LOG_FILTERS },
    texts: ['actor', 'contact'],
    times: ['from', 'to'],
  },
  ...pageOf(LogLine, ReadableLogLine),
} as const satisfies Endpoint;

/** Operations whose results clients export. */
export const EXPORTED = [
  'listContacts',
  'listContactEvents',
  'listContactChanges',
  'listSuppressions',
  'listDomains',
  'listDomainReports',
  'listDomainAddresses',
  'listAddresses',
  'listChanges',
  'listMembers',
  'listTokens',
  'listSessions',
  'checkDomain',
] as const satisfies readonly OperationId[];
export type Exported = (typeof EXPORTED)[number];

const EXPORT_FORMATS = ['csv', 'ndjson'] as const;

const ExportReceipt = z.strictObject({ logged_at: Timestamp });

/** Logs that a client is about to save a list as a file. */
export const recordExport = {
  id: 'recordExport',
  method: 'POST',
  path: '/v1/exports',
  body: z.strictObject({
    operation: z.enum(EXPORTED),
    format: z.enum(EXPORT_FORMATS),
    /** The contact or domain of the list. */
    of: z.optional(Uuid),
  }),
  ...dataOf(ExportReceipt, z.object(ExportReceipt.shape)),
} as const satisfies Operation;
