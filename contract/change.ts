import * as z from 'zod/mini';
import { ContactWithProvider, ReadableContact } from './contact.ts';
import { dataOf, type Endpoint } from '#contract/openapi/endpoint.ts';
import { checkedText, isStorable, toReadableSchema, Timestamp, Uuid } from '#contract/values/field.ts';
import { pageOf } from './list.ts';
import { ReadableSuppression, Suppression } from './suppressions/suppression.ts';

/**
 * `field` is `subscribed`, or `attributes.` and the key; `suppression.reason` and `suppression.since` are what an import fills in of
 * somebody who was unsubscribed already. A value is null if there is none.
 */
export const FieldChange = z.strictObject({ field: z.string(), before: z.unknown(), after: z.unknown() });
export type FieldChange = z.infer<typeof FieldChange>;

/**
 * Changes of an existing contact. `unsubscribe_again` changes nothing: it's the first repeat of an unsubscribe that is no retry, so that
 * no undo of the first loses it.
 */
export const CONTACT_ACTIONS = ['update', 'unsubscribe', 'unsubscribe_again', 'subscribe', 'import'] as const;

/** Actions in the audit log. An import has an entry for each contact it changed or added unsubscribed, not for others it added, and `import_run` for the whole. */
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
  'domain_update',
  'fault_accept',
  'fault_accept_end',
  'workspace_rename',
  'run_approve',
  'run_settings',
  'event_rule_create',
  'event_rule_remove',
  'view_share',
  'view_update',
  'view_remove',
  'destination_create',
  'destination_update',
  'destination_remove',
  'destination_test',
  'secret_rotate',
  'message_replay',
  'message_delivered',
  'link_create',
  'link_revoke',
  'link_open',
  'retention_change',
  'retention_start',
  'retention_end',
] as const;
export type Action = (typeof ACTIONS)[number];

/** `command`: an operator at the command line. */
export const ACTOR_KINDS = ['token', 'person', 'command', 'service'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** With its name at the time. A token has no email; a command and the service have only their kind. */
export const Actor = z.strictObject({
  kind: z.enum(ACTOR_KINDS),
  uuid: z.nullable(Uuid),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
});
export type Actor = z.infer<typeof Actor>;

/** Accepts unknown kinds. */
export const ReadableActor = z.object({ ...Actor.shape, kind: z.string(), uuid: z.nullable(z.string()) });
export type ReadableActor = z.infer<typeof ReadableActor>;

/**
 * `create` has no values. `request_id` is null for a command, `run` and `reason` if not given: only a subscribe requires a reason.
 * `suppression` is null unless it unsubscribes, and for older entries.
 */
export const Change = z.strictObject({
  uuid: Uuid,
  action: z.enum(ACTIONS),
  created_at: Timestamp,
  actor: Actor,
  request_id: z.nullable(z.string()),
  run: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  suppression: z.nullable(Suppression),
  changes: z.array(FieldChange),
});
export type Change = z.infer<typeof Change>;

const ReadableFieldChange = z.object({ field: z.string(), before: z.unknown(), after: z.unknown() });

/** Accepts unknown actions. */
export const ReadableChange = toReadableSchema(
  z.strictObject({
    ...Change.shape,
    action: z.string(),
    actor: ReadableActor,
    suppression: z.nullable(ReadableSuppression),
    changes: z.array(ReadableFieldChange),
  }),
  ['uuid'],
);
export type ReadableChange = z.infer<typeof ReadableChange>;

export const REASON_MAX = 500;

export const Reason = checkedText(z.trim(), z.minLength(1), z.maxLength(REASON_MAX), z.refine(isStorable));

/** `seen`: the newest change of the contact that the caller knows. */
export const Resubscription = z.strictObject({ reason: Reason, seen: z.optional(Uuid) });

export const listContactChanges = {
  id: 'listContactChanges',
  method: 'GET',
  path: '/v1/contacts/{contact}/changes',
  list: { sortable: [] },
  ...pageOf(Change, ReadableChange),
} as const satisfies Endpoint;

export const subscribeContact = {
  id: 'subscribeContact',
  method: 'POST',
  path: '/v1/workspaces/{workspace}/contacts/{contact}/subscribe',
  body: Resubscription,
  ...dataOf(ContactWithProvider, ReadableContact),
} as const satisfies Endpoint;
