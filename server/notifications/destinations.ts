import { randomUUID } from 'node:crypto';
import type { Destination, DestinationKind, Rules } from '#contract/notifications.ts';
import { type CheckedListQuery, createPageMeta, type Page } from '#contract/list.ts';
import type { Action } from '#contract/change.ts';
import type { LogAuthor } from '../database/changeLog/author.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import type { Database } from '../database/database.ts';
import type { Scope } from '../database/scope.ts';
import type { Workspace } from '../database/workspace.ts';
import { findDestinationError } from './destinationErrors.ts';
import { destinationOf, NOTHING } from './destinationOf.ts';
import { areRulesReadable, type DestinationRow, rulesOf, readSecrets } from './storedMessages.ts';
import { handOver } from './passOn.ts';
import { findRulesError } from './planning/rules.ts';
import { nextSummary } from './planning/summaries.ts';
import type { Senders } from './sendMessage.ts';
import { createSecret, findSigning, type WebhookSecret } from './webhook/signWebhook.ts';

/** Destinations of a workspace: each is asked for at every search for messages. */
const DESTINATIONS_MAX = 50;
/** Milliseconds for which an old secret still signs. */
const ROTATION = 24 * 60 * 60_000;
/** Secrets of a webhook that sign. */
const SECRETS_MAX = 3;

export type By = { now: number; author: LogAuthor };

/** A sentence that says why a destination isn't accepted. */
export class DestinationError extends Error {
  override readonly name = 'DestinationError';
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/** Newest first. */
export function listDestinations(
  workspace: Workspace,
  db: Database,
  query: CheckedListQuery,
): Promise<Page<Destination>> {
  return db.read(workspace, async (scope) => {
    const all = await scope.select('destinations').selectAll().orderBy('created_at', 'desc').orderBy('uuid').execute();
    const page = all.slice((query.page - 1) * query.per_page, query.page * query.per_page);
    const data = await Promise.all(page.map((row) => destinationOf(scope, row)));
    return { data, meta: createPageMeta(query, all.length) };
  });
}

/** As many secrets of a webhook sign as may. Nothing was changed. */
export class TooManySecretsError extends Error {
  override readonly name = 'TooManySecretsError';
  override readonly message =
    'Three secrets sign already. Each old one ends a day after it was replaced: rotate again when the first has ended.';
  /** Milliseconds until then. */
  readonly wait: number;

