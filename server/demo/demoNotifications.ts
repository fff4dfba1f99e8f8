import type { Domain } from '#contract/domains/domain.ts';
import type { MessageKind } from '#contract/notifications.ts';
import type { NewRow, Scope } from '../database/scope.ts';
import { timeOrNull, timestamp } from '../database/timestamp.ts';
import { createSecret } from '../notifications/webhook/signWebhook.ts';
import type { Random } from './seededRandom.ts';

const DAY = 86_400_000;

/** When the channel got its first message, when it stopped responding, and when it was switched off; in milliseconds. */
export type DemoDestination = { uuid: string; created: number; failing: number; disabled: number };

/** Attempts of a delivery that fails (server/notifications/retries.ts). */
const ATTEMPTS = 10;

/** A webhook that nothing reaches any more. The demo sends nothing: it's off, and its name is reserved (RFC 2606). */
export async function putDemoDestination(scope: Scope, random: Random, now: number): Promise<DemoDestination> {
  const { log_count } = await scope.select('workspace_heads').select('log_count').executeTakeFirstOrThrow();
  const destination = { uuid: random.uuid(), created: now - 40 * DAY, failing: now - 7 * DAY, disabled: now - DAY };
  await scope
    .insert('destinations', {
      uuid: destination.uuid,
      kind: 'webhook',
      name: 'On-call channel',
      address: 'https://hooks.example/sendroom',
      secrets: JSON.stringify([{ secret: createSecret(), ends_at: null }]),
      rules: JSON.stringify({
        incidents: [{ kinds: ['broken'] }],
        contact_changes: false,
        digest: false,
        heartbeat: false,
      }),
      disabled_at: destination.disabled,
      disabled_reason: 'Switched off: nothing could be delivered for five days.',
      fallback_uuid: null,
      log_number: log_count,
      summary_at: null,
      created_at: destination.created,
      updated_at: destination.disabled,
    })
    .execute();
  return destination;
}

/** What was told of an incident at a time, and what came of it. */
export async function putDemoMessage(
  scope: Scope,
  random: Random,
  { uuid: destination, created, failing, disabled }: DemoDestination,
  { uuid, name }: Domain,
  { uuid: incident, subject, kind, code, turn, cause, severity, failed_at, opened_at, closed_at }: NewRow<'incidents'>,
  told: MessageKind,
  at: number,
): Promise<void> {
  const body = {
    incident,
    domain: { uuid, name },
    subject,
    kind,
    code,
    turn,
    cause,
    severity,
    right_until: null,
    failed_at: timestamp(failed_at),
    opened_at: timeOrNull(opened_at ?? null),
    closed_at: told === 'incident_closed' ? timeOrNull(closed_at ?? null) : null,
    diagnosis: null,
    found: [],
    fix: null,
    refused_by: [],
  };
  const message = {
    uuid: random.uuid(),
    created_at: at,
    planned_at: at,
    kind: told,
    about: cause ?? uuid,
    incident_uuid: incident,
    contact_uuid: null,
    log_number: null,
    body: JSON.stringify(body),
  };
  await scope.insert('messages', message).execute();
  if (kind !== 'broken' || at < created || at >= disabled) return;
  const isFailed = at >= failing;
  await scope
    .insert('deliveries', {
      message_uuid: message.uuid,
      destination_uuid: destination,
      state: isFailed ? 'failed' : 'delivered',
      created_at: at,
      attempts: isFailed ? ATTEMPTS : 1,
      next_at: null,
      ended_at: isFailed ? at + DAY : at + 2000,
      last_error: isFailed ? 'The receiver responded with 503.' : null,
      told_by: null,
      instead_of: null,
    })
    .execute();
}
