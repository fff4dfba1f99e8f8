import * as z from 'zod/mini';
import { ContactWithProvider, ReadableContact } from './contact.ts';
import { dataOf, type Endpoint } from '#contract/openapi/endpoint.ts';
import { checkedText, isStorable, toReadableSchema, Timestamp, Uuid } from '#contract/values/field.ts';
import { pageOf } from './list.ts';

// The change log of a contact, and the body of the only write that requires a reason.

/**
 * The change of one field: `subscribed`, or `attributes.` and the key. A value is null where the key does not exist.
 */
export const FieldChange = z.strictObject({ field: z.string(), before: z.unknown(), after: z.unknown() });
export type FieldChange = z.infer<typeof FieldChange>;

/** Changes of a contact that is there. */
export const CONTACT_ACTIONS = ['update', 'unsubscribe', 'subscribe', 'import'] as const;

/** What the log has lines about. An import has a line for each contact that it changed, none for those that it added, and `import_run` for the whole. */
export const ACTIONS = [
  'create',
  ...CONTACT_ACTIONS,
  'import_run',
  'export',
  'sign_in',
  'sign_in_refused',
  'sign_out',
  'token_create',
  'token_revoke',
  'member_invite',
  'member_join',
  'member_role',
  'member_remove',
  'session_end',
  'person_export',
  'person_erase',
  'erasure_lift',
  'verdict_set',
  'workspace_rename',
] as const;
export type Action = (typeof ACTIONS)[number];

/** Who does something: a program with a token, a person, an operator at the command line, or the service by itself. */
export const ACTOR_KINDS = ['token', 'person', 'command', 'service'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** With the name of that time. A token has no email; a command and the service have nothing but their kind. */
export const Actor = z.strictObject({
  kind: z.enum(ACTOR_KINDS),
  uuid: z.nullable(Uuid),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
});
export type Actor = z.infer<typeof Actor>;

/** As read from any service. Unknown kinds are accepted. */
export const ReadableActor = z.object({ ...Actor.shape, kind: z.string(), uuid: z.nullable(z.string()) });
export type ReadableActor = z.infer<typeof ReadableActor>;

/**
 * A change of a contact; `create`, its first, has no values. `request_id` is null for an import, `run` where the caller gave none, and `reason` where none was given:
 * only a subscribe requires one.
 */
export const Change = z.strictObject({
  uuid: Uuid,
  action: z.enum(ACTIONS),
  created_at: Timestamp,
  actor: Actor,
  request_id: z.nullable(z.string()),
  run: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  changes: z.array(FieldChange),
});
export type Change = z.infer<typeof Change>;

const ReadableFieldChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() });

/** A change as read from any service. Unknown actions are accepted. */
export const ReadableChange = toReadableSchema(
  z.strictObject({ ...Change.shape, action: z.string(), actor: ReadableActor, changes: z.array(ReadableFieldChange) }),
  ['uuid'],
);
export type ReadableChange = z.infer<typeof ReadableChange>;

export const REASON_MAX = 500;

/** May contain only characters that a database can store. */
export const Reason = checkedText(z.trim(), z.minLength(1), z.maxLength(REASON_MAX), z.refine(isStorable));

/** Body of `subscribeContact`. */
export const Resubscription = z.strictObject({ reason: Reason });

/** Who changed a contact, when and how, newest first. */
export const listContactChanges = {
  id: 'listContactChanges',
  method: 'GET',
  path: '/v1/contacts/{contact}/changes',
  list: { sortable: [] },
  ...pageOf(Change, ReadableChange),
} as const satisfies Endpoint;

/** Subscribes an unsubscribed contact again. Idempotent. */
export const subscribeContact = {
  id: 'subscribeContact',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/contacts/{contact}/subscribe',
  body: Resubscription,
  ...dataOf(ContactWithProvider, ReadableContact),
} as const satisfies Endpoint;