  constructor(wait: number) {
    super();
    this.wait = wait;
  }
}

type NewDestination = {
  kind: DestinationKind;
  name: string;
  address: string;
  rules: Rules;
  fallback?: string | null | undefined;
};

/** With its secret, if it's a webhook. Throws `DestinationError`. */
export function createDestination(
  workspace: Workspace,
  db: Database,
  given: NewDestination,
  senders: Senders,
  by: By,
): Promise<{ destination: Destination; secret: string | null }> {
  return db.write(workspace, async (scope) => {
    const { kind, name, address, rules } = given;
    rejectWrongRules(rules);
    const error = await findDestinationError(scope, given, senders);
    if (error !== null) throw new DestinationError('address', error);
    const known = await scope.select('destinations').select('uuid').execute();
    if (known.length >= DESTINATIONS_MAX) {
      throw new DestinationError('address', `A workspace has at most ${DESTINATIONS_MAX} destinations.`);
    }
    const fallback = findFallback(known, given.fallback ?? null, null);
    const secret = kind === 'webhook' ? createSecret() : null;
    const secrets: WebhookSecret[] = secret === null ? [] : [{ secret, ends_at: null }];
    const { log_count } = await scope.select('workspace_heads').select('log_count').executeTakeFirstOrThrow();
    const row = {
      uuid: randomUUID(),
      kind,
      name,
      address,
      secrets: JSON.stringify(secrets),
      rules: JSON.stringify(rules),
      disabled_at: null,
      disabled_reason: null,
      fallback_uuid: fallback,
      // Changes before it was made aren't told.
      log_number: log_count,
      summary_at: nextSummary(rules, by.now),
      created_at: by.now,
      updated_at: by.now,
    };
    await scope.insert('destinations', row).execute();
    await logAction(scope, 'destination_create', row, by);
    return { destination: await destinationOf(scope, { workspace_id: scope.id, ...row }), secret };
  });
}

/** The reason of somebody's decision. */
const SWITCHED_OFF = 'Switched off.';

type DestinationUpdate = {
  name?: string | undefined;
  rules?: Rules | undefined;
  fallback?: string | null | undefined;
  enabled?: boolean | undefined;
};

/** Null without such a destination. Throws `DestinationError`. */
export function updateDestination(
  workspace: Workspace,
  db: Database,
  uuid: string,
  { name, rules, fallback, enabled }: DestinationUpdate,
  by: By,
): Promise<Destination | null> {
  return change(workspace, db, uuid, by, 'destination_update', async (scope, row) => {
    if (rules !== undefined) rejectWrongRules(rules);
    const known = await scope.select('destinations').select('uuid').execute();
    const { log_count } = await scope.select('workspace_heads').select('log_count').executeTakeFirstOrThrow();
    const isDisabled = row.disabled_at !== null;
    const before = areRulesReadable(row) ? rulesOf(row) : NOTHING;
    const after = rules ?? before;
    const isEnabled = enabled === true && isDisabled;
    const fallback_uuid = fallback === undefined ? row.fallback_uuid : findFallback(known, fallback, row.uuid);
    const isSwitchedOff = enabled === false && !isDisabled;
    if (isSwitchedOff) await handOver(scope, { ...row, fallback_uuid }, SWITCHED_OFF, by.now);
    return {
      name: name ?? row.name,
      ...(rules !== undefined && { rules: JSON.stringify(rules), summary_at: nextSummary(after, by.now) }),
      // What happened while it didn't ask for it isn't told.
      ...(after.contact_changes && !before.contact_changes && { log_number: log_count }),
      fallback_uuid,
      ...(isEnabled && { disabled_at: null, disabled_reason: null }),
      ...(isSwitchedOff && { disabled_at: by.now, disabled_reason: SWITCHED_OFF }),
    };
  });
}

/**
 * Makes another secret. The ones before keep their time, so that a receiver that has any of them refuses nothing. `mail`: it has none.
 * Throws `TooManySecretsError`.
 */
export async function rotateSecret(
  workspace: Workspace,
  db: Database,
  uuid: string,
  by: By,
): Promise<{ destination: Destination; secret: string } | 'mail' | null> {
  const secret = createSecret();
  const isMail = await db.read(workspace, async (scope) => (await find(scope, uuid))?.kind === 'mail');
  if (isMail) return 'mail';
  const destination = await change(workspace, db, uuid, by, 'secret_rotate', (_scope, row) => {
    const signing = findSigning(readSecrets(row) ?? [], by.now);
    const ends = signing.flatMap(({ ends_at }) => ends_at ?? []);
    if (signing.length === SECRETS_MAX) throw new TooManySecretsError(Math.min(...ends) - by.now);
    const old = signing.map((one) => ({ ...one, ends_at: one.ends_at ?? by.now + ROTATION }));
    return Promise.resolve({ secrets: JSON.stringify([{ secret, ends_at: null }, ...old]) });
  });
  return destination && { destination, secret };
}

/** What waits for it is not delivered. Null without such a destination. */
export function removeDestination(
  workspace: Workspace,
  db: Database,
  uuid: string,
  by: By,
): Promise<Destination | null> {
  return db.write(workspace, async (scope) => {
    const row = await find(scope, uuid);
    if (row === null) return null;
    const destination = await destinationOf(scope, row);
    await scope.delete('deliveries').where('destination_uuid', '=', row.uuid).execute();
    await scope.update('destinations').set({ fallback_uuid: null }).where('fallback_uuid', '=', row.uuid).execute();
    await scope.delete('destinations').where('uuid', '=', row.uuid).execute();
    await logAction(scope, 'destination_remove', row, by);
    return destination;
  });
}

function rejectWrongRules(rules: Rules): void {
  const error = findRulesError(rules);
  if (error !== null) throw new DestinationError('rules', error);
}

export async function find(scope: Scope, uuid: string): Promise<DestinationRow | null> {
  const row = await scope.select('destinations').selectAll().where('uuid', '=', uuid.toLowerCase()).executeTakeFirst();
  return row ?? null;
}

function change(
  workspace: Workspace,
  db: Database,
  uuid: string,
  by: By,
  action: Action,
  to: (scope: Scope, row: DestinationRow) => Promise<Partial<DestinationRow>>,
): Promise<Destination | null> {
  return db.write(workspace, async (scope) => {
    const before = await find(scope, uuid);
    if (before === null) return null;
    const after = { ...before, ...(await to(scope, before)), updated_at: by.now };
    const { workspace_id: _, ...columns } = after;
    await scope.update('destinations').set(columns).where('uuid', '=', before.uuid).execute();
    await logAction(scope, action, after, by);
    return destinationOf(scope, after);
  });
}

function findFallback(known: readonly { uuid: string }[], fallback: string | null, own: string | null): string | null {
  if (fallback === null) return null;
  const uuid = fallback.toLowerCase();
  if (uuid === own) throw new DestinationError('fallback', 'A destination can’t be its own fallback.');
  if (known.some((one) => one.uuid === uuid)) return uuid;
  throw new DestinationError('fallback', 'There is no such destination in this workspace.');
}

export async function logAction(
  scope: Scope,
  action: Action,
  { name, kind, address }: Pick<DestinationRow, 'name' | 'kind' | 'address'>,
  { now, author }: By,
  more: { message?: string } = {},
): Promise<void> {
  const details = { destination: name, kind, address: withoutSecrets(address), ...more };
  await writeLog(scope, [{ action, author, details }], now);
}

/** Without what receivers put into URLs to recognize a sender. */
function withoutSecrets(address: string): string {
  const url = URL.parse(address);
  return url === null || !/^https?:$/.test(url.protocol) ? address : url.origin;
}
