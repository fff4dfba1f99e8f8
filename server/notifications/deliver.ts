import { sql } from 'kysely';
import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import type { Database } from '../database/database.ts';
import { SERVICE } from '../database/changeLog/author.ts';
import { writeLog } from '../database/changeLog/writeLog.ts';
import type { Scope } from '../database/scope.ts';
import { timestamp } from '../database/timestamp.ts';
import type { Workspace } from '../database/workspace.ts';
import { type Claimed, claimDue } from './claim.ts';
import { endDelivery, setDelivery } from './endDelivery.ts';
import { findFallback, handOver, passOn } from './passOn.ts';
import { nextAttempt } from './retries.ts';
import { type Senders, sendMessage } from './sendMessage.ts';
import type { DestinationRow, MessageRow } from './storedMessages.ts';
import type { Outcome } from './webhook/postWebhook.ts';

export type DeliveryContext = {
  database: Database;
  senders: Senders;
  /** The current time in milliseconds since the epoch. */
  now: () => number;
};

/** Makes the attempts of a destination that are due, a few at once. True if there may be more. `stop`: that of the service. */
export async function deliverDue(
  context: DeliveryContext,
  workspace: Workspace,
  destination: string,
  stop: AbortSignal,
): Promise<boolean> {
  const { claimed, hasMore } = await claimDue(workspace, context.database, destination, context.now());
  await Promise.all(claimed.map((one) => attempt(context, workspace, one, stop)));
  return hasMore;
}

/** Makes one attempt, and stores what came of it. */
export async function attempt(
  { database, senders, now }: DeliveryContext,
  workspace: Workspace,
  claimed: Claimed,
  stop: AbortSignal,
): Promise<Outcome> {
  const sent = await withGrace(stop, (halt) => sendMessage(senders, claimed, now(), halt));
  const outcome = withStorableDetail(sent);
  await database.write(workspace, (scope) => conclude(scope, claimed, outcome, now()));
  return outcome;
}

/** Milliseconds that an attempt may take on after a stop, so that few messages arrive twice because of it. */
const GRACE = 5_000;

async function withGrace<Result>(stop: AbortSignal, work: (halt: AbortSignal) => Promise<Result>): Promise<Result> {
  const halt = new AbortController();
  const haltSoon = () => void setTimeout(() => halt.abort(), GRACE).unref();
  if (stop.aborted) haltSoon();
  stop.addEventListener('abort', haltSoon, { once: true });
  try {
    return await work(halt.signal);
  } finally {
    stop.removeEventListener('abort', haltSoon);
  }
}

/** Characters of what a receiver said. */
const DETAIL_MAX = 300;

/** Strangers write it. */
function withStorableDetail(outcome: Outcome): Outcome {
  const detail = escapeInvisible(outcome.detail.slice(0, DETAIL_MAX).replaceAll(/\s+/g, ' '));
  return { ...outcome, detail };
}

async function conclude(
  scope: Scope,
  { delivery, destination, message }: Claimed,
  outcome: Outcome,
  now: number,
): Promise<void> {
  if (outcome.isDelivered) {
    const ended = { state: 'delivered', next_at: null, ended_at: now, last_error: null } as const;
    const isFirst = await setDelivery(scope, delivery, ended);
    if (isFirst && message.contact_uuid !== null) await logReceipt(scope, destination, message, now);
    return;
  }
  const next = message.kind === 'test' ? null : nextAttempt(delivery, outcome, now);
  if (next !== null) {
    const refusals = delivery.refusals + (outcome.mayHaveArrived === true ? 0 : 1);
    await setDelivery(scope, delivery, { next_at: next, last_error: outcome.detail, refusals });
    return;
  }
  if (delivery.ended_at !== null) {
    await setDelivery(scope, delivery, { state: 'delivered', next_at: null, last_error: outcome.detail });
    return;
  }
  const ended = await endDelivery(scope, delivery, 'failed', outcome.detail, now);
  // The caller of a test has its outcome.
  if (message.kind === 'test') return;
  await passOn(scope, destination, ended, outcome.detail, now);
  const reason = await findReasonToDisable(scope, destination, outcome, now);
  if (reason !== null) await disable(scope, destination, reason, now);
}

/** Milliseconds after which a destination that nothing reaches is switched off: with a fallback, which takes over, and without. */
const DAY = 24 * 60 * 60_000;
const FAILING_MAX = { withFallback: DAY, alone: 5 * DAY };

async function findReasonToDisable(
  scope: Scope,
  destination: DestinationRow,
  outcome: Extract<Outcome, { isDelivered: false }>,
  now: number,
): Promise<string | null> {
  if (outcome.isGone === true) return 'Switched off: the receiver responded with 410 (Gone).';
  const { uuid } = destination;
  const [failing] = await scope.run(sql<{ since: number | null }>`
    select min(created_at) as since from deliveries
    where workspace_id = ${scope.id} and destination_uuid = ${uuid} and state = 'failed' and created_at > coalesce((
      select max(ended_at) from deliveries
      where workspace_id = ${scope.id} and destination_uuid = ${uuid} and state = 'delivered'), 0)`);
  const hasFallback = (await findFallback(scope, destination)) !== null;
  const isDead = now - (failing?.since ?? now) >= (hasFallback ? FAILING_MAX.withFallback : FAILING_MAX.alone);
  if (!isDead) return null;
  return `Switched off: nothing could be delivered for ${hasFallback ? 'a day' : 'five days'}.`;
}

async function disable(scope: Scope, destination: DestinationRow, reason: string, now: number): Promise<void> {
  const { uuid, name } = destination;
  const { numUpdatedRows } = await scope
    .update('destinations')
    .set({ disabled_at: now, disabled_reason: reason, updated_at: now })
    .where('uuid', '=', uuid)
    .where('disabled_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  await handOver(scope, destination, reason, now);
  await writeLog(
    scope,
    [{ action: 'destination_update', author: SERVICE, reason, details: { destination: name } }],
    now,
  );
}

/** The receipt of a change of a contact: when it reached a destination. */
async function logReceipt(scope: Scope, { name }: DestinationRow, message: MessageRow, now: number): Promise<void> {
  const contact = { uuid: String(message.contact_uuid), number: null };
  const details = { destination: name, change: message.kind, changed_at: timestamp(message.created_at) };
  await writeLog(scope, [{ action: 'message_delivered', author: SERVICE, contact, details }], now);
}
