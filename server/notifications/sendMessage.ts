import { timestamp } from '../database/timestamp.ts';
import { textOf, titleOf } from './describeMessage.ts';
import type { Mailer } from './mail/mailer.ts';
import { type DestinationRow, faultOf, type IncidentBody, type MessageRow } from './planWorkspace.ts';
import { type IsAllowed, type Outcome, postWebhook } from './webhook/postWebhook.ts';
import { signWebhook, type WebhookSecret } from './webhook/signWebhook.ts';

/** How messages leave. */
export type Senders = {
  /** Null without SMTP_URL. */
  mailer: Mailer | null;
  isAllowed: IsAllowed;
  /** Where people reach the console, with a slash at its end; null if that isn't set. */
  consoleUrl: string | null;
};

type Outgoing = {
  destination: DestinationRow;
  message: Pick<MessageRow, 'uuid' | 'kind' | 'body' | 'created_at'>;
  /** The same fault of other domains, which this message tells too. */
  others: readonly IncidentBody[];
  /** Of a fallback: what it stands in for, and why. */
  insteadOf: string | null;
};

/** Sends a message. Never rejects. `now` is in milliseconds since the epoch. */
export function sendMessage(senders: Senders, outgoing: Outgoing, now: number): Promise<Outcome> {
  return outgoing.destination.kind === 'webhook'
    ? sendToWebhook(senders, outgoing, now)
    : sendByMail(senders, outgoing);
}

/** Entries that fit into 20 kB. */
const OTHERS_MAX = 100;

async function sendToWebhook(
  { isAllowed }: Senders,
  { destination, message, others, insteadOf }: Outgoing,
  now: number,
) {
  const { uuid, kind, created_at } = message;
  const data = JSON.parse(message.body) as Record<string, unknown>;
  const more = others.slice(0, OTHERS_MAX).map(({ domain, subject }) => ({ domain, subject }));
  const body = JSON.stringify({
    type: kind.replace('_', '.'),
    timestamp: timestamp(created_at),
    data: { ...data, ...(others.length > 0 && { others: more, other_count: others.length }) },
    ...(insteadOf !== null && { instead_of: insteadOf }),
  });
  const secrets = JSON.parse(destination.secrets) as WebhookSecret[];
  return postWebhook(new URL(destination.address), signWebhook(uuid, body, secrets, now), body, isAllowed);
}

function sendByMail(
  { mailer, consoleUrl }: Senders,
  { destination, message, others, insteadOf }: Outgoing,
): Promise<Outcome> {
  if (mailer === null) return Promise.resolve({ isDelivered: false, detail: 'SMTP_URL is not set.' });
  const isIncident = message.kind.startsWith('incident_');
  return mailer.send({
    to: destination.address,
    subject: titleOf(message),
    text: `${textOf(message, others, consoleUrl)}${insteadOf === null ? '' : `\nYou get this instead of ${insteadOf}\n`}`,
    id: message.uuid,
    thread: isIncident ? faultOf(JSON.parse(message.body) as IncidentBody) : null,
  });
}
